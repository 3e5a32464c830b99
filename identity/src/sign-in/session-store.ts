import type { Cleanup, Db } from '../base/tables.ts'
import type { Session } from './session.ts'

/** The number of wrong answers that void a session. */
const MAX_ANSWERS = 5

/**
 * Counts an answer before it is checked and locks the session until the transaction ends; false when it was used or has
 * no answers left. Concurrent answers wait for each other.
 */
export async function spendAnswer(trx: Db, { sub, tokenId, expiresAt }: Session): Promise<boolean> {
  const row = await trx
    .insertInto('identity_sign_in')
    .values({ sub, nonce: tokenId, answers: 1, expires_at: new Date(expiresAt * 1000).toISOString() })
    .onConflict((conflict) =>
      conflict
        .columns(['sub', 'nonce'])
        .doUpdateSet((eb) => ({ answers: eb('identity_sign_in.answers', '+', 1) }))
        .where('identity_sign_in.answers', '<', MAX_ANSWERS),
    )
    .returning('answers')
    .executeTakeFirst()
  return row !== undefined
}

/** Voids a session after a right answer. Follows `spendAnswer` in the same transaction. */
export async function closeSession(trx: Db, { sub, tokenId }: Session): Promise<void> {
  await trx
    .updateTable('identity_sign_in')
    .set({ answers: MAX_ANSWERS })
    .where('sub', '=', sub)
    .where('nonce', '=', tokenId)
    .execute()
}

export const signInCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    await trx.deleteFrom('identity_sign_in').where('sub', 'in', subs).execute()
  },
  removeExpired: async (trx, ago) => {
    await trx.deleteFrom('identity_sign_in').where('expires_at', '<', ago(0)).execute()
  },
}
