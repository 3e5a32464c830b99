// Measures what can be watched tonight on SQLite and PostgreSQL: reading a media server with 100,000 movies, drawing from a box of
// 2,000 cards by it and by another filter, and the same filters of a library of 2,000 cards. `--quick` takes fewer of each;
// `--sqlite` and `--postgres` measure one database.
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

import { manyFilms } from '../server/src/testing/media/library.ts'
import { startAtUsualPort } from '../server/src/testing/media/usual-port.ts'
import { atMost, ms, report } from './measure/report.mjs'
import { inTurns, median } from './measure/rounds.mjs'
import { ask } from './measure/sizes-apart.mjs'
import { signInPeople, signUpPeople } from './setup/people.mjs'
import { onNewData } from './setup/prepare.mjs'
import { startProgram } from './setup/program.mjs'

const isQuick = process.argv.includes('--quick')
const { movies, cards, rounds, pageRounds } = isQuick
  ? { movies: 10_000, cards: 200, rounds: 5, pageRounds: 5 }
  : { movies: 100_000, cards: 2_000, rounds: 21, pageRounds: 401 }
const READ_MS = 60_000
const MATCHED_MS = 1_000
const AT_ONCE = 8

await onNewData(measure)

async function measure(database, settingsOf) {
  const settings = await settingsOf('watchable')
  const program = await startProgram({ ...settings, MEDIA_SERVERS: '127.0.0.0/8' })
  const mediaServer = await startAtUsualPort('jellyfin', { library: manyFilms(movies) })
  try {
    const people = await signUpPeople(program.url, settings.DATA_DIR, 1)
    const [token] = (await signInPeople(program.url, people)).values()
    const asOwner = async (method, path, body) => await ask(program, `/api${path}`, { token, method, body })
    const { id } = await asOwner('POST', '/watchlists', { name: 'Friday films' })
    const list = `/watchlists/${id}`
    await addCards(asOwner, list)
    await measureReading(database, asOwner, list, mediaServer)
    await measureFilters(database, asOwner, list)
  } finally {
    await program.stop()
    await mediaServer.stop()
  }
}

/** As many cards in the box as in the feed. Every second one is on the media server. */
async function addCards(asOwner, list) {
  const bodyOf = (n, revealImmediately) => ({
    title: `Film ${n}`,
    image: `https://posters.example.org/${n}.jpg`,
    movie: {
      year: 1920 + (n % 100),
      runtimeMinutes: 80 + (n % 80),
      genres: [n % 3 === 0 ? 'Drama' : 'Comedy'],
      ids: { tmdb: String(n % 2 === 0 ? 1_000_000 + n : 9_000_000 + n), imdb: `tt${String(n).padStart(7, '0')}` },
    },
    revealImmediately,
  })
  const all = Array.from({ length: cards * 2 }, (_, n) => bodyOf(n, n >= cards))
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map(async (body) => await asOwner('POST', `${list}/cards`, body)))
  }
}

async function measureReading(database, asOwner, list, { url, state: { key: token } }) {
  const begin = performance.now()
  await asOwner('POST', `${list}/media-servers`, { kind: 'jellyfin', url, token })
  for (;;) {
    const { servers } = await asOwner('GET', `${list}/media-servers`)
    if (servers[0]?.state === 'ready') break
    await pause(100)
  }
  const took = performance.now() - begin
  report(
    `reading a media server of ${movies.toLocaleString('en')} movies, ${database}`,
    ms(took),
    atMost(took, READ_MS),
  )
}

async function measureFilters(database, asOwner, list) {
  const { id: nightId } = await asOwner('POST', `${list}/nights/open`)
  const timed = async (act) => {
    const begin = performance.now()
    await act()
    return performance.now() - begin
  }
  const prepare = (filter) => async () =>
    await timed(async () => await asOwner('POST', `${list}/draws`, { filter, nightId }))
  const browse = (query) => async () => await timed(async () => await asOwner('GET', `${list}/library?${query}`))
  const draws = await inTurns(rounds, {
    watchable: prepare({ watchable: true }),
    runtime: prepare({ maxRuntime: 120 }),
    genre: prepare({ withoutGenres: ['Drama'] }),
  })
  const size = cards.toLocaleString('en')
  report(
    `a draw from a box of ${size} by what can be watched, ${database}`,
    `${ms(median(draws.watchable))}; by length ${ms(median(draws.runtime))}, by genre ${ms(median(draws.genre))}`,
    atMost(median(draws.watchable), MATCHED_MS),
  )
  const pages = await inTurns(pageRounds, {
    watchable: browse('watchable=yes'),
    runtime: browse('maxRuntime=120'),
    genre: browse('genre=Drama'),
    unseen: browse('seen=no'),
    search: browse('q=film'),
  })
  const others = `by length ${ms(median(pages.runtime))}, by genre ${ms(median(pages.genre))}`
  report(
    `a page of a library of ${size} by what can be watched, ${database}`,
    `${ms(median(pages.watchable))}; ${others}, unseen ${ms(median(pages.unseen))}, searched ${ms(median(pages.search))}`,
  )
}
