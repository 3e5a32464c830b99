import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { Problem } from '@marquee/contract/problems'

import { unchooseWatchlist, type User } from '../profiles/service.ts'
import { listMembers } from './member-store.ts'
import { findMember, type MemberPorts } from './members.ts'
import { type Access, beginOwnersChange, changeWatchlist, type WatchlistPorts } from './service.ts'
import { deleteWatchlistRow } from './store.ts'

const ONLY_A_MEMBER = 'username: Only a member can become the owner, and there is no member of this name'

/** Says whether people who are not members may read the watchlist by its link. */
export async function setPrivacy(
  ports: WatchlistPorts,
  user: User,
  access: Access,
  isPrivate: boolean,
): Promise<Watchlist> {
  return await changeWatchlist(ports, user, access, async (trx, membership) => {
    await beginOwnersChange(trx, membership)
    return { is_private: isPrivate ? 1 : 0 }
  })
}

/** Makes another member the owner; who was it stays as a member. @throws {Problem} BAD_REQUEST if there is none. */
export async function handOver(
  ports: WatchlistPorts,
  user: User,
  access: Access,
  username: string,
): Promise<Watchlist> {
  return await changeWatchlist(ports, user, access, async (trx, membership) => {
    await beginOwnersChange(trx, membership)
    const successor = await findMember(trx, access.watchlistId, username)
    if (!successor) throw new Problem('BAD_REQUEST', ONLY_A_MEMBER)
    return { owner_id: successor.userId, owner_username: successor.username }
  })
}

/** Deletes the watchlist with its cards, comments and invitations, for everybody. */
export async function deleteWatchlist(ports: MemberPorts, user: User, { watchlistId }: Access): Promise<void> {
  await ports.database.transaction(async (trx) => {
    await beginOwnersChange(trx, { watchlistId, user })
    const memberIds = (await listMembers(trx, watchlistId)).map((member) => member.user_id)
    const invitedIds = await ports.invitations.listInvitedIds(trx, watchlistId)
    await ports.invitations.forget(trx, watchlistId, [...memberIds, ...invitedIds])
    await unchooseWatchlist(trx, memberIds, watchlistId)
    await deleteWatchlistRow(trx, watchlistId, memberIds)
  })
  ports.live.publish({ kind: 'watchlist-deleted', watchlistId, by: user.username })
}
