import type { AnyDb } from '@marquee/platform/database/database'
import type { Caller } from '@marquee/platform/http/caller'

import type { EventKind } from '../../base/events/event-kinds.ts'

import { recordEvent } from '../../base/audit/record-event.ts'
import { listEvents } from '../../base/audit/security-event-store.ts'
import type { EventPorts, Pool } from '../../base/ports.ts'
import { identityTables, type PasskeyRow, type SecurityEventRow } from '../../base/tables.ts'
import { listDevices } from '../../parts/devices/device-store.ts'
import { mfaPreferenceOf } from '../../parts/mfa/methods.ts'
import { countRecoveryCodes, makeRecoveryCodes } from '../../parts/mfa/recovery-codes.ts'
import { listPasskeys, namePasskey } from '../../parts/passkeys/passkey-store.ts'
import { findSession, listSessions } from '../../parts/tokens/session-store.ts'
import { SESSION_LIFETIME_MS } from '../../parts/tokens/signing-keys.ts'
import { isFreshSession } from '../../parts/tokens/verify.ts'
import { findUserBySub, lockUser } from '../../parts/users/user-store.ts'
import { endSession } from '../../sign-in/end-sessions.ts'
import { findLink } from '../external/link-store.ts'

type Ports = Omit<EventPorts, keyof Caller> & Pick<Pool, 'database' | 'endedSessions' | 'keyring'>

/**
 * What users can do with their accounts beyond the operations of Cognito. `sub` is the user's id.
 */
export type Account = {
  /** Whether the user of this session proved who they are within the last quarter of an hour. */
  isFresh: (sub: string, sessionId: string) => Promise<boolean>
  /** Ten new recovery codes, like `k3mpq-7hxra`, which replace earlier ones. They are shown only once. None if the user was removed. */
  makeRecoveryCodes: (sub: string, caller: Caller) => Promise<string[]>
  /** How many recovery codes are left. */
  countRecoveryCodes: (sub: string) => Promise<number>
  /** Oldest first. */
  listPasskeys: (sub: string) => Promise<OwnPasskey[]>
  /** Undefined when the user has no such passkey. */
  renamePasskey: (sub: string, passkeyId: string, name: string) => Promise<OwnPasskey | undefined>
  /** The active sessions, newest first. */
  listSessions: (sub: string) => Promise<OwnSession[]>
  /** Ends a session with all its tokens; false when it does not exist or has ended. */
  endSession: (sub: string, sessionId: string, caller: Caller) => Promise<boolean>
  /** The events of the account, newest first, from before the event with that id. */
  listEvents: (sub: string, page: { before: string | undefined; limit: number }) => Promise<SecurityEvent[]>
  /** Records a change that the rest of the program made for the user, in its transaction. Wake the mail queue afterwards. */
  recordChange: (trx: AnyDb, sub: string, kind: OtherChange, caller: Caller) => Promise<void>
  /** All stored data of the user, without secrets; undefined when the user does not exist. */
  exportData: (sub: string, caller: Caller) => Promise<ExportedAccount | undefined>
}

/** Changes of the account that are not made by the user pool. */
type OtherChange = Extract<EventKind, 'personal-token-made' | 'personal-token-revoked'>

export function createAccount(pool: Ports): Account {
  return {
    isFresh: async (sub, sessionId) => {
      const session = await findSession(pool.database.read, sub, sessionId)
      return session !== undefined && session.revoked_at === null && isFreshSession(pool, session)
    },
    makeRecoveryCodes: async (sub, caller) => {
      const codes = await pool.database.transaction(async (trx) => {
        // Locked, so that concurrent calls replace each other's codes.
        const user = await lockUser(trx, sub)
        if (!user) return []
        await recordEvent({ ...pool, ...caller }, trx, user, 'recovery-codes-made')
        return await makeRecoveryCodes(pool, trx, sub)
      })
      pool.mail.wake()
      return codes
    },
    countRecoveryCodes: async (sub) => await countRecoveryCodes(pool, sub),
    listPasskeys: async (sub) => await ownPasskeys(pool, sub),
    renamePasskey: async (sub, credential_id, name) => {
      const renamed = await pool.database.transaction(
        async (trx) => await namePasskey(trx, { sub, credential_id }, name),
      )
      return renamed && ownPasskey(renamed)
    },
    listSessions: async (sub) => await ownSessions(pool, sub),
    endSession: async (sub, sessionId, caller) => {
      const now = pool.clock.now().toISOString()
      const hasEnded = await pool.database.transaction(async (trx) => {
        const user = await findUserBySub(trx, sub)
        if (!user || !(await endSession(trx, sub, sessionId, now))) return false
        await recordEvent({ ...pool, ...caller }, trx, user, 'session-ended')
        return true
      })
      if (hasEnded) pool.endedSessions.add([sessionId])
      return hasEnded
    },
    listEvents: async (sub, page) => (await listEvents(pool.database.read, sub, page)).map(securityEvent),
    recordChange: async (trx, sub, kind, caller) => {
      const db = identityTables(trx)
      const user = await findUserBySub(db, sub)
      if (user) await recordEvent({ ...pool, ...caller }, db, user, kind)
    },
    exportData: async (sub, caller) => await exportAccount({ ...pool, ...caller }, sub),
  }
}

/** A passkey as its owner sees it. Times are ISO texts. */
type OwnPasskey = { passkeyId: string; name: string; createdAt: string; usedAt: string | null }

/** Oldest first. */
async function ownPasskeys(pool: Pick<Pool, 'database'>, sub: string): Promise<OwnPasskey[]> {
  const rows = await listPasskeys(pool.database.read, sub)
  return rows.map(ownPasskey).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
}

function ownPasskey(row: PasskeyRow): OwnPasskey {
  return { passkeyId: row.credential_id, name: row.name, createdAt: row.created_at, usedAt: row.used_at }
}

/** An active session as its owner sees it; `client` is coarse, empty if unknown. Times are ISO texts. */
type OwnSession = { sessionId: string; client: string; signedInAt: string; usedAt: string }

/** The active sessions, newest first. */
async function ownSessions(pool: Pick<Pool, 'clock' | 'database'>, sub: string): Promise<OwnSession[]> {
  const rows = await listSessions(pool.database.read, sub, pool.clock.now().toISOString())
  return rows.map((row) => {
    // Not the time of the proof, which may be days older at an external provider.
    const signedInAt = new Date(Date.parse(row.expires_at) - SESSION_LIFETIME_MS).toISOString()
    return { sessionId: row.origin_jti, client: row.client ?? '', signedInAt, usedAt: row.used_at ?? signedInAt }
  })
}

/**
 * A security event as the owner of the account sees it; `client` is coarse, empty if unknown. `at` is an ISO text, of
 * the last occurrence if there are several `times`.
 */
type SecurityEvent = { eventId: string; kind: EventKind; client: string; at: string; times: number }

function securityEvent(row: SecurityEventRow): SecurityEvent {
  return { eventId: row.id, kind: row.kind, client: row.client, at: row.at, times: row.times }
}

/** More than a user has in a year. */
const MOST_EVENTS = 20_000
const MOST_DEVICES = 1_000

/** The stored data of a user, without secrets and values derived from them. Times are ISO texts. */
type ExportedAccount = {
  userId: string
  username: string
  email: string
  emailIsVerified: boolean
  phoneNumber: string | null
  createdAt: string
  secondFactors: readonly string[]
  passkeys: OwnPasskey[]
  devices: { name: string | null; createdAt: string; signedInAt: string }[]
  /** The identity of the user at the external provider. */
  externalSignIn: { issuer: string; subject: string; linkedAt: string } | null
  sessions: OwnSession[]
  events: SecurityEvent[]
}

/** Exports the stored data of a user and records that; undefined when the user does not exist. */
async function exportAccount(
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
