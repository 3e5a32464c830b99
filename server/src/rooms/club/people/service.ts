import type { Language } from '@marquee/contract/languages'
import type { AnyDb } from '@marquee/platform/database/database'
import type { MailOrigin } from '@marquee/platform/mail/message'

import type { User } from './principal.ts'
import { findPerson, saveCurrentWatchlistId, savePerson } from './store.ts'

export type { Handlers, NightPass, PassHolder, Principal, User } from './principal.ts'
export {
  clearCurrentWatchlistId as unchooseWatchlist,
  deletePerson as forgetPerson,
  findCurrentWatchlistId as findChosenWatchlist,
  findPerson,
  listAvatars,
  listLanguages,
  listServices,
  readServices,
  saveAvatar,
  saveLanguage,
  savePerson as lockPerson,
  saveServices,
} from './store.ts'

/** What a mail to a person is about, so that a refusal by the address is noted. */
export function mailOriginOf({ userId, username }: Pick<User, 'userId' | 'username'>, email: string): MailOrigin {
  return { kind: 'person', userId, username, email }
}

export async function chooseWatchlist(trx: AnyDb, user: User, watchlistId: string): Promise<void> {
  await savePerson(trx, user)
  await saveCurrentWatchlistId(trx, user.userId, watchlistId)
}

/** The language that a user has chosen. */
export async function findLanguage(db: AnyDb, userId: string): Promise<Language | undefined> {
  return (await findPerson(db, userId))?.language ?? undefined
}
