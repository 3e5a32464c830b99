// `npm run worlds`: two worlds with one secret each, over many seeds (CONTRIBUTING.md).
import { parseArgs } from 'node:util'

import { startOwnPostgres } from '@marquee/platform/testing/own-postgres'

import { emptyPostgres, emptySqlite } from './databases.ts'
import { newTally, startTwoWorlds } from './run.ts'

const USAGE = 'Usage: npm run worlds [-- --seeds N | --seed N] [--first N] [--database sqlite|postgres]'
const REPORT_EVERY = 50
const MOST_FINDINGS = 20

function readArguments() {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '300' },
      seed: { type: 'string' },
      first: { type: 'string', default: '1' },
      database: { type: 'string', default: 'sqlite' },
    },
  })
  const { database } = values
  const first = Number(values.seed ?? values.first)
  const count = values.seed === undefined ? Number(values.seeds) : 1
  const isRight = [first, count].every(Number.isSafeInteger) && ['sqlite', 'postgres'].includes(database)
  return isRight ? { first, count, database } : undefined
}

async function openPlace(database: string) {
  if (database === 'sqlite') return await emptySqlite()
  const servers = [await startOwnPostgres(), await startOwnPostgres()]
  return {
    open: emptyPostgres(servers.map(({ url }) => url)),
    remove: async () => {
      for (const { remove } of servers) await remove()
    },
  }
}

async function run({ first, count, database }: NonNullable<ReturnType<typeof readArguments>>): Promise<number> {
  const place = await openPlace(database)
  const worlds = await startTwoWorlds(place.open)
  const tally = newTally()
  let failed = 0
  const startedAt = performance.now()
  const report = (): void => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(
      `${tally.runs} seeds, ${tally.steps} calls, ${tally.ended} times begun again, ${failed} failed, ${seconds} s`,
    )
  }
  try {
    for (let seed = first; seed < first + count && failed < MOST_FINDINGS; seed += 1) {
      const finding = await worlds.run(seed, tally)
      if (finding !== undefined) {
        failed += 1
        console.log(`${finding}\n  npm run worlds -- --seed ${seed} --database ${database}`)
      }
      if (tally.runs % REPORT_EVERY === 0) report()
    }
  } finally {
    await worlds.stop()
    await place.remove()
  }
  report()
  return failed === 0 ? 0 : 1
}

const given = readArguments()
if (given) {
  process.exitCode = await run(given)
} else {
  console.error(USAGE)
  process.exitCode = 2
}
