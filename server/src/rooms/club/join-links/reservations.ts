import { Problem } from '@marquee/contract/problems'
import { usernameKey as addressKey } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'
import { DAY_MS } from '@marquee/platform/runtime/durations'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import { isMemberOf, lockWatchlist, recordFacts, type WatchlistPorts } from '../watchlists/service.ts'
import type { User } from '../people/service.ts'
import { tokenIn } from './link.ts'
import { becomeMember, type JoiningPorts } from './joining.ts'
import {
  deleteReturned,
  findByToken,
  findLink,
  forgetAddress,
  insertReservation,
  reserveUse,
  returnReservations,
  returnUse,
  takeReservation,
} from './store.ts'

/** By then, the user pool has removed an account that is not confirmed. */
const KEPT_MS = 8 * DAY_MS
const MOST_AT_ONCE = 500

type Admission = { readonly isAdmitted: boolean; readonly afterCommit: () => void }
const ADMITTED: Admission = { isAdmitted: true, afterCommit: () => undefined }

/** Uses a join link up for a new account, for a day; false if it is not open, or invites another address. */
export async function reserveByPath(
  { clock }: Pick<WatchlistPorts, 'clock'>,
  trx: AnyDb,
  { path, userId, email }: { path: string; userId: string; email: string },
): Promise<boolean> {
  const token = tokenIn(path)
  const key = token === undefined ? undefined : await findByToken(trx, hashOfSecret(token))
  const link = key && (await findLink(trx, key))
  if (!link || (link.address !== null && link.address !== addressKey(email))) return false
  const now = clock.now()
  if (!(await reserveUse(trx, key, now.toISOString()))) return false
  await insertReservation(trx, {
    user_id: userId,
    watchlist_id: key.watchlistId,
    link_id: key.linkId,
    reserved_until: new Date(now.getTime() + DAY_MS).toISOString(),
    is_returned: 0,
  })
  return true
}

/**
 * Makes a confirmed user a member by the link that they signed up with. If the link was revoked in the meantime, or the
 * watchlist is full, they have an account only. If their use was returned, they take another one, or are not admitted.
 */
export async function redeemReservation(ports: JoiningPorts, trx: AnyDb, user: User): Promise<Admission> {
  const reservation = await takeReservation(trx, user.userId)
  if (!reservation) return ADMITTED
  const { watchlist_id: watchlistId, link_id: linkId, is_returned: isReturned } = reservation
  const key = { watchlistId, linkId }
  const at = ports.clock.now().toISOString()
  const exists = await lockWatchlist(trx, watchlistId)
  if (isReturned === 1 && !(exists && (await reserveUse(trx, key, at)))) return { ...ADMITTED, isAdmitted: false }
  const link = exists ? await findLink(trx, key) : undefined
  if (!link || link.revoked_at !== null || (await isMemberOf(trx, watchlistId, user))) return ADMITTED
  const { happened, made, arrived } = recordFacts(trx, ports.facts, { watchlistId, by: user.username, at })
  try {
    const invited = link.invitee_id === null ? [] : [link.invitee_id]
    await becomeMember(ports, trx, { watchlistId, user, at, invited, happened })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await returnUse(trx, key)
    return ADMITTED
  }
  await forgetAddress(trx, key)
  await arrived()
  return { isAdmitted: true, afterCommit: () => ports.facts.publish(made) }
}

/** Returns what the account of a user who is deleted held. */
export async function forgetReservation(trx: AnyDb, userId: string): Promise<void> {
  const reservation = await takeReservation(trx, userId)
  if (reservation?.is_returned !== 0) return
  await returnUse(trx, { watchlistId: reservation.watchlist_id, linkId: reservation.link_id })
}

/** Returns the uses of accounts that were not confirmed within a day. */
export async function sweepReservations({
  database,
  clock,
}: Pick<WatchlistPorts, 'database' | 'clock'>): Promise<void> {
  const now = clock.now()
  let count: number
  do {
    count = await database.transaction(async (trx) => {
      const keys = await returnReservations(trx, now.toISOString(), MOST_AT_ONCE)
      for (const key of keys) await returnUse(trx, key)
      return keys.length
    })
  } while (count === MOST_AT_ONCE)
  await database.transaction(async (trx) => await deleteReturned(trx, new Date(now.getTime() - KEPT_MS).toISOString()))
}
