import type { Cleanup, CodeRow, Db } from '../../base/tables.ts'

type CodeKey = Pick<CodeRow, 'sub' | 'purpose'>

/** Stores a new code, which replaces the previous one. */
export async function putCode(trx: Db, code: Omit<CodeRow, 'tries' | 'used_at'>): Promise<void> {
  const fresh = { mac: code.mac, expires_at: code.expires_at, tries: 0, used_at: null }
  await trx
    .insertInto('identity_code')
    .values({ sub: code.sub, purpose: code.purpose, ...fresh })
    .onConflict((conflict) => conflict.columns(['sub', 'purpose']).doUpdateSet(fresh))
    .execute()
}

export async function findCode(db: Db, key: CodeKey): Promise<CodeRow | undefined> {
  return await db
    .selectFrom('identity_code')
    .selectAll()
    .where('sub', '=', key.sub)
    .where('purpose', '=', key.purpose)
    .executeTakeFirst()
}

/** Spends one try of a live code and locks its row; undefined when it is used, expired or has no tries left. */
export async function spendTry(
  trx: Db,
  key: CodeKey,
  { now, limit }: { now: string; limit: number },
): Promise<CodeRow | undefined> {
  return await trx
    .updateTable('identity_code')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('sub', '=', key.sub)
    .where('purpose', '=', key.purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', limit)
    .returningAll()
    .executeTakeFirst()
}

export async function markCodeUsed(trx: Db, key: CodeKey, now: string): Promise<void> {
  await trx
    .updateTable('identity_code')
    .set({ used_at: now })
    .where('sub', '=', key.sub)
    .where('purpose', '=', key.purpose)
    .execute()
}

export async function removeCode(trx: Db, key: CodeKey): Promise<void> {
  await trx.deleteFrom('identity_code').where('sub', '=', key.sub).where('purpose', '=', key.purpose).execute()
}

/** The purposes of codes that sign in or reset a password by address, or by number. */
const PURPOSES_BY_DESTINATION = {
  email: ['reset', 'first-email', 'sign-in-email'],
  phone: ['first-phone', 'sign-in-phone'],
} as const

/** Voids the codes that were sent to the previous address, or number, of a user. */
export async function removeCodesSentTo(
  trx: Db,
  where: keyof typeof PURPOSES_BY_DESTINATION,
  sub: string,
): Promise<void> {
  await trx
    .deleteFrom('identity_code')
    .where('sub', '=', sub)
    .where('purpose', 'in', PURPOSES_BY_DESTINATION[where])
    .execute()
}

/** Returns the try of a right code that was not used. */
export async function returnTry(trx: Db, key: CodeKey): Promise<void> {
  await trx
    .updateTable('identity_code')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('sub', '=', key.sub)
    .where('purpose', '=', key.purpose)
    .execute()
}

export const codeCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    await trx.deleteFrom('identity_code').where('sub', 'in', subs).execute()
  },
  removeExpired: async (trx, ago) => {
    await trx.deleteFrom('identity_code').where('expires_at', '<', ago(0)).execute()
  },
}
