import type { DataExport } from '@marquee/contract/entities/account'
import type { Database } from '@marquee/platform/database/database'

import { listAll } from './store.ts'

export { deleteNotifications as forgetNotifications, markInvitationRead } from './store.ts'

/** The notifications of a user, for the export of their data. */
export async function exportNotifications(
  { database }: { database: Database<unknown> },
  { userId }: { userId: string },
): Promise<DataExport['notifications']> {
  const rows = await listAll(database.read, userId)
  return rows.map((row) => ({
    kind: row.kind,
    watchlistId: row.watchlist_id,
    by: row.actor,
    createdAt: row.created_at,
    isRead: row.is_read === 1,
  }))
}
