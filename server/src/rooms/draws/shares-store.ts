import { totalWeight, type Turn } from '@marquee/contract/rules/draw'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { rowsOfJson } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'
import type { Sent } from '@marquee/platform/database/sent'

import type { DrawKey } from './store.ts'

export type ShareTables = {
  /** What a person could expect of a revealed draw, and what they got: how many of its cards were drawn for them. */
  draw_share: {
    watchlist_id: string
    revealed_at: string
    draw_number: number
    username: string
    /** A decimal number. */
    expected: string
    actual: number
  }
}

const tables = withTables<ShareTables>

const COLUMNS = [
  'watchlist_id',
  'revealed_at',
  'draw_number',
  'username',
  'expected',
  'actual',
] as const satisfies (keyof ShareTables['draw_share'])[]

const insertShares = prepared<{ json: string }, unknown>((db, value) =>
  tables(db)
    .insertInto('draw_share')
    .columns(COLUMNS)
    .expression(
      rowsOfJson<ShareTables['draw_share']>(db, { table: 'draw_share', columns: COLUMNS, json: value('json') }),
    ),
)

/**
 * Saves the shares of the people of a draw, among the last statements of a transaction. With the rule `cards` the table names
 * none.
 */
export function saveShares(
  db: AnyDb,
  { watchlistId, drawNumber }: DrawKey,
  turns: readonly Turn[],
  at: string,
): Sent<unknown>[] {
  // The first turn has all people of the draw.
  const rows = (turns[0]?.people ?? []).flatMap(({ username }) => {
    if (typeof username !== 'string') return []
    const expected = turns.reduce((sum, { people }) => {
      const weight = people.find((person) => person.username === username)?.weight ?? 0
      return sum + weight / totalWeight(people)
    }, 0)
    const actual = turns.filter(({ person }) => person.username === username).length
    const key = { watchlist_id: watchlistId, revealed_at: at, draw_number: drawNumber }
    return [{ ...key, username, expected: String(expected), actual }]
  })
  return rows.length === 0 ? [] : [insertShares.send(db, { json: JSON.stringify(rows) })]
}

/** The shares of each person in the draws that were revealed from one time until just before another. */
export async function sumShares(
  db: AnyDb,
  watchlistId: string,
  { start, end }: { start: string; end: string },
): Promise<{ username: string; expected: number; actual: number }[]> {
  return await tables(db)
    .selectFrom('draw_share')
    .select((eb) => [
      'username',
      eb.fn.sum<number>(eb.cast('expected', 'double precision')).as('expected'),
      eb.fn.sum<number>('actual').as('actual'),
    ])
    .where('watchlist_id', '=', watchlistId)
    .where('revealed_at', '>=', start)
    .where('revealed_at', '<', end)
    .groupBy('username')
    .orderBy('username')
    .execute()
}
