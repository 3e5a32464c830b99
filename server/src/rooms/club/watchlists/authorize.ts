import { type AuthorVerb, isAllowed, type Verb } from '@marquee/contract/access'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { askTogether, together } from '@marquee/platform/database/statement-runner'

import type { User } from '../people/service.ts'
import { type AccessRow, findAccess } from './store.ts'

/** The verbs that do not depend on an author. */
export type PlainVerb = Exclude<Verb, AuthorVerb>

/** A watchlist that the caller may read. `feedVersion` changes whenever a page of the feed does. */
export type Access = AccessRow & { readonly watchlistId: string }

/** What a verb is about: a card, a comment, a membership. Its author may have more rights than other members. */
export type Item = { readonly authorId: string | undefined }

/** Reads the item of a verb by a prepared statement on the given connection. */
export type Find<I> = (db: AnyDb) => Promise<I | undefined>

/** The id of no user. A guest is a member of nothing. */
const GUEST_ID = ''

/**
 * Authorises a verb about an item, which `find` reads in the same message.
 * @throws {Problem} as `authorizeRead`; NOT_FOUND to a member if `find` returns undefined.
 */
export async function authorizeItem<I extends Item>(
  db: AnyDb,
  user: User,
  verb: Verb,
  watchlistId: string,
  find: Find<I>,
): Promise<AccessRow & { readonly item: I }> {
  const asked = [findAccess(db, watchlistId, user.userId), find(db)] as const
  const both = together(...asked)
  await both.catch(() => undefined)
  const access = requireReadable(await asked[0])
  // Only a member learns whether there is such an item.
  if (!access.isMember) throw new Problem('FORBIDDEN')
  const [, item] = await both
  if (!item) throw new Problem('NOT_FOUND')
  requireAllowed(verb, access, item.authorId === user.userId)
  return { ...access, item }
}

/** Authorises a verb that does not depend on an author. `user` is undefined for a guest. @throws {Problem} NOT_FOUND, also if the watchlist is private; FORBIDDEN. */
export async function authorizeRead(
  db: AnyDb,
  user: User | undefined,
  verb: PlainVerb,
  watchlistId: string,
): Promise<Access> {
  const access = requireReadable(await findAccess(db, watchlistId, user?.userId ?? GUEST_ID))
  requireAllowed(verb, access, false)
  return { ...access, watchlistId }
}

/**
 * The one check ahead of a transaction: an image is decoded only for a user who may save it. The transaction that saves it
 * authorises again.
 * @throws {Problem} as `authorizeItem`.
 */
export async function authorizeUpload(
  db: AnyDb,
  user: User,
  verb: Verb,
  watchlistId: string,
  find: Find<Item> = async () => ({ authorId: undefined }),
): Promise<void> {
  await askTogether(db, async (connection) => await authorizeItem(connection, user, verb, watchlistId, find))
}

/** For `repeatable`: only a user who may still make the call gets its stored reply. */
export function authorizeReplay(verb: PlainVerb) {
  return async (db: AnyDb, { params, user }: { params: { watchlistId: string }; user: User }): Promise<void> => {
    await authorizeRead(db, user, verb, params.watchlistId)
  }
}

function requireReadable(access: AccessRow | undefined): AccessRow {
  if (!access || (access.isPrivate && !access.isMember)) throw new Problem('NOT_FOUND')
  return access
}

/** An author who is no longer a member has no rights as author. */
function requireAllowed(verb: Verb, { isMember, isOwner }: AccessRow, isAuthor: boolean): void {
  const roles = { reader: true, member: isMember, author: isMember && isAuthor, owner: isOwner }
  if (!isAllowed(verb, roles)) throw new Problem('FORBIDDEN')
}
