import type { DataExport } from '@marquee/contract/entities/account'
import type { AnyDb, Database } from '@marquee/platform/database/database'

import { deleteMails } from './mail-store.ts'
import { deleteSettings } from './settings-store.ts'
import { deleteNotifications, listAll } from './store.ts'

export { getSettings, listMailTimes, noteRefusedEmail } from './settings.ts'
export { deleteNotifications, markInvitationRead } from './store.ts'

/** Deletes the notifications and their settings of a user. */
export async function forgetNotifications(trx: AnyDb, userId: string): Promise<void> {
  await deleteMails(trx, userId)
  await deleteNotifications(trx, userId)
  await deleteSettings(trx, userId)
}

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
