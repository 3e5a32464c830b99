import type { Database } from '@marquee/platform/database/database'
import { migrateAll, type Migration, type Migrations } from '@marquee/platform/database/migrate'

/** Ends an upgrade as a lost connection or a full disk does. */
class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/**
 * Brings a database up to date, and interrupts that once at each point: after the tables of each migration, after each
 * batch of rows and before each index. Returns the points.
 */
export async function migrateInterrupted(
  database: Database<unknown>,
  sets: Readonly<Record<string, Migrations>>,
): Promise<string[]> {
  const points = new Set<string>()
  const reach = (point: string): void => {
    if (points.has(point)) return
    points.add(point)
    throw new Interrupted(point)
  }
  const broken = Object.fromEntries(
    Object.entries(sets).map(([set, migrations]) => [
      set,
      Object.fromEntries(
        Object.entries(migrations).map(([name, one]) => [name, interruptedAt(one, `${set} ${name}`, reach)]),
      ),
    ]),
  )
  for (;;) {
    const before = points.size
    try {
      await migrateAll(database, broken, { print: reach })
      return [...points]
    } catch (error) {
      // It failed at no new point, so by itself.
      if (points.size === before) throw error
    }
  }
}

function interruptedAt(migration: Migration, name: string, reach: (point: string) => void): Migration {
  const { up, backfill } = migration
  return {
    ...migration,
    up: async (db) => {
      await up(db)
      reach(`${name} tables`)
    },
    ...(backfill && {
      backfill: async (db, place) => {
        const filled = await backfill(db, place)
        reach(`${name} rows from ${place ?? 'the first'}`)
        return filled
      },
    }),
  }
}
