// How long other requests wait, and how much memory the process takes, while a call with much work runs: exports, statistics,
// imports, restores, the reading of a media server with 100,000 movies and the deletion of a watchlist with 100,000 cards, on
// SQLite and PostgreSQL. `--quick` uses 10,000; `--sqlite` and `--postgres` measure one database, `--only TEXT` the calls
// whose name has this text. Each call is compared with the seconds before it, because other programs use the processors too.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

import { zipSync } from 'fflate'

import { freePort } from '@marquee/platform/testing/free-port'
import { manyFilms } from '../server/src/testing/media/library.ts'
import { startMediaStandIn } from '../server/src/testing/media/stand-in.ts'
import { SERVER } from '../tools/run/start.mjs'
import { atMost, mb, ms, report } from './measure/report.mjs'
import { signInPeople } from './setup/people.mjs'
import { onPreparedData } from './setup/prepare.mjs'
import { startProgram } from './setup/program.mjs'
import { ownerOf, watchlistIds } from './setup/rows.mjs'
import { PLACES, SIZES } from './setup/sizes.mjs'

const isQuick = process.argv.includes('--quick')
const only = process.argv.includes('--only') ? process.argv.at(process.argv.indexOf('--only') + 1) : ''
const sizes = isQuick ? SIZES.quickStalls : SIZES.stalls
const MORE_MS = 50
const MORE_MB = 64
const SETTLE_MS = 2_000
const ROWS = 10_000
const ZIPPED = 60_000
const MOVIES = 100_000
/** One of the ports at which a media server may be. */
const MEDIA_PORT = 8920
/** The server, with a measure of its turns. */
const MEASURED = [process.execPath, '--import', join(import.meta.dirname, 'measure/loop-turns.mjs'), ...SERVER]

await onPreparedData(sizes, measureStalls)

function progress(text) {
  process.stderr.write(`${text}\n`)
}

async function measureStalls(database, settings, people) {
  progress(`${database}: starting`)
  const turnsPort = await freePort()
  const own = { LOOP_TURNS_PORT: String(turnsPort), MEDIA_SERVERS: '127.0.0.0/8' }
  const program = await startProgram({ ...settings, ...own }, MEASURED)
  const mediaServer = await startMediaStandIn('jellyfin', { library: manyFilms(MOVIES), port: MEDIA_PORT })
  const prober = fork(join(import.meta.dirname, 'load/prober.mjs'))
  try {
    const tokens = await signInPeople(program.url, people.slice(0, 8))
    const ids = watchlistIds(sizes)
    const big = { id: ids[PLACES.library], token: tokens.get(ownerOf(people, PLACES.library).userId) }
    const other = { id: ids[PLACES.smallBox], token: tokens.get(ownerOf(people, PLACES.smallBox).userId) }
    const probes = [
      { port: program.port, path: '/healthz' },
      { port: program.port, path: `/api/watchlists/${other.id}/cards?limit=10`, token: other.token },
    ]
    const context = { program, prober, probes, turnsPort }
    for (const [what, call] of Object.entries(calls(program, { big, tokens, mediaServer }))) {
      if (!what.includes(only)) continue
      await pause(SETTLE_MS)
      const idle = await during(context, async () => await pause(SETTLE_MS))
      progress(`${database}: ${what}`)
      const { took, p50, p99, max, grown, longest } = await during(context, call)
      report(
        `${database}, ${what}`,
        `took ${ms(took)}; wait of others p99 ${ms(p99)}, before ${ms(idle.p99)}, p50 ${ms(p50)}, longest ${ms(max)}; ` +
          `longest turn ${ms(longest)} of the processor; memory ${mb(grown)} more`,
        {
          target: `${MORE_MS} ms and ${MORE_MB} MB more`,
          met: atMost(p99 - idle.p99, MORE_MS).met && grown / 1e6 <= MORE_MB,
        },
      )
    }
  } finally {
    prober.disconnect()
    await program.stop()
    await mediaServer.stop()
  }
}

/** Runs a call while other requests are asked, and watches the memory of the process. */
async function during({ program, prober, probes, turnsPort }, call) {
  const turns = async () => await (await fetch(`http://127.0.0.1:${turnsPort}`)).json()
  const before = await program.memory()
  let peak = before
  const sampler = setInterval(async () => {
    peak = Math.max(peak, await program.memory().catch(() => 0))
  }, 50)
  prober.send({ start: probes })
  await turns()
  const begin = performance.now()
  await call()
  const took = performance.now() - begin
  const { longest } = await turns()
  prober.send({ stop: true })
  const [waits] = await once(prober, 'message')
  clearInterval(sampler)
  if (waits.error) throw new Error(waits.error)
  return { ...waits, took, longest, grown: peak - before }
}

function calls({ url }, { big, tokens, mediaServer }) {
  const ask = async (path, { method = 'GET', body, token = big.token } = {}) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const reply = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body }) })
    let bytes = 0
    let tail = ''
    for await (const part of reply.body ?? []) {
      bytes += part.length
      tail = Buffer.from(part).toString().slice(0, 2_000)
    }
    return { status: reply.status, bytes, tail }
  }
  const exported = async (format) => await expect(200, ask(`/watchlists/${big.id}/export?format=${format}`))
  const all = [...tokens.values()]
  const servers = `/watchlists/${big.id}/media-servers`
  return {
    'an export as JSON': async () => await exported('json'),
    'an export as CSV': async () => await exported('csv'),
    'four exports at once': async () => await Promise.all([1, 2, 3, 4].map(async () => await exported('json'))),
    'the export of an account': async () => await expect(200, ask('/account/export')),
    'statistics, four at once, three times': async () => {
      for (let n = 0; n < 3; n += 1) {
        await Promise.all([1, 2, 3, 4].map(async () => await ask(`/watchlists/${big.id}/statistics?timeZone=UTC`)))
      }
    },
    [`an import of a zip with ${ZIPPED.toLocaleString('en')} files`]: async () => {
      await ask(`/watchlists/${big.id}/imports`, { method: 'POST', body: importBody('all.zip', zipOfMany()) })
    },
    [`the review of an import of ${ROWS.toLocaleString('en')} rows`]: async () => {
      const body = importBody('films.csv', Buffer.from(tableOf(ROWS)))
      const { tail } = await expect(201, ask(`/watchlists/${big.id}/imports`, { method: 'POST', body }))
      big.importId = JSON.parse(tail).id
    },
    'adding these rows': async () => {
      const path = `/watchlists/${big.id}/imports/${big.importId}`
      await expect(200, ask(`${path}/apply`, { method: 'POST' }))
      for (;;) {
        const { tail, bytes } = await ask(`${path}?limit=1`)
        if (bytes > 0 && tail.includes('"state":"applied"')) return
        await pause(100)
      }
    },
    [`restoring ${ROWS.toLocaleString('en')} cards`]: async () => {
      await expect(201, ask('/watchlists/restore', { method: 'POST', body: restorable(ROWS), token: all[1] }))
    },
    [`reading a media server with ${MOVIES.toLocaleString('en')} movies`]: async () => {
      const body = JSON.stringify({ kind: 'jellyfin', url: mediaServer.url, token: mediaServer.state.key })
      const { tail } = await expect(201, ask(servers, { method: 'POST', body }))
      big.serverId = JSON.parse(tail).serverId
      while (!(await ask(servers)).tail.includes('"state":"ready"')) await pause(100)
    },
    'the library filtered by a media server, three times': async () => {
      for (let n = 0; n < 3; n += 1) await expect(200, ask(`/watchlists/${big.id}/library?watchable=yes`))
    },
    'disconnecting a media server, and ten seconds after': async () => {
      await expect(204, ask(`${servers}/${big.serverId}`, { method: 'DELETE' }))
      await pause(10_000)
    },
    'deleting a watchlist of 100,000 cards, and ten seconds after': async () => {
      await expect(204, ask(`/watchlists/${big.id}`, { method: 'DELETE' }))
      await pause(10_000)
    },
  }
}

async function expect(status, asked) {
  const reply = await asked
  if (reply.status !== status) throw new Error(`${reply.status}, not ${status}: ${reply.tail}`)
  return reply
}

function importBody(fileName, bytes) {
  return JSON.stringify({ fileName, fileData: Buffer.from(bytes).toString('base64') })
}

function zipOfMany() {
  const files = Object.fromEntries(Array.from({ length: ZIPPED }, (_, n) => [`f${n}.txt`, new Uint8Array()]))
  return zipSync({ ...files, 'watchlist.csv': Buffer.from(tableOf(10)) }, { level: 0 })
}

function tableOf(rows) {
  const lines = Array.from({ length: rows }, (_, n) => `Film number ${n},${1930 + (n % 90)},tt${String(n + 1e6)}`)
  return ['Title,Year,imdbID', ...lines].join('\n')
}

function restorable(cards) {
  const at = '2025-01-01T12:00:00.000Z'
  const comments = Array.from({ length: 3 }, (_, n) => ({
    content: `Comment ${n} about a film that all of us liked`,
    authorId: 'ana',
    createdAt: at,
    updatedAt: at,
  }))
  return JSON.stringify({
    format: 'marquee-watchlist',
    version: 1,
    watchlist: { name: 'Restored', description: null, isPrivate: false, ownerId: 'ana', createdAt: at, members: [] },
    cards: Array.from({ length: cards }, (_, n) => ({
      title: `Film ${n}`,
      description: 'A film about the sea and two brothers who never sleep until winter ends over old roofs',
      imageUrl: `https://posters.example.org/${n}.jpg`,
      status: 'WATCHED',
      creatorId: 'ana',
      createdAt: at,
      updatedAt: at,
      statusChanges: ['SUGGESTED', 'REVEALED', 'WATCHED'].map((status) => ({
        status,
        changedBy: 'ana',
        changedAt: at,
      })),
      comments,
    })),
  })
}
