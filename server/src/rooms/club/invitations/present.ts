import type { PendingInvitation } from '@marquee/contract/entities/invitation'

import type { InvitationRow } from './store.ts'

/** A pending invitation in replies: without its token, which only the inviter got. */
export function presentInvitation(row: InvitationRow): PendingInvitation {
  return {
    watchlistId: row.watchlist_id,
    username: row.username,
    invitedBy: row.invited_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
