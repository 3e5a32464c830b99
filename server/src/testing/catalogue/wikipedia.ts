import { FILMS } from './films.ts'
import { filmItemId, pageTitle } from './wikidata.ts'

/** `action=query` with `extracts` and `pageimages`. Only the English Wikipedia has pictures. */
export function answerWikipedia(wiki: string, query: URLSearchParams, origin: string): object {
  const props = (query.get('prop') ?? '').split('|')
  const pages = (query.get('titles') ?? '').split('|').map((title) => {
    const film = FILMS.find((candidate) => pageTitle(candidate, wiki) === title)
    if (!film) return { ns: 0, title, missing: true }
    const source = `${origin}/upload/${filmItemId(film)}/${query.get('pithumbsize') ?? '50'}px-poster.png`
    return {
      pageid: FILMS.indexOf(film) + 1,
      ns: 0,
      title,
      ...(props.includes('extracts') && { extract: summaryOf(wiki, film.title, film.year) }),
      ...(wiki === 'en' && props.includes('pageimages') && { thumbnail: { source, width: 250, height: 375 } }),
    }
  })
  return { batchcomplete: true, query: { pages } }
}

function summaryOf(wiki: string, title: string, year: number): string {
  return wiki === 'de' ? `${title} ist ein Film aus dem Jahr ${year}.` : `${title} is a film from ${year}.`
}
