import { countRecoveryCodes, makeRecoveryCodes } from '../mfa/recovery-codes.ts'
import type { Pool } from '../pool/pool.ts'

/** What users do with their accounts beyond Cognito's own operations. `sub` is the user's id. */
export type Account = {
  /** Ten new recovery codes, like `k3mpq-7hxra`; earlier ones are void. They can be shown this once only. */
  makeRecoveryCodes: (sub: string) => Promise<string[]>
  /** How many recovery codes are left. */
  countRecoveryCodes: (sub: string) => Promise<number>
}

export function createAccount(pool: Pool): Account {
  return {
    makeRecoveryCodes: async (sub) =>
      await pool.database.transaction(async (trx) => await makeRecoveryCodes(pool, trx, sub)),
    countRecoveryCodes: async (sub) => await countRecoveryCodes(pool, sub),
  }
}
