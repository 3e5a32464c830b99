import type { Db } from '../tables.ts'

type QuotaKey = { sub: string; operation: string }

/** The times (ms since 1970) of the latest counted attempts. The row is held until the transaction ends. */
export async function holdAttempts(trx: Db, { sub, operation }: QuotaKey, now: string): Promise<number[]> {
  const row = await trx
    .insertInto('identity_quota')
    .values({ sub, operation, recent: '[]', last_at: now, version: 1 })
    .onConflict((conflict) =>
      conflict.columns(['sub', 'operation']).doUpdateSet((eb) => ({ version: eb('identity_quota.version', '+', 1) })),
    )
    .returning('recent')
    .executeTakeFirstOrThrow()
  return JSON.parse(row.recent) as number[]
}

export async function setAttempts(
  trx: Db,
  { sub, operation }: QuotaKey,
  attempts: { recent: number[]; now: string },
): Promise<void> {
  await trx
    .updateTable('identity_quota')
    .set({ recent: JSON.stringify(attempts.recent), last_at: attempts.now })
    .where('sub', '=', sub)
    .where('operation', '=', operation)
    .execute()
}
