import type { Db } from '../tables.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import type { Pool } from '../base/ports.ts'

/**
 * Runs one transaction that may end in a refusal. A refusal that `work` returns is answered after the commit, so what
 * was counted on the way (a wrong code, a spent quota) stays counted; one that it throws undoes everything.
 */
export async function decide<T>(
  pool: Pick<Pool, 'database'>,
  work: (trx: Db) => Promise<T>,
): Promise<Exclude<T, CognitoError>> {
  const outcome = await pool.database.transaction(work)
  if (outcome instanceof CognitoError) throw outcome
  return outcome as Exclude<T, CognitoError>
}
