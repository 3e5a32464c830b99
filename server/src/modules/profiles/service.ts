import type { AnyDb } from '@marquee/platform/database/database'

import {
  clearCurrentWatchlistId,
  deletePerson,
  findCurrentWatchlistId,
  saveCurrentWatchlistId,
  savePerson,
} from './store.ts'

/** Who is calling: `userId` is the subject of the token and never shown, `username` is what others see. */
export type User = {
  readonly userId: string
  readonly username: string
  /** The sign-in that the call was made with, where the identity service tells. */
  readonly sessionId?: string
}

/** Makes sure that the person has a row and holds it, so that what one person does at once happens one by one. */
export async function lockPerson(trx: AnyDb, user: User): Promise<void> {
  await savePerson(trx, user)
}

/** The watchlist the person chose last; they may have left it since. */
export async function findChosenWatchlist(db: AnyDb, user: User): Promise<string | undefined> {
  return await findCurrentWatchlistId(db, user.userId)
}

export async function chooseWatchlist(trx: AnyDb, user: User, watchlistId: string): Promise<void> {
  await savePerson(trx, user)
  await saveCurrentWatchlistId(trx, user.userId, watchlistId)
}

/** For people who are not in this watchlist any more. */
export async function unchooseWatchlist(trx: AnyDb, userIds: readonly string[], watchlistId: string): Promise<void> {
  await clearCurrentWatchlistId(trx, userIds, watchlistId)
}

/** Forgets what a person chose and looks like; what they made elsewhere keeps their name. */
export async function forgetPerson(trx: AnyDb, userId: string): Promise<void> {
  await deletePerson(trx, userId)
}
