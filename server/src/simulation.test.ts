import { expect, test } from 'vitest'

import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import type { Place } from './testing/simulation/place.ts'
import { postgresPlace } from './testing/simulation/postgres-place.ts'
import { runSeed } from './testing/simulation/simulate.ts'
import { sqlitePlace } from './testing/simulation/sqlite-place.ts'

type Case = [database: string, seeds: number, open: () => Promise<Place>]

/** `npm run simulate` runs more. */
const CASES: Case[] = [
  ['SQLite', 8, sqlitePlace],
  ['PostgreSQL', 4, async () => await postgresPlace(await freshPostgresUrl())],
]

test.each(CASES)(
  'a simulation on %s finds no reply that disagrees with the stored rows, whatever fails or is killed',
  async (_database, seeds, open) => {
    const place = await open()
    const findings = new Map<number, string[]>()
    for (let seed = 1; seed <= seeds; seed += 1) {
      const found = await runSeed(place, seed)
      if (found.length > 0) findings.set(seed, found)
    }
    await place.remove()

    expect(findings).toEqual(new Map())
  },
)
