import type { AnyDb } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'

import { LEAVING } from './leaving.ts'
import { recordBy, settle } from './rooms/news/facts/service.ts'
import { forgetImports } from './rooms/movies/imports/service.ts'
import { forgetInvitee } from './rooms/club/invitations/service.ts'
import { forgetReservation } from './rooms/club/join-links/service.ts'
import { forgetTokens } from './rooms/club/personal-tokens/service.ts'
import { forgetNotifications } from './rooms/news/notifications/service.ts'
import { forgetPerson } from './rooms/club/people/service.ts'
import { forgetPushDevices } from './rooms/news/push/service.ts'
import { forgetViewings } from './rooms/movies/viewings/service.ts'
import { leaveEverything } from './rooms/club/watchlists/leave-everything.ts'
import type { ChangePorts } from './rooms/club/watchlists/service.ts'

/**
 * Removes a user from the product, in the transaction that deletes the account. `userId` is the subject. Resolves to what sends
 * the live events, after the commit. A command has no one to send them to.
 */
export function removePersonAt(
  clock: Clock,
  random: Random,
  publish: ChangePorts['facts']['publish'] = () => undefined,
): (trx: AnyDb, userId: string) => Promise<() => void> {
  return async (trx, userId) => {
    const ports = { ...LEAVING, random, facts: { record: recordBy(random), publish, settle } }
    const made = await leaveEverything(trx, ports, { userId, at: clock.now().toISOString() })
    await forgetReservation(trx, userId)
    await forgetImports(trx, userId)
    await forgetViewings(trx, userId)
    await forgetInvitee(trx, userId)
    await forgetTokens(trx, userId)
    await forgetNotifications(trx, userId)
    await forgetPushDevices(trx, userId)
    await forgetPerson(trx, userId)
    return () => publish(made)
  }
}
