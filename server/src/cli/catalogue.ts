import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { systemClock } from '@marquee/platform/runtime/clock'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { catalogueSourceOf } from '../settings/catalogue-settings.ts'
import { type Lookup, openLookup } from '../rooms/movies/catalogue/lookup.ts'
import { readMoviePage } from '../rooms/movies/catalogue/page.ts'
import { readFilmItems } from '../rooms/movies/catalogue/wikidata-items.ts'
import { userAgentOf } from '../texts/product-name.ts'
import { type Command, Misuse } from './command.ts'

const CHECK_MS = 10_000
/** A film that every service has. */
const FILM = { title: 'Alien', year: 1979, director: 'Ridley Scott' }
const LINKS = [
  'https://www.themoviedb.org/movie/348-alien',
  'https://www.imdb.com/title/tt0078748/',
  'https://letterboxd.com/film/alien/',
  'https://trakt.tv/movies/alien-1979',
  'https://www.wikidata.org/wiki/Q103569',
  'https://en.wikipedia.org/wiki/Alien_(film)',
]

/** Sends the real services the requests that members cause. */
export const catalogue: Command = {
  usage: 'catalogue check',
  summary: 'Tries a search, details, a picture and each kind of link with the catalogue of the settings.',
  run: async (args, settings) => {
    if (args.length !== 1 || args[0] !== 'check') throw new Misuse('The only action is check.')
    const source = catalogueSourceOf(settings)
    if (!source) throw new Refusal('The catalogue is switched off.')
    const lookup = openLookup(
      { source },
      {
        limiter: noRateLimiter,
        clock: systemClock,
        userAgent: userAgentOf(settings.PUBLIC_URL),
        parsePage: async (page) => await Promise.resolve(readMoviePage(page)),
        parseFilms: async (body) => await Promise.resolve(readFilmItems(body)),
      },
    )
    const checks = [
      ['search', checkSearch],
      ['details', checkDetails],
      ['picture', checkPicture],
      ...LINKS.map((link) => [link, checkLink(link)] as const),
    ] as const
    let failed = 0
    for (const [name, check] of checks) {
      const start = performance.now()
      try {
        const result = await check(lookup)
        console.log(`${name}: ok, ${result}, ${Math.round(performance.now() - start)} ms`)
      } catch (error) {
        failed += 1
        console.log(`${name}: failed, ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    if (failed > 0) throw new Refusal(`${failed} of ${checks.length} checks failed.`)
  },
}

async function findFilm(lookup: Lookup) {
  const found = await lookup.search(`${FILM.title} ${FILM.year}`, 'en', AbortSignal.timeout(CHECK_MS))
  const [first] = found
  if (first?.title !== FILM.title || first.year !== FILM.year) {
    throw new Error(`${FILM.title} is not the first of ${found.length} results`)
  }
  return { first, found }
}

async function findDetails(lookup: Lookup) {
  const { first } = await findFilm(lookup)
  const details = await lookup.details(first.id, 'en', AbortSignal.timeout(CHECK_MS))
  if (!details?.movie.directors.includes(FILM.director)) throw new Error('the director is missing')
  return details
}

async function checkSearch(lookup: Lookup): Promise<string> {
  const { found } = await findFilm(lookup)
  return `${found.length} results`
}

async function checkDetails(lookup: Lookup): Promise<string> {
  const { movie, description } = await findDetails(lookup)
  const facts = Object.values(movie).filter((fact) => fact !== null).length
  return `${facts} facts, a summary of ${description?.length ?? 0} characters`
}

async function checkPicture(lookup: Lookup): Promise<string> {
  const { picture, movie } = await findDetails(lookup)
  if (picture === null) throw new Error('the details name no picture')
  const found = await lookup.picture(picture, movie.source, AbortSignal.timeout(CHECK_MS))
  if (!found) throw new Error(`no picture at ${picture}`)
  return `${found.type} of ${found.bytes.length} bytes`
}

function checkLink(link: string) {
  return async (lookup: Lookup): Promise<string> => {
    const details = await lookup.fromLink(link, 'en', AbortSignal.timeout(CHECK_MS))
    if (details?.title !== FILM.title) throw new Error('no movie was found')
    return details.movie.source === 'page' ? 'read from the page' : 'facts of the catalogue'
  }
}
