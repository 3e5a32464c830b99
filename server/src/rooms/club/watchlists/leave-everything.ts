import type { AnyDb } from '@marquee/platform/database/database'

import { type ChangePorts, recordFacts } from './change.ts'
import { deleteMember, listMembers } from './member-store.ts'
import type { MemberPorts, OwnerPorts } from './members.ts'
import { hideWatchlist } from './removal-store.ts'
import { findOwnerId, listWatchlistIdsOf, lockWatchlist, saveWatchlist } from './store.ts'

type LeavePorts = Pick<MemberPorts, 'invitations' | 'wants' | 'nights' | 'random'> &
  OwnerPorts &
  Pick<ChangePorts, 'facts'>
type Gone = { userId: string; at: string }

/**
 * Removes a user whose account is deleted from all watchlists. Their cards and comments stay. The member who joined first
 * becomes the owner of what they owned. Watchlists without another member are deleted. No live events are sent.
 */
export async function leaveEverything(trx: AnyDb, ports: LeavePorts, gone: Gone): Promise<void> {
  // In the same order for all users, so that two deletions at once do not deadlock.
  const watchlistIds = (await listWatchlistIdsOf(trx, gone.userId)).toSorted()
  for (const watchlistId of watchlistIds) await leaveOne(trx, ports, watchlistId, gone)
}

async function leaveOne(
  trx: AnyDb,
  { invitations, wants, nights, webhooks, random, facts }: LeavePorts,
  watchlistId: string,
  { userId, at }: Gone,
): Promise<void> {
  // Cards of the feed show who wants them.
  const locked = await lockWatchlist(trx, watchlistId, { changesFeed: true })
  if (!locked) return
  const { boxCount } = locked
  const { happened, arrived } = recordFacts(trx, facts, { watchlistId, by: null, at })
  const members = await listMembers(trx, watchlistId)
  const others = members.filter((member) => member.user_id !== userId)
  const [heir] = others.toSorted((one, other) => (one.joined_at < other.joined_at ? -1 : 1))
  if (heir === undefined) {
    await invitations.forget(trx, watchlistId, [userId, ...(await invitations.listInvitedIds(trx, watchlistId))])
    await hideWatchlist(trx, watchlistId, { memberIds: [userId], dueAt: Date.parse(at) })
    return
  }
  if ((await findOwnerId(trx, watchlistId)) === userId) {
    await saveWatchlist(trx, watchlistId, {
      owner_id: heir.user_id,
      owner_username: heir.username,
      updated_at: at,
    })
    if (await webhooks.switchOff(trx, watchlistId)) happened('webhook.switched-off')
  }
  await deleteMember(trx, watchlistId, userId)
  await wants.forget(trx, watchlistId, userId)
  await invitations.forget(trx, watchlistId, [userId])
  const { username = '' } = members.find((member) => member.user_id === userId) ?? {}
  await nights.forget(trx, watchlistId, [{ userId, username }], { now: at, boxCount, random, happened })
  await arrived()
}
