import { FILMS, type Film } from './films.ts'

const GENRES: Readonly<Record<string, readonly [id: string, german: string]>> = {
  action: ['Q188473', 'Actionfilm'],
  comedy: ['Q157443', 'Filmkomödie'],
  crime: ['Q959790', 'Kriminalfilm'],
  drama: ['Q130232', 'Filmdrama'],
  fantasy: ['Q157394', 'Fantasyfilm'],
  horror: ['Q200092', 'Horrorfilm'],
  mystery: ['Q1200678', 'Mysteryfilm'],
  romance: ['Q1054574', 'Liebesfilm'],
  'science fiction': ['Q471839', 'Science-Fiction-Film'],
  thriller: ['Q2484376', 'Thriller'],
  war: ['Q369747', 'Kriegsfilm'],
}
const LANGUAGES: Readonly<Record<string, string>> = {
  en: 'Q1860',
  de: 'Q188',
  fr: 'Q150',
  it: 'Q652',
  es: 'Q1321',
  pt: 'Q5146',
  ja: 'Q5287',
  ko: 'Q9176',
  ru: 'Q7737',
}
const DIRECTORS = [...new Set(FILMS.flatMap(({ directors }) => directors))]

/** Films and directors whose id is not certain have one that Wikidata does not use. */
export const filmItemId = (film: Film) => film.ids.wikidata ?? `Q99990${String(FILMS.indexOf(film)).padStart(4, '0')}`
const directorId = (name: string) => `Q99980${String(DIRECTORS.indexOf(name)).padStart(4, '0')}`
const genreId = (genre: string) => GENRES[genre]?.[0] ?? ''

const FILM_BY_ITEM = new Map(FILMS.map((film) => [filmItemId(film), film]))

/** The title of the page in a Wikipedia. The German one has pages for films with a German title and for German films. */
export function pageTitle(film: Film, wiki: string): string | undefined {
  const isTwice = FILMS.filter(({ title }) => title === film.title).length > 1
  if (wiki === 'en') return isTwice ? `${film.title} (${film.year} film)` : `${film.title} (film)`
  const german = film.german ?? (film.language === 'de' ? film.originalTitle : undefined)
  return wiki === 'de' ? german : undefined
}

/** `action=query&list=search` and `action=wbgetentities`, as far as the catalogue uses them. */
export function answerWikidata(query: URLSearchParams): object {
  if (query.get('action') === 'query') return answerSearch(query)
  const site = query.get('sites')
  const found = site === null ? itemsById(query) : itemsByPage(site, query.get('titles') ?? '')
  return { entities: Object.fromEntries(found), success: 1 }
}

function answerSearch(query: URLSearchParams): object {
  const words = (query.get('srsearch') ?? '').split(/\s+/u)
  const statements = words.filter((word) => word.startsWith('haswbstatement:'))
  const typed = words.filter((word) => !word.startsWith('haswbstatement:') && word !== '')
  const hits = FILMS.filter(
    (film) => typed.every((word) => contains(film, word)) && statements.every((word) => hasStatement(film, word)),
  )
  const search = hits.slice(0, Number(query.get('srlimit') ?? 10)).map((film) => ({ ns: 0, title: filmItemId(film) }))
  return { batchcomplete: true, query: { searchinfo: { totalhits: hits.length }, search } }
}

/** Full text has the description too. Only a word with `*` matches the beginning of others. */
function contains(film: Film, typed: string): boolean {
  const description = `${film.year} film directed by ${film.directors.join(' ')}`
  const words = foldedWords(film.title, film.originalTitle, film.german ?? '', description)
  const [wanted = ''] = foldedWords(typed)
  return words.some((word) => (typed.endsWith('*') ? word.startsWith(wanted) : word === wanted))
}

/** Both search engines ignore case and accents. */
export function foldedWords(...texts: readonly string[]): string[] {
  const folded = texts.join(' ').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return folded.match(/[\p{L}\p{N}]+/gu) ?? []
}

function hasStatement(film: Film, condition: string): boolean {
  const claims: Readonly<Record<string, string | undefined>> = {
    P31: 'Q11424',
    P345: film.ids.imdb,
    P4947: film.ids.tmdb,
    P6127: film.ids.letterboxd,
  }
  const alternatives = condition.replace('haswbstatement:', '').split('|')
  return alternatives.some((alternative) => {
    const [property = '', value] = alternative.split('=')
    return claims[property] === value && value !== undefined
  })
}

function itemsById(query: URLSearchParams): [string, object][] {
  const ids = (query.get('ids') ?? '').split('|')
  if (ids.length > 50) return []
  const languages = (query.get('languages') ?? 'en').split('|')
  return ids.map((id): [string, object] => [id, itemOf(id, languages) ?? { id, missing: true }])
}

function itemsByPage(site: string, title: string): [string, object][] {
  const film = FILMS.find((candidate) => pageTitle(candidate, site.replace(/wiki$/u, '')) === title)
  if (!film) return [['-1', { site, title, missing: true }]]
  return [[filmItemId(film), { id: filmItemId(film), type: 'item' }]]
}

function itemOf(id: string, languages: readonly string[]): object | undefined {
  const film = FILM_BY_ITEM.get(id)
  if (film) return filmItem(film, languages)
  const director = DIRECTORS.find((name) => directorId(name) === id)
  if (director !== undefined) return { type: 'item', id, labels: termsIn(languages, { mul: director }), claims: [] }
  const genre = Object.entries(GENRES).find(([, [genreItem]]) => genreItem === id)
  if (!genre) return undefined
  const [english, [, german]] = genre
  return { type: 'item', id, labels: termsIn(languages, { en: `${english} film`, de: german }) }
}

function filmItem(film: Film, languages: readonly string[]): object {
  const wikis = ['en', 'de'].flatMap((wiki) => {
    const title = pageTitle(film, wiki)
    return title === undefined ? [] : [[`${wiki}wiki`, { site: `${wiki}wiki`, title, badges: [] }]]
  })
  // The better known a film is, the more Wikipedias have a page about it.
  const others = FILMS.slice(FILMS.indexOf(film)).map((_, index) => [`x${index}wiki`, { title: film.originalTitle }])
  return {
    type: 'item',
    id: filmItemId(film),
    labels: termsIn(languages, { en: film.title, ...(film.german !== undefined && { de: film.german }) }),
    // MediaWiki's form of an empty object.
    aliases: [],
    sitelinks: Object.fromEntries([...wikis, ...others]) as object,
    claims: claimsOf(film),
  }
}

function termsIn(languages: readonly string[], terms: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(terms)
      .filter(([language]) => languages.includes(language))
      .map(([language, value]) => [language, { language, value }]),
  )
}

function claimsOf(film: Film): object {
  const minutes = { amount: `+${film.minutes}`, unit: 'http://www.wikidata.org/entity/Q7727' }
  const { imdb, tmdb, letterboxd } = film.ids
  return {
    P31: [item('Q11424')],
    P57: film.directors.map((name) => item(directorId(name))),
    P136: film.genres.map((genre) => item(genreId(genre))),
    P364: [
      { ...statement('wikibase-item', {}), mainsnak: { snaktype: 'novalue', property: 'P364' } },
      item(LANGUAGES[film.language] ?? ''),
    ],
    // A later release, and one that turned out to be wrong.
    P577: [time(film.year + 1), time(film.year), time(1900, 'deprecated')],
    P1476: [statement('monolingualtext', { text: film.originalTitle, language: film.language })],
    P2047: [statement('quantity', minutes)],
    ...(imdb !== undefined && { P345: [statement('string', imdb)] }),
    ...(tmdb !== undefined && { P4947: [statement('string', tmdb)] }),
    ...(letterboxd !== undefined && { P6127: [statement('string', letterboxd)] }),
  }
}

function item(id: string): object {
  return statement('wikibase-entityid', { 'entity-type': 'item', 'numeric-id': Number(id.slice(1)), id })
}

function time(year: number, rank = 'normal'): object {
  const value = {
    time: `+${year}-05-25T00:00:00Z`,
    precision: 11,
    calendarmodel: 'http://www.wikidata.org/entity/Q1985727',
  }
  return statement('time', value, rank)
}

function statement(type: string, value: unknown, rank = 'normal') {
  return { mainsnak: { snaktype: 'value', datavalue: { value, type } }, type: 'statement', rank }
}
