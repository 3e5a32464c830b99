// Opens 2,940 event streams on a new server with SQLite. Measures the memory that each needs, and, in a second server as it is
// deployed, the memory of the process after they have opened and while members comment all the time.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import { seedWith } from '../e2e/support/seed.ts'
import { startInspected } from './measure/held-memory.mjs'
import { atMost, mb, report } from './measure/report.mjs'
import { openStreams } from './measure/streams.mjs'
import { signInPeople, signUpPeople } from './setup/people.mjs'
import { startProgram } from './setup/program.mjs'

const STREAMS = 2940
const PER_PERSON = 30
/** They leave behind what the first streams of a process make once: compiled code and caches. */
const FIRST_STREAMS = 100
const SETTLE_MS = 3000
const LOAD_MS = 20_000
const AT_ONCE = 8
const MOST = { each: 8_000, all: 250e6 }

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

await onNewServer(startInspected, async ({ program, open }) => {
  const first = await open(FIRST_STREAMS)
  await first.close()
  await pause(SETTLE_MS)
  const before = await program.held()
  const streams = await open(STREAMS)
  await pause(SETTLE_MS)
  const each = ((await program.held()) - before) / STREAMS
  report(`memory that an open event stream needs, of ${STREAMS}`, kB(each), atMost(each, MOST.each, ' bytes'))
  await streams.close()
})

await onNewServer(startProgram, async ({ program, open, owner, watchlistId }) => {
  const card = await owner.card(watchlistId, { title: 'Alien', status: 'REVEALED' })
  await pause(SETTLE_MS)
  const before = await program.memory()
  const streams = await open(STREAMS)
  await pause(SETTLE_MS)
  const grown = (await program.memory()) - before
  report(`growth of the process by ${STREAMS} streams, with garbage, of each`, kB(grown / STREAMS))
  let most = 0
  let comments = 0
  const end = performance.now() + LOAD_MS
  const talk = async () => {
    while (performance.now() < end) {
      await owner.comment(watchlistId, card.id, `Tonight, or on day ${(comments += 1)}?`)
      most = Math.max(most, await program.memory())
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, talk))
  report(
    `most memory during ${comments} comments in ${LOAD_MS / 1000} s, each sent to all`,
    mb(most),
    atMost(most, MOST.all, ' bytes'),
  )
  await streams.close()
})

async function onNewServer(start, measure) {
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-streams-'))
  const program = await start({ DATA_DIR: dataDir })
  try {
    const people = await signUpPeople(program.url, dataDir, STREAMS / PER_PERSON)
    const tokens = [...(await signInPeople(program.url, people)).values()]
    const owner = seedWith(program.url, tokens[0])
    const { id: watchlistId } = await owner.watchlist('Friday film club')
    const path = `/api/watchlists/${watchlistId}/events`
    const open = async (count) => await openStreams(program, { path, tokens, count, kind: 'card-revealed' })
    await measure({ program, open, owner, watchlistId })
  } finally {
    await program.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
