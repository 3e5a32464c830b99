import { sql } from 'kysely'

import type { Database } from '@marquee/platform/database/database'

const COUNTED = {
  watchlists: 'watchlist',
  cards: 'card',
  comments: 'comment',
  invitations: 'invitation',
  'mails waiting': 'mail_outbox',
} as const

/** The numbers of rows that interest an operator, by what they are. Cards of a deleted watchlist count until they are gone. */
export async function countRows(database: Database<unknown>): Promise<Record<string, number>> {
  const db = database.withTables<Record<string, object>>().read
  const counts: Record<string, number> = {}
  for (const [what, table] of Object.entries(COUNTED)) {
    const all = db.selectFrom(table).select(({ fn }) => fn.countAll().as('rows'))
    const there = table === 'watchlist' ? all.where(sql<boolean>`removal_due_at is null`) : all
    const row = await there.executeTakeFirstOrThrow()
    counts[what] = Number(row.rows)
  }
  return counts
}
