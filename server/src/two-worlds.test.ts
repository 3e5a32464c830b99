import { expect, test, vi } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { emptyPostgres, emptySqlite } from './testing/worlds/databases.ts'
import { newTally, PAIRS, startTwoWorlds } from './testing/worlds/run.ts'

vi.setConfig({ testTimeout: 300_000 })

/** `npm run worlds` runs more. */
const SEEDS = { sqlite: 240, postgres: 12 }

/** Calls that succeed for no one here. */
const NEVER: Partial<Record<EndpointName, string>> = {}

async function findingsOf(open: Parameters<typeof startTwoWorlds>[0], seeds: number) {
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

test('on SQLite no call of any role tells in which of two worlds it is made, and every call is tried', async () => {
  const place = await emptySqlite()

  const { findings, tally } = await findingsOf(place.open, SEEDS.sqlite)
  await place.remove()

  expect(findings).toEqual([])
  const missed = PAIRS.filter(({ role, name }) => !tally.statuses.has(`${role} ${name}`))
  expect(missed).toEqual([])
  const succeeded = new Set(
    [...tally.statuses].filter(([, statuses]) => [200, 201, 204].some((status) => statuses.has(status))).map(([key]) => key.split(' ').at(-1)),
  )
  const failed = Object.keys(ENDPOINTS).filter((name) => !succeeded.has(name))
  expect(failed).toEqual(Object.keys(NEVER))
  // Most runs are not cut short by what callers may learn.
  expect(tally.ended / tally.runs).toBeLessThan(0.5)
})

test('on PostgreSQL no call of any role tells in which of two worlds it is made', async () => {
  const urls = [await freshPostgresUrl(), await freshPostgresUrl()]

  const { findings } = await findingsOf(emptyPostgres(urls), SEEDS.postgres)

  expect(findings).toEqual([])
})
