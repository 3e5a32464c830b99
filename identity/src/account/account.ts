import { recordEvent } from '../audit/record-event.ts'
import { listEvents } from '../audit/security-event-store.ts'
import { countRecoveryCodes, makeRecoveryCodes } from '../mfa/recovery-codes.ts'
import { namePasskey } from '../passkeys/passkey-store.ts'
import { isFreshSession } from '../tokens/fresh-session.ts'
import { findSession, revokeSession } from '../tokens/session-store.ts'
import { findUserBySub } from '../users/user-store.ts'
import { type ExportedAccount, exportAccount } from './export-account.ts'
import { ownPasskey, type OwnPasskey, ownPasskeys } from './own-passkeys.ts'
import { type OwnSession, ownSessions } from './own-sessions.ts'
import { type SecurityEvent, securityEvent } from './security-events.ts'
import type { EventPorts, Pool } from '../base/ports.ts'

type Ports = EventPorts & Pick<Pool, 'database' | 'endedSessions' | 'keyring'>

/** What users do with their accounts beyond Cognito's own operations. `sub` is the user's id. */
export type Account = {
  /** Whether the user signed in to this session within the last quarter of an hour. */
  isFresh: (sub: string, sessionId: string) => Promise<boolean>
  /** Ten new recovery codes, like `k3mpq-7hxra`; earlier ones are void. They can be shown this once only. */
  makeRecoveryCodes: (sub: string) => Promise<string[]>
  /** How many recovery codes are left. */
  countRecoveryCodes: (sub: string) => Promise<number>
  /** Oldest first. */
  listPasskeys: (sub: string) => Promise<OwnPasskey[]>
  /** Undefined when the user has no such passkey. */
  renamePasskey: (sub: string, passkeyId: string, name: string) => Promise<OwnPasskey | undefined>
  /** The sign-ins that still hold, newest first. */
  listSessions: (sub: string) => Promise<OwnSession[]>
  /** Ends a sign-in with all its tokens; false when there is none of that id, or it has ended. */
  endSession: (sub: string, sessionId: string) => Promise<boolean>
  /** What was done to the account, newest first, from before the event of that id. */
  listEvents: (sub: string, page: { before: string | undefined; limit: number }) => Promise<SecurityEvent[]>
  /** Everything the pool keeps of the user, without secrets; undefined when there is no such user. */
  exportData: (sub: string) => Promise<ExportedAccount | undefined>
}

export function createAccount(pool: Ports): Account {
  return {
    isFresh: async (sub, sessionId) => {
      const session = await findSession(pool.database.read, sub, sessionId)
      return session !== undefined && session.revoked_at === null && isFreshSession(pool, session)
    },
    makeRecoveryCodes: async (sub) => {
      const codes = await pool.database.transaction(async (trx) => {
        const user = await findUserBySub(trx, sub)
        if (user) await recordEvent(pool, trx, user, 'recovery-codes-made')
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
    endSession: async (sub, sessionId) => {
      const now = pool.clock.now().toISOString()
      const hasEnded = await pool.database.transaction(async (trx) => {
        const user = await findUserBySub(trx, sub)
        if (!user || !(await revokeSession(trx, sub, sessionId, now))) return false
        await recordEvent(pool, trx, user, 'session-ended')
        return true
      })
      if (hasEnded) pool.endedSessions.add([sessionId])
      return hasEnded
    },
    listEvents: async (sub, page) => (await listEvents(pool.database.read, sub, page)).map(securityEvent),
    exportData: async (sub) => await exportAccount(pool, sub),
  }
}
