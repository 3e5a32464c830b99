import type { Fact } from '@marquee/contract/facts'
import type { AnyDb } from '@marquee/platform/database/database'

import { type Change, type ChangePorts, changeWithin } from './change.ts'
import { listMembers } from './member-store.ts'
import { type EndingPorts, endMembership, type MemberPorts, type OwnerPorts } from './members.ts'
import { hideWatchlist } from './removal-store.ts'
import { findOwnerId, listWatchlistIdsOf, saveWatchlist } from './store.ts'

type LeavePorts = EndingPorts &
  OwnerPorts &
  Pick<ChangePorts, 'facts'> & {
    readonly invitations: {
      /** The watchlists from which a user has an invitation, and whether their members see it as pending. */
      readonly listInvitedTo: (
        trx: AnyDb,
        userId: string,
        now: string,
      ) => Promise<{ watchlistId: string; isShown: boolean }[]>
    }
    readonly nights: {
      /** The watchlists where a user was a guest of a night. */
      readonly listGuestIn: (trx: AnyDb, userId: string) => Promise<string[]>
      /** Removes a user from the nights of a watchlist where they were a guest. */
      readonly forgetGuest: (
        trx: AnyDb,
        watchlistId: string,
        userId: string,
        random: MemberPorts['random'],
      ) => Promise<void>
    }
  }
type Gone = { userId: string; at: string }

/**
 * Removes a user whose account is deleted from all watchlists, with their invitations, and from the nights where they were a
 * guest. Their cards and comments stay. The member who joined first becomes the owner of what they owned. Watchlists without
 * another member are deleted. Returns the facts to publish after the commit.
 */
export async function leaveEverything(trx: AnyDb, ports: LeavePorts, gone: Gone): Promise<readonly Fact[]> {
  const { userId, at } = gone
  const made: Fact[] = []
  const memberIn = new Set(await listWatchlistIdsOf(trx, userId))
  const guestIn = new Set(await ports.nights.listGuestIn(trx, userId))
  const invitedTo = new Map(
    (await ports.invitations.listInvitedTo(trx, userId, at)).map(({ watchlistId, isShown }) => [watchlistId, isShown]),
  )
  for (const watchlistId of [...new Set([...memberIn, ...guestIn, ...invitedTo.keys()])].toSorted()) {
    const isMember = memberIn.has(watchlistId)
    // Cards of the feed show who wants them.
    const place = { watchlistId, at, lock: { changesFeed: isMember } }
    const forget = async () => {
      if (guestIn.has(watchlistId)) await ports.nights.forgetGuest(trx, watchlistId, userId, ports.random)
      if (invitedTo.has(watchlistId)) await ports.invitations.forget(trx, watchlistId, [userId])
    }
    const facts = await changeWithin(trx, ports, place, async (change) => {
      await forget()
      if (guestIn.has(watchlistId)) change.happened('guest.left')
      if (invitedTo.get(watchlistId) === true) change.happened('invitation.withdrawn')
      if (isMember) await leaveOne(trx, ports, { ...gone, watchlistId }, change)
    })
    if (facts) made.push(...facts)
    // A watchlist whose removal has begun is not changed any more.
    else await forget()
  }
  return made
}

async function leaveOne(
  trx: AnyDb,
  ports: LeavePorts,
  { watchlistId, userId, at }: Gone & { watchlistId: string },
  change: Pick<Change, 'boxCount' | 'happened'>,
): Promise<void> {
  const { invitations, webhooks } = ports
  const { happened } = change
  const members = await listMembers(trx, watchlistId)
  const others = members.filter((member) => member.user_id !== userId)
  const [heir] = others.toSorted((one, other) => (one.joined_at < other.joined_at ? -1 : 1))
  if (heir === undefined) {
    await invitations.forget(trx, watchlistId, [userId, ...(await invitations.listInvitedIds(trx, watchlistId))])
    await hideWatchlist(trx, watchlistId, { memberIds: [userId], dueAt: Date.parse(at) })
    happened('watchlist.deleted')
    return
  }
  if ((await findOwnerId(trx, watchlistId)) === userId) {
    await saveWatchlist(trx, watchlistId, {
      owner_id: heir.user_id,
      owner_username: heir.username,
      updated_at: at,
    })
    if (await webhooks.switchOff(trx, watchlistId)) happened('webhook.switched-off')
    happened('watchlist.changed')
  }
  const { username = '' } = members.find((member) => member.user_id === userId) ?? {}
  await endMembership(trx, ports, { watchlistId, member: { userId, username }, at }, change)
  happened('member.left')
}
