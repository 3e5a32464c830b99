// Measures the server with a large database, on SQLite and PostgreSQL: reads and writes compared with a minimal server on
// the same data (the floor), large feeds compared with small ones, event streams, start and memory. `--quick` uses less
// data; `--sqlite` and `--postgres` measure one database.
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

import { signInPeople } from './setup/people.mjs'
import { onPreparedData } from './setup/prepare.mjs'
import { startProgram } from './setup/program.mjs'
import { SIZES } from './setup/sizes.mjs'
import { startFloor } from './floor/start.mjs'
import { loadMaker } from './load/maker.mjs'
import { measureNights } from './measure/nights.mjs'
import { measureReads } from './measure/reads.mjs'
import { atMost, mb, ms, report } from './measure/report.mjs'
import { measureRoundTrips } from './measure/round-trips.mjs'
import { inTurns, median, medianRatio } from './measure/rounds.mjs'
import { measureLibrary, measureSizesApart } from './measure/sizes-apart.mjs'
import { measureStreams } from './measure/streams.mjs'
import { measureWrites } from './measure/writes.mjs'

const isQuick = process.argv.includes('--quick')
const sizes = isQuick ? SIZES.quick : SIZES.whole
const effort = isQuick
  ? { rounds: 3, seconds: 1, samples: 100, streams: 500, starts: 3 }
  : { rounds: 7, seconds: 3, samples: 400, streams: 5000, starts: 7 }
const SETTLE_MS = 3000

const load = loadMaker()
try {
  await onPreparedData(sizes, measure)
} finally {
  await load.stop()
}

async function measure(database, settings, people) {
  const isSqlite = database === 'SQLite'
  const floorOn = isSqlite ? ['sqlite', `${settings.DATA_DIR}/marquee.db`] : ['postgres', settings.DATABASE_URL]
  if (isSqlite) await measureStart(settings)
  await withProgram(settings, floorOn, people, async (context) => {
    if (!isSqlite) await measureRoundTrips(settings, context)
    await measureReads(database, context)
    await measureSizesApart(database, context)
    await measureLibrary(database, context)
    await measureNights(database, context)
    await measureWrites(database, context, isSqlite ? { 16: 2 } : { 1: 0.6, 16: 0.8 })
    if (!isSqlite) return
    await pause(SETTLE_MS)
    const loaded = await context.program.memory()
    report('memory after the load', mb(loaded), atMost(loaded / 1e6, 150, ' MB'))
    await measureStreams(context)
  })
}

/** The time from start to ready with the large database, and the memory of the process then. */
async function measureStart(settings) {
  const sizesAtRest = []
  const byNpm = async () => {
    const program = await startProgram(settings, ['npm', 'start'])
    await program.stop()
    return program.startMs
  }
  const own = async () => {
    const program = await startProgram(settings)
    await pause(SETTLE_MS)
    sizesAtRest.push(await program.memory())
    await program.stop()
    return program.startMs
  }
  const times = await inTurns(effort.starts, { own, byNpm })
  const start = median(times.own)
  report('start to ready', ms(start), atMost(start, 184, ' ms'))
  const share = medianRatio(times.byNpm, times.own)
  report('second `npm start` to ready', `${ms(median(times.byNpm))}, ${share.toFixed(2)} times`, atMost(share, 1.5))
  report('memory at rest', mb(median(sizesAtRest)), atMost(median(sizesAtRest) / 1e6, 60, ' MB'))
}

/** Runs `act` with the server, a floor on the same data, and all users signed in. */
async function withProgram(settings, floorOn, people, act) {
  const program = await startProgram(settings)
  try {
    const floor = await startFloor(...floorOn)
    try {
      const tokens = await signInPeople(program.url, people)
      await act({ program, floor, load, sizes, people, tokens, ...effort })
    } finally {
      await floor.stop()
    }
  } finally {
    await program.stop()
  }
}
