import type { CardStatus } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import type { Database } from '@marquee/platform/database/database'

import type { CardTables } from '../rooms/movies/cards/card/store.ts'

/** The box of a watchlist, which no reply shows: its cards by slot. And the status of all cards. */
export async function lookIntoBox(
  database: Database<unknown>,
  { id }: Pick<Watchlist, 'id'>,
): Promise<{ slots: (readonly [slot: number | null, cardId: string])[]; statuses: Map<string, CardStatus> }> {
  const rows = await database
    .withTables<CardTables>()
    .read.selectFrom('card')
    .select(['id', 'status', 'selection_index'])
    .where('watchlist_id', '=', id)
    .orderBy('selection_index')
    .execute()
  return {
    slots: rows.flatMap((row) => (row.status === 'SUGGESTED' ? [[row.selection_index, row.id] as const] : [])),
    statuses: new Map(rows.map((row) => [row.id, row.status])),
  }
}
