import type { Pool } from '../base/ports.ts'
import type { Db, DeviceRow } from '../base/tables.ts'
import { removeUnusedCodes, revokeSession, revokeSessionsOf } from '../parts/tokens/session-store.ts'
import { lockUser } from '../parts/users/user-store.ts'

/**
 * Ends all sessions of a user, except the one to keep, and what else acts for the user. The row of the user is locked, so
 * that a concurrent sign-in has ended or begins afterwards.
 * @returns the sessions that ended, for `endedSessions` after the commit
 */
export async function endSessionsOf(
  pool: Pick<Pool, 'onSessionsEnded'>,
  trx: Db,
  sub: string,
  { now, keep }: { now: string; keep?: string },
): Promise<string[]> {
  await lockUser(trx, sub)
  await removeUnusedCodes(trx, sub)
  await pool.onSessionsEnded(trx, sub)
  return await revokeSessionsOf(trx, sub, { now, ...(keep !== undefined && { keep }) })
}

/**
 * Ends one session, and voids the unused codes of other tools: it may have allowed them. The session of a tool allows
 * none, so a tool that ends its own session uses `revokeSession`.
 * @returns false when it has ended before or does not exist
 */
export async function endSession(trx: Db, sub: string, originJti: string, now: string): Promise<boolean> {
  await lockUser(trx, sub)
  const hasEnded = await revokeSession(trx, sub, originJti, now)
  if (hasEnded) await removeUnusedCodes(trx, sub)
  return hasEnded
}

/** The same for the sessions on a device, except the one to keep. @returns those that ended */
export async function endSessionsOn(
  trx: Db,
  { sub, device_key: device }: Pick<DeviceRow, 'sub' | 'device_key'>,
  how: { now: string; keep: string },
): Promise<string[]> {
  await lockUser(trx, sub)
  const ended = await revokeSessionsOf(trx, sub, { ...how, device })
  if (ended.length > 0) await removeUnusedCodes(trx, sub)
  return ended
}
