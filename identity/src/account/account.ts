import { countRecoveryCodes, makeRecoveryCodes } from '../mfa/recovery-codes.ts'
import { listPasskeys, namePasskey } from '../passkeys/passkey-store.ts'
import type { Pool } from '../pool/pool.ts'
import type { PasskeyRow } from '../tables.ts'

/** A passkey as its owner sees it. Times are ISO texts. */
export type OwnPasskey = { passkeyId: string; name: string; createdAt: string; usedAt: string | null }

/** What users do with their accounts beyond Cognito's own operations. `sub` is the user's id. */
export type Account = {
  /** Ten new recovery codes, like `k3mpq-7hxra`; earlier ones are void. They can be shown this once only. */
  makeRecoveryCodes: (sub: string) => Promise<string[]>
  /** How many recovery codes are left. */
  countRecoveryCodes: (sub: string) => Promise<number>
  /** Oldest first. */
  listPasskeys: (sub: string) => Promise<OwnPasskey[]>
  /** Undefined when the user has no such passkey. */
  renamePasskey: (sub: string, passkeyId: string, name: string) => Promise<OwnPasskey | undefined>
}

export function createAccount(pool: Pool): Account {
  return {
    makeRecoveryCodes: async (sub) =>
      await pool.database.transaction(async (trx) => await makeRecoveryCodes(pool, trx, sub)),
    countRecoveryCodes: async (sub) => await countRecoveryCodes(pool, sub),
    listPasskeys: async (sub) => {
      const rows = await listPasskeys(pool.database.read, sub)
      return rows.map(ownPasskey).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    },
    renamePasskey: async (sub, credential_id, name) => {
      const renamed = await pool.database.transaction(
        async (trx) => await namePasskey(trx, { sub, credential_id }, name),
      )
      return renamed && ownPasskey(renamed)
    },
  }
}

function ownPasskey(row: PasskeyRow): OwnPasskey {
  return { passkeyId: row.credential_id, name: row.name, createdAt: row.created_at, usedAt: row.used_at }
}
