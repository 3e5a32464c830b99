import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { Problem } from '@marquee/contract/problems'
import type { Worker } from '@marquee/platform/queue/worker'

import { unchooseWatchlist, type User } from '../people/service.ts'
import { listMembers } from './member-store.ts'
import { findMember, type MemberPorts, type OwnerPorts } from './members.ts'
import { hideWatchlist } from './removal-store.ts'
import { changeWatchlist, editWatchlist, type WatchlistPorts } from './service.ts'

/** What removes the rows of a deleted watchlist in the background. */
export type RemovalOfWatchlists = { readonly removals: Pick<Worker, 'wake'> }

const ONLY_A_MEMBER = 'username: Only a member can become the owner, and there is no member of this name'

/** Sets whether non-members may read the watchlist by its link. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function setPrivacy(
  ports: WatchlistPorts,
  user: User,
  watchlistId: string,
  isPrivate: boolean,
): Promise<Watchlist> {
  return await editWatchlist(ports, user, 'watchlist.setPrivacy', watchlistId, async () => ({
    is_private: isPrivate ? 1 : 0,
  }))
}

/**
 * Makes another member the owner. The former owner stays a member. The webhooks are switched off: the new owner does not know
 * where they lead.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if there is no such member.
 */
export async function handOver(
  ports: WatchlistPorts & OwnerPorts,
  user: User,
  watchlistId: string,
  username: string,
): Promise<Watchlist> {
  return await editWatchlist(ports, user, 'watchlist.handOver', watchlistId, async ({ trx, happened }) => {
    const successor = await findMember(trx, watchlistId, username)
    if (!successor) throw new Problem('BAD_REQUEST', ONLY_A_MEMBER)
    if (successor.userId !== user.userId && (await ports.webhooks.switchOff(trx, watchlistId))) {
      happened('webhook.switched-off', { by: null })
    }
    return { owner_id: successor.userId, owner_username: successor.username }
  })
}

/**
 * Deletes the watchlist with its cards, comments and invitations. From then on no caller can read it; its rows are removed in the
 * background. @throws {Problem} NOT_FOUND; FORBIDDEN.
 */
export async function deleteWatchlist(
  ports: MemberPorts & RemovalOfWatchlists,
  user: User,
  watchlistId: string,
): Promise<void> {
  await changeWatchlist(ports, user, 'watchlist.delete', { watchlistId }, async ({ trx, now, happened }) => {
    const memberIds = (await listMembers(trx, watchlistId)).map((member) => member.user_id)
    const invitedIds = await ports.invitations.listInvitedIds(trx, watchlistId)
    await ports.invitations.forget(trx, watchlistId, [...memberIds, ...invitedIds])
    await unchooseWatchlist(trx, memberIds, watchlistId)
    await hideWatchlist(trx, watchlistId, { memberIds, dueAt: now.getTime() })
    happened('watchlist.deleted')
  })
  ports.removals.wake()
}
