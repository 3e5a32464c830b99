import type { AnyDb } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'

import { forgetInvitee, invitationKeeping } from './modules/invitations/service.ts'
import { forgetPerson } from './modules/profiles/service.ts'
import { leaveEverything } from './modules/watchlists/leave-everything.ts'

/** What the product does when an account is deleted, in the transaction that deletes it. `userId` is its subject. */
export function removePersonAt(clock: Clock): (trx: AnyDb, userId: string) => Promise<void> {
  return async (trx, userId) => {
    await leaveEverything(trx, invitationKeeping, { userId, at: clock.now().toISOString() })
    await forgetInvitee(trx, userId)
    await forgetPerson(trx, userId)
  }
}
