import type { Database } from '@marquee/platform/database/database'
import type { MailOrigin } from '@marquee/platform/mail/message'
import type { Clock } from '@marquee/platform/runtime/clock'

import { findPendingInvitation } from '../invitations/service.ts'
import { findWatchlistNames } from '../watchlists/service.ts'
import { isOpen } from './link.ts'
import { findLink } from './store.ts'

/**
 * Whether the invitation of a mail is over: accepted, declined, withdrawn, expired, or gone with its watchlist or a member. A
 * mail to a user whom an invitation by mail address has reached is also over when that user has declined it.
 */
export function endedInvitations({ database, clock }: { database: Database<unknown>; clock: Clock }) {
  const { read } = database
  return async ({ kind, watchlistId = '', userId, linkId }: MailOrigin): Promise<boolean> => {
    if (kind !== 'invitation') return false
    if (!(await findWatchlistNames(read, [watchlistId])).has(watchlistId)) return true
    const now = clock.now().toISOString()
    const link = linkId === undefined ? undefined : await findLink(read, { watchlistId, linkId })
    if (linkId !== undefined && !(link && isOpen(link, now))) return true
    const invitee = link ? link.invitee_id : userId
    if (invitee === null || invitee === undefined) return false
    const pending = await findPendingInvitation(read, invitee, watchlistId, now)
    return pending?.link_id !== (linkId ?? null)
  }
}
