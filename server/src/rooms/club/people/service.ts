import type { Language } from '@marquee/contract/languages'
import type { AnyDb } from '@marquee/platform/database/database'
import type { MailOrigin } from '@marquee/platform/mail/message'

import type { User } from './principal.ts'
import {
  clearCurrentWatchlistId,
  deletePerson,
  findCurrentWatchlistId,
  findPerson,
  saveCurrentWatchlistId,
  savePerson,
} from './store.ts'

export type { NightPass, PassHolder, Principal, User } from './principal.ts'
export {
  findPerson,
  listAvatars,
  listLanguages,
  listServices,
  readServices,
  saveAvatar,
  saveLanguage,
  saveServices,
} from './store.ts'

/** Creates the row of a user if there is none, and locks it, so that concurrent changes of one user run one by one. */
export async function lockPerson(trx: AnyDb, user: User): Promise<void> {
  await savePerson(trx, user)
}

/** What a mail to a person is about, so that a refusal by the address is noted. */
export function mailOriginOf({ userId, username }: Pick<User, 'userId' | 'username'>, email: string): MailOrigin {
  return { kind: 'person', userId, username, email }
}

/** The watchlist that the user chose last, even if they have left it since. */
export async function findChosenWatchlist(db: AnyDb, user: User): Promise<string | undefined> {
  return await findCurrentWatchlistId(db, user.userId)
}

export async function chooseWatchlist(trx: AnyDb, user: User, watchlistId: string): Promise<void> {
  await savePerson(trx, user)
  await saveCurrentWatchlistId(trx, user.userId, watchlistId)
}

/** For users who are no longer members of the watchlist. */
export async function unchooseWatchlist(trx: AnyDb, userIds: readonly string[], watchlistId: string): Promise<void> {
  await clearCurrentWatchlistId(trx, userIds, watchlistId)
}

/** The language that a user has chosen. */
export async function findLanguage(db: AnyDb, userId: string): Promise<Language | undefined> {
  return (await findPerson(db, userId))?.language ?? undefined
}

/** Deletes the choices and the avatar of a user. Their cards and comments stay. */
export async function forgetPerson(trx: AnyDb, userId: string): Promise<void> {
  await deletePerson(trx, userId)
}
