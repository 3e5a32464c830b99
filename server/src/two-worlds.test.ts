import { beforeAll, describe, expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { emptyPostgres, emptySqlite } from './testing/worlds/databases.ts'
import { newTally, PAIRS, startTwoWorlds } from './testing/worlds/run.ts'

/** `npm run worlds` runs more. */
const SEEDS = { sqlite: 240, postgres: 12 }
const TAKES_AT_MOST_MS = 300_000

/** Calls that succeed for no one here, and why. */
const NEVER = {} satisfies Partial<Record<EndpointName, string>>

/** Runs the first seeds. Findings are texts with the seed and the fewest calls that part the worlds. */
async function compareWorlds(open: Parameters<typeof startTwoWorlds>[0], seeds: number) {
  const worlds = await startTwoWorlds(open)
  const tally = newTally()
  const findings: string[] = []
  for (let seed = 1; seed <= seeds; seed += 1) {
    const finding = await worlds.run(seed, tally)
    if (finding !== undefined) findings.push(finding)
  }
  await worlds.stop()
  return { findings, tally }
}

describe('two worlds on SQLite that differ in one secret', () => {
  let compared: Awaited<ReturnType<typeof compareWorlds>>

  beforeAll(async () => {
    const place = await emptySqlite()
    compared = await compareWorlds(place.open, SEEDS.sqlite)
    await place.remove()
  }, TAKES_AT_MOST_MS)

  test('answer every call of those who do not know it alike', () => {
    expect(compared.findings).toEqual([])
  })

  test('are asked every call of the contract by every role', () => {
    const { statuses } = compared.tally

    expect(PAIRS.filter(({ role, name }) => !statuses.has(`${role} ${name}`))).toEqual([])
  })

  test('let each call succeed at least once', () => {
    const succeeded = new Set(
      PAIRS.filter(({ role, name }) => compared.tally.statuses.get(`${role} ${name}`)?.has(ENDPOINTS[name].status)).map(
        ({ name }) => name,
      ),
    )
    const failed = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => !succeeded.has(name))

    expect(failed).toEqual(Object.keys(NEVER))
  })

  test('are mostly compared to the last step', () => {
    const { runs, ended } = compared.tally

    expect(ended / runs).toBeLessThan(0.5)
  })
})

test(
  'two worlds on PostgreSQL that differ in one secret answer every call of those who do not know it alike',
  async () => {
    const open = emptyPostgres([await freshPostgresUrl(), await freshPostgresUrl()])

    const { findings } = await compareWorlds(open, SEEDS.postgres)

    expect(findings).toEqual([])
  },
  TAKES_AT_MOST_MS,
)
