// `npm run rolling-upgrade`: replaces the processes of an earlier version one by one under load (CONTRIBUTING.md).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { freePort } from '@marquee/platform/testing/free-port'
import { startOwnPostgres } from '@marquee/platform/testing/own-postgres'
import { startRoundRobin } from '@marquee/platform/testing/round-robin'

import { clientOf } from '../api-client.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { signUp } from '../sign-up.ts'
import { unpackVersion } from './earlier-version.ts'
import { fillCards } from './fill-cards.ts'
import { startLoad } from './load.ts'

const USAGE = 'Usage: npm run rolling-upgrade [-- --from COMMIT] [--cards N] [--rate N]'
const WATCHLISTS = 20
/** Of load before, between and after the replacements. */
const QUIET_MS = 3_000
const STARTS_WITHIN_MS = 10 * 60_000
const LONGEST_GAP_MS = 1_000

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'main' },
    cards: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '150' },
  },
})
const [cards, perSecond] = [Number(values.cards), Number(values.rate)]
if (!Number.isSafeInteger(cards) || !Number.isSafeInteger(perSecond)) {
  console.error(USAGE)
  process.exit(2)
}

const closers: (() => Promise<unknown>)[] = []
try {
  process.exitCode = await upgrade()
} finally {
  for (const close of closers.toReversed()) await close()
}

async function upgrade(): Promise<number> {
  const earlier = await unpackVersion(values.from)
  closers.push(earlier.remove)
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-rolling-'))
  closers.push(async () => {
    await rm(dataDir, { recursive: true, force: true })
  })
  const postgres = await startOwnPostgres()
  closers.push(postgres.remove)
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const processes: ServerProcess[] = []
  closers.push(async () => await Promise.all(processes.map(async (one) => await one.end('SIGTERM'))))
  const start = async (place: number, program?: string): Promise<void> => {
    const began = performance.now()
    const settings = {
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      TRUSTED_PROXY: 'loopback',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
      PORT: String(ports[place]),
    }
    processes[place] = await startServer(settings, print, { withinMs: STARTS_WITHIN_MS, ...(program && { program }) })
    console.log(`Process ${place} is ready after ${Math.round(performance.now() - began)} ms.`)
  }
  await start(0, earlier.program)
  await start(1, earlier.program)
  const front = await startRoundRobin(port, ports)
  closers.push(front.stop)

  const token = await signUp({ url, dataDir, name: 'ana' })
  const watchlistIds: string[] = []
  for (let n = 0; n < WATCHLISTS; n += 1) {
    const { body } = await clientOf({ url }, token)<{ id: string }>('POST', '/watchlists', { name: `Films ${n}` })
    watchlistIds.push(body.id)
  }
  const placed = await fillCards(postgres.url, { watchlistIds, cards })
  const [first] = placed
  const viewing = `/watchlists/${first?.watchlistId}/cards/${first?.cardId}/viewing`
  const { status } = await clientOf({ url }, token)('PUT', viewing, { stars: 4 })
  const hasRatings = status !== 404
  console.log(`${cards} cards of ${values.from}, ${perSecond} requests a second`)

  const load = startLoad({ url, token, cards: placed, hasRatings, perSecond })
  for (const place of [0, 1]) {
    await pause(QUIET_MS)
    await processes[place]?.end('SIGTERM')
    await start(place)
  }
  await pause(QUIET_MS)
  const { failures, ...report } = await load.stop()
  console.log(JSON.stringify(report))
  for (const failure of failures.slice(0, 20)) console.error(failure)
  const isRight = failures.length === 0 && report.longestGapMs <= LONGEST_GAP_MS
  console.log(
    `${failures.length} failed requests, longest time without a write ${report.longestGapMs} ms: ${isRight ? 'right' : 'WRONG'}`,
  )
  return isRight ? 0 : 1
}

/** Shows what a migration does, and nothing else. */
function print(text: string): void {
  for (const line of text.split('\n')) if (/up to date|index|rows/u.test(line)) console.log(line)
}
