import { prepared, preparedFirst } from '@marquee/platform/database/prepared'
import { HOUR_MS } from '@marquee/platform/runtime/durations'

import { type Cleanup, type Db, identityTables, type IdentityTables } from '../tables.ts'

/** Failures other than wrong passwords are counted under the `sub` with one of these. */
export const FAILURE_SUFFIXES = { mfa: '|mfa', first: '|first|mfa', custom: '|custom|mfa' } as const

export type LockoutRow = IdentityTables['identity_lockout']

export const findLockout = preparedFirst<{ sub: string }, LockoutRow>((db, value) =>
  identityTables(db)
    .selectFrom('identity_lockout')
    .select(['sub', 'failures', 'last_failure_at', 'locked_until'])
    .where('sub', '=', value('sub')),
)

/**
 * Counts a failure and returns the number of failures in a row, or undefined during a lock: of concurrent guesses only
 * those before the lock are checked.
 */
export async function countFailure(
  trx: Db,
  sub: string,
  { now, forgottenBefore }: { now: string; forgottenBefore: string },
): Promise<number | undefined> {
  const row = await trx
    .insertInto('identity_lockout')
    .values({ sub, failures: 1, last_failure_at: now, locked_until: now })
    .onConflict((conflict) =>
      conflict
        .column('sub')
        .doUpdateSet((eb) => ({
          failures: eb
            .case()
            .when('identity_lockout.last_failure_at', '<', forgottenBefore)
            .then(1)
            .else(eb('identity_lockout.failures', '+', 1))
            .end(),
          last_failure_at: now,
        }))
        .where('identity_lockout.locked_until', '<=', now),
    )
    .returning('failures')
    .executeTakeFirst()
  return row?.failures
}

export async function lockUntil(trx: Db, sub: string, until: string): Promise<void> {
  await trx.updateTable('identity_lockout').set({ locked_until: until }).where('sub', '=', sub).execute()
}

/** Clears the failures unless a lock is active; true when the user is not locked. */
export async function clearFailures(trx: Db, sub: string, now: string): Promise<boolean> {
  if ((await findLockout(trx, { sub })) === undefined) return true
  const { numDeletedRows } = await trx
    .deleteFrom('identity_lockout')
    .where('sub', '=', sub)
    .where('locked_until', '<=', now)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n || (await findLockout(trx, { sub })) === undefined
}

export async function removeLockout(trx: Db, sub: string): Promise<void> {
  await trx.deleteFrom('identity_lockout').where('sub', '=', sub).execute()
}

/** Whether a nonce was used. */
export async function isBurned(db: Db, nonce: string): Promise<boolean> {
  const row = await db.selectFrom('identity_used_nonce').select('nonce').where('nonce', '=', nonce).executeTakeFirst()
  return row !== undefined
}

const useUp = prepared<{ nonce: string; expiresAt: string }, { nonce: string }>((db, value) =>
  identityTables(db)
    .insertInto('identity_used_nonce')
    .values({ nonce: value('nonce'), expires_at: value('expiresAt') })
    .onConflict((conflict) => conflict.column('nonce').doNothing())
    .returning('nonce'),
)

/**
 * Uses up a nonce; false when it was used before. Call it in the transaction that the nonce permits.
 * @param expiresAt in seconds since 1970
 */
export async function burnNonce(trx: Db, nonce: string, expiresAt: number): Promise<boolean> {
  return (await useUp(trx, { nonce, expiresAt: new Date(expiresAt * 1000).toISOString() })).length === 1
}

type QuotaKey = { sub: string; operation: string }

/** The times (ms since 1970) of the latest counted attempts. Locks the row until the transaction ends. */
export async function lockAttempts(trx: Db, { sub, operation }: QuotaKey, now: string): Promise<number[]> {
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

export const limitCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    const suffixes = ['', ...Object.values(FAILURE_SUFFIXES)]
    const counters = subs.flatMap((sub) => suffixes.map((suffix) => `${sub}${suffix}`))
    await trx.deleteFrom('identity_lockout').where('sub', 'in', counters).execute()
    await trx.deleteFrom('identity_quota').where('sub', 'in', subs).execute()
  },
  removeExpired: async (trx, ago) => {
    await trx.deleteFrom('identity_used_nonce').where('expires_at', '<', ago(0)).execute()
    await trx.deleteFrom('identity_quota').where('last_at', '<', ago(HOUR_MS)).execute()
    await trx
      .deleteFrom('identity_lockout')
      .where('last_failure_at', '<', ago(24 * HOUR_MS))
      .execute()
  },
}
