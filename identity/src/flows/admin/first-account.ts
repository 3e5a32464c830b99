import { recordEvent } from '../../base/audit/record-event.ts'
import { commitOrRefuse } from '../../base/errors/refusals.ts'
import type { EventPorts, Pool } from '../../base/ports.ts'
import { addVerifiedUser, verifiedUserRow } from './admin.ts'
import { hasAccount, lockPool } from './admin-store.ts'

/** Creates the first account of a pool, for the person who sets up the installation. */
export type FirstAccount = {
  /** Whether the pool has no account. Sign-ups that are not confirmed do not count. */
  isMissing: () => Promise<boolean>
  /**
   * Creates the account, confirmed and with a verified address. False if there is one already.
   * @throws {CognitoError} if the username, the address or the password is refused.
   */
  create: (made: { username: string; email: string; password: string }) => Promise<boolean>
}

export function createFirstAccount(
  pool: EventPorts & Pick<Pool, 'database' | 'id' | 'keyring' | 'name'>,
): FirstAccount {
  // Once there is an account, the pool is not searched for one again.
  let isFound = false
  return {
    isMissing: async () => {
      isFound ||= await hasAccount(pool.database.read)
      return !isFound
    },
    create: async (made) => {
      const user = verifiedUserRow(pool, made)
      const isCreated = await commitOrRefuse(pool, async (trx) => {
        await lockPool(trx)
        if (await hasAccount(trx)) return false
        const refusal = await addVerifiedUser(trx, user)
        if (refusal) return refusal
        await recordEvent(pool, trx, user, 'signed-up')
        return true
      })
      pool.mail.wake()
      return isCreated
    },
  }
}
