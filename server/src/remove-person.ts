import type { AnyDb } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'

import { recordBy, settle } from './modules/facts/facts.ts'
import { wantKeeping } from './modules/cards/service.ts'
import { forgetImports } from './modules/imports/service.ts'
import { forgetInvitee } from './modules/invitations/service.ts'
import { forgetReservation, joinKeeping } from './modules/join-links/service.ts'
import { forgetTokens } from './modules/personal-tokens/service.ts'
import { forgetGuest, nightKeeping } from './modules/nights/service.ts'
import { forgetNotifications } from './modules/notifications/service.ts'
import { forgetPerson } from './modules/profiles/service.ts'
import { forgetPushDevices } from './modules/push/service.ts'
import { forgetViewings } from './modules/viewings/service.ts'
import { webhookKeeping } from './modules/webhooks/service.ts'
import { leaveEverything } from './modules/watchlists/leave-everything.ts'

/** Removes a user from the product, in the transaction that deletes the account. `userId` is the subject. */
export function removePersonAt(clock: Clock, random: Random): (trx: AnyDb, userId: string) => Promise<void> {
  return async (trx, userId) => {
    const leaving = {
      invitations: joinKeeping,
      wants: wantKeeping,
      nights: nightKeeping,
      webhooks: webhookKeeping,
      random,
      facts: { record: recordBy(random), publish: () => undefined, settle },
    }
    await leaveEverything(trx, leaving, { userId, at: clock.now().toISOString() })
    await forgetReservation(trx, userId)
    await forgetImports(trx, userId)
    await forgetGuest(trx, userId, random)
    await forgetViewings(trx, userId)
    await forgetInvitee(trx, userId)
    await forgetTokens(trx, userId)
    await forgetNotifications(trx, userId)
    await forgetPushDevices(trx, userId)
    await forgetPerson(trx, userId)
  }
}
