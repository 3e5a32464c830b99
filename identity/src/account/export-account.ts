import { recordEvent } from '../audit/record-event.ts'
import { listEvents } from '../audit/security-event-store.ts'
import { listDevices } from '../devices/device-store.ts'
import { findLink } from '../external/link-store.ts'
import { mfaPreferenceOf } from '../mfa/methods.ts'
import { findUserBySub } from '../users/user-store.ts'
import { type OwnPasskey, ownPasskeys } from './own-passkeys.ts'
import { type OwnSession, ownSessions } from './own-sessions.ts'
import { type SecurityEvent, securityEvent } from './security-events.ts'
import type { EventPorts, Pool } from '../base/ports.ts'

/** More than anybody has in a year. */
const MOST_EVENTS = 20_000
const MOST_DEVICES = 1_000

/** What the pool keeps of a user. Secrets, and what they could be guessed from, are left out. Times are ISO texts. */
export type ExportedAccount = {
  userId: string
  username: string
  email: string
  emailIsVerified: boolean
  phoneNumber: string | null
  createdAt: string
  secondFactors: readonly string[]
  passkeys: OwnPasskey[]
  devices: { name: string | null; createdAt: string; signedInAt: string }[]
  /** Who the account belongs to at the external provider. */
  externalSignIn: { issuer: string; subject: string; linkedAt: string } | null
  sessions: OwnSession[]
  events: SecurityEvent[]
}

/** Everything the pool keeps of a user, which is noted; undefined when there is no such user. */
export async function exportAccount(
  pool: EventPorts & Pick<Pool, 'database'>,
  sub: string,
): Promise<ExportedAccount | undefined> {
  const user = await pool.database.transaction(async (trx) => {
    const found = await findUserBySub(trx, sub)
    if (found) await recordEvent(pool, trx, found, 'data-exported')
    return found
  })
  if (!user) return undefined
  const db = pool.database.read
  const devices = await listDevices(db, sub, { after: '', limit: MOST_DEVICES })
  const link = await findLink(db, sub)
  const events = await listEvents(db, sub, { before: undefined, limit: MOST_EVENTS })
  return {
    userId: sub,
    username: user.username,
    email: user.email,
    emailIsVerified: user.email_verified === 1,
    phoneNumber: user.phone_number,
    createdAt: user.created_at,
    secondFactors: mfaPreferenceOf(user).methods,
    passkeys: await ownPasskeys(pool, sub),
    devices: devices.map((device) => ({
      name: device.name,
      createdAt: device.created_at,
      signedInAt: device.signed_in_at,
    })),
    externalSignIn: link ? { issuer: link.issuer, subject: link.subject, linkedAt: link.created_at } : null,
    sessions: await ownSessions(pool, sub),
    events: events.map(securityEvent),
  }
}
