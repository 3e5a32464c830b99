import { Problem } from '@marquee/contract/problems'
import { isSameUser } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'
import { type Sent, valueWith } from '@marquee/platform/database/sent'

import { unchooseWatchlist, type User } from '../people/service.ts'
import { deleteMember, listMembers } from './member-store.ts'
import { type Change, changeWatchlist, type WatchlistPorts } from './service.ts'

export type MemberPorts = WatchlistPorts & {
  readonly wants: {
    /** Removes what a user wants in the watchlist. */
    forget: (trx: AnyDb, watchlistId: string, userId: string) => Promise<void>
  }
  readonly invitations: {
    /** Deletes the invitations of these users to the watchlist. */
    forget: (trx: AnyDb, watchlistId: string, userIds: readonly string[]) => Promise<void>
    /** The user ids of the invitees of the watchlist. */
    listInvitedIds: (trx: AnyDb, watchlistId: string) => Promise<string[]>
    /** The user ids of those whom a user has invited by name. */
    listInvitedBy: (trx: AnyDb, watchlistId: string, inviter: User) => Promise<string[]>
    /** Revokes the join links of the watchlist. */
    revokeLinks: (trx: AnyDb, watchlistId: string, now: string) => Promise<void>
  }
  readonly nights: {
    /**
     * Deletes the answers and ballots of former members, and their presence at the open night. Its vote closes if all who are
     * left have voted. The passes that they made are void, and the open night gets another code.
     */
    forget: (trx: AnyDb, watchlistId: string, people: readonly User[], closing: Closing) => Promise<void>
  }
  readonly media: {
    /** Disconnects the media servers to which a former member gave a key. */
    forget: (
      trx: AnyDb,
      watchlistId: string,
      userId: string,
      change: Pick<Change, 'happened'> & { readonly now: string },
    ) => Promise<void>
  }
  readonly requests: {
    /** Disconnects the server that is asked for movies if a former member gave its key. */
    forget: (trx: AnyDb, watchlistId: string, userId: string, happened: Change['happened']) => Promise<void>
  }
}

/** What belongs to a membership. */
export type EndingPorts = Pick<MemberPorts, 'wants' | 'media' | 'requests' | 'invitations' | 'nights' | 'random'>

/** What a new owner of a watchlist inherits. */
export type OwnerPorts = {
  readonly webhooks: {
    /** Switches the webhooks of the watchlist off; false if there were none. */
    switchOff: (trx: AnyDb, watchlistId: string) => Promise<boolean>
  }
}

type Closing = Pick<Change, 'boxCount' | 'happened'> & Pick<WatchlistPorts, 'random'> & { readonly now: string }

const OWNER_STAYS = 'The owner cannot leave: hand the watchlist over to another member or delete it first'

/**
 * Ends a membership: the caller's own, or if the caller is the owner, another member's. Their cards and comments stay. They no
 * longer want the cards of others. Their screens and the guests they added are out, the open night gets another code, and the
 * servers to which they gave a key are disconnected.
 * Removing another member revokes the join links, and withdraws the invitations that this member sent.
 * @throws {Problem} NOT_FOUND if there is no such member; FORBIDDEN; BAD_REQUEST if the owner tries to leave.
 */
export async function removeMember(
  ports: MemberPorts,
  user: User,
  watchlistId: string,
  username: string,
): Promise<void> {
  const item = async (db: AnyDb) => {
    const member = await findMember(db, watchlistId, username)
    return { authorId: member?.userId, member }
  }
  const place = { watchlistId, item, lock: { changesFeed: true } }
  await changeWatchlist(ports, user, 'member.remove', place, async (change) => {
    const { trx, item, at, isOwner, happened } = change
    const { member } = item
    if (member === undefined) throw new Problem('NOT_FOUND')
    const { userId: memberId } = member
    if (isOwner && memberId === user.userId) throw new Problem('BAD_REQUEST', OWNER_STAYS)
    await endMembership(trx, ports, { watchlistId, member, at }, change)
    await unchooseWatchlist(trx, [memberId], watchlistId)
    // A removed member may have an open link, or have invited another account of theirs.
    let settled: Sent<unknown>[] = []
    if (memberId !== user.userId) {
      await ports.invitations.revokeLinks(trx, watchlistId, at)
      settled = await withdrawInvitationsBy(ports, change, watchlistId, member)
    }
    happened('member.left')
    return valueWith(undefined, settled)
  })
}

/** Returns the last statements, which are sent together. */
async function withdrawInvitationsBy(
  { invitations }: MemberPorts,
  { trx, settle, happened }: Pick<Change, 'trx' | 'settle' | 'happened'>,
  watchlistId: string,
  inviter: User,
): Promise<Sent<unknown>[]> {
  const invited = await invitations.listInvitedBy(trx, watchlistId, inviter)
  if (invited.length === 0) return []
  await invitations.forget(trx, watchlistId, invited)
  const settled = invited.map((userId) => settle({ invitationOf: userId }))
  happened('invitation.withdrawn')
  return settled
}

/** Deletes a membership, and what a user has in a watchlist only as its member. */
export async function endMembership(
  trx: AnyDb,
  { wants, media, requests, invitations, nights, random }: EndingPorts,
  { watchlistId, member, at }: { readonly watchlistId: string; readonly member: User; readonly at: string },
  { boxCount, happened }: Pick<Change, 'boxCount' | 'happened'>,
): Promise<void> {
  const { userId } = member
  await deleteMember(trx, watchlistId, userId)
  await wants.forget(trx, watchlistId, userId)
  await media.forget(trx, watchlistId, userId, { now: at, happened })
  await requests.forget(trx, watchlistId, userId, happened)
  await invitations.forget(trx, watchlistId, [userId])
  await nights.forget(trx, watchlistId, [member], { now: at, boxCount, random, happened })
}

/** The member with this username, compared without case. */
export async function findMember(db: AnyDb, watchlistId: string, username: string): Promise<User | undefined> {
  const member = (await listMembers(db, watchlistId)).find((one) => isSameUser(one.username, username))
  return member && { userId: member.user_id, username: member.username }
}
