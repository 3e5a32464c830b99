import { Problem } from '@marquee/contract/problems'
import { isSameUser } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'

import { unchooseWatchlist, type User } from '../profiles/service.ts'
import { deleteMember, listMembers } from './member-store.ts'
import { mayGovern } from './policy.ts'
import { type Access, beginChange, type WatchlistPorts } from './service.ts'
import { findOwnerId } from './store.ts'

export type MemberPorts = WatchlistPorts & {
  readonly invitations: {
    /** Forgets how these people were invited to the watchlist. */
    forget: (trx: AnyDb, watchlistId: string, userIds: readonly string[]) => Promise<void>
    /** Whose invitations to the watchlist wait, by user id. */
    listInvitedIds: (trx: AnyDb, watchlistId: string) => Promise<string[]>
  }
}

const OWNER_STAYS = 'The owner cannot leave: hand the watchlist over to another member or delete it first'

/**
 * Ends a membership: one's own, or as the owner another's. What the person made stays, under their name.
 * @throws {Problem} BAD_REQUEST to the owner who would leave; FORBIDDEN; NOT_FOUND if there is no such member.
 */
export async function removeMember(
  ports: MemberPorts,
  user: User,
  { watchlistId }: Access,
  username: string,
): Promise<void> {
  await ports.database.transaction(async (trx) => {
    await beginChange(trx, { watchlistId, user })
    const member = await findMember(trx, watchlistId, username)
    const ownerId = await findOwnerId(trx, watchlistId)
    const isSelf = member?.userId === user.userId
    if (!isSelf && !mayGovern({ isOwner: ownerId === user.userId })) throw new Problem('FORBIDDEN')
    if (!member) throw new Problem('NOT_FOUND')
    if (member.userId === ownerId) throw new Problem('BAD_REQUEST', OWNER_STAYS)
    await deleteMember(trx, watchlistId, member.userId)
    await unchooseWatchlist(trx, [member.userId], watchlistId)
    await ports.invitations.forget(trx, watchlistId, [member.userId])
  })
  ports.live.publish({ kind: 'members-changed', watchlistId, by: user.username })
}

/** The member of that username, compared without case. */
export async function findMember(db: AnyDb, watchlistId: string, username: string): Promise<User | undefined> {
  const member = (await listMembers(db, watchlistId)).find((one) => isSameUser(one.username, username))
  return member && { userId: member.user_id, username: member.username }
}
