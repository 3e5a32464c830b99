import { recordEvent } from '../audit/record-event.ts'
import { mfaColumns, mfaPreferenceOf } from '../mfa/methods.ts'
import type { Db, UserRow } from '../tables.ts'
import { setPhone } from './attribute-store.ts'
import { removeCode, removeCodesSentTo } from './code-store.ts'
import { setMfa } from './user-store.ts'
import type { EventPorts } from '../base/ports.ts'

/** Forgets the user's number and with it the second factor that needs one. The caller wakes the mail queue. */
export async function removePhone(pool: EventPorts, trx: Db, user: UserRow): Promise<void> {
  if (user.phone_number !== null) await recordEvent(pool, trx, user, 'phone-removed')
  await setPhone(trx, user.sub, null, pool.clock.now().toISOString())
  await removeCode(trx, { sub: user.sub, purpose: 'phone' })
  await removeCodesSentTo(trx, 'phone', user.sub)
  const { methods, preferred } = mfaPreferenceOf(user)
  if (methods.includes('SMS_MFA')) await recordEvent(pool, trx, user, 'second-factor-off')
  const kept = methods.filter((method) => method !== 'SMS_MFA')
  await setMfa(trx, user.sub, mfaColumns({ methods: kept, preferred }))
}
