// Opens 2,940 event streams on a new server with SQLite, and measures what each takes, and the memory of the process while
// its members comment all the time.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import { seedWith } from '../e2e/support/seed.ts'
import { atMost, mb, report } from './measure/report.mjs'
import { openStreams } from './measure/streams.mjs'
import { signInPeople, signUpPeople } from './setup/people.mjs'
import { startProgram } from './setup/program.mjs'

const STREAMS = 2940
const PER_PERSON = 30
const SETTLE_MS = 3000
const LOAD_MS = 20_000
const AT_ONCE = 8
const MOST = { each: 8_000, all: 250e6 }

const dataDir = await mkdtemp(join(tmpdir(), 'marquee-streams-'))
const program = await startProgram({ DATA_DIR: dataDir })
try {
  const tokens = [
    ...(await signInPeople(program.url, await signUpPeople(program.url, dataDir, STREAMS / PER_PERSON))).values(),
  ]
  const owner = seedWith(program.url, tokens[0])
  const { id } = await owner.watchlist('Friday film club')
  const card = await owner.card(id, { title: 'Alien', status: 'REVEALED' })
  await pause(SETTLE_MS)
  const before = await program.memory()
  const streams = await openStreams(program, {
    path: `/api/watchlists/${id}/events`,
    tokens,
    count: STREAMS,
    kind: 'card-revealed',
  })
  await pause(SETTLE_MS)
  const each = ((await program.memory()) - before) / STREAMS
  report(
    `memory per open event stream, of ${STREAMS}`,
    `${(each / 1000).toFixed(1)} kB`,
    atMost(each, MOST.each, ' bytes'),
  )
  let most = 0
  let comments = 0
  const end = performance.now() + LOAD_MS
  const talk = async () => {
    while (performance.now() < end) {
      await owner.comment(id, card.id, `Tonight, or on day ${(comments += 1)}?`)
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
} finally {
  await program.stop()
  await rm(dataDir, { recursive: true, force: true })
}
