import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { arrival } from '@marquee/platform/database/sent'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import type { User } from '../people/service.ts'
import { addMember, type Change, changeWithoutVerb, isMemberOf, loadWatchlist } from '../watchlists/service.ts'
import { cancelInvitationMail } from './mails.ts'
import { type InvitationPorts, type MailedPorts, makeRoom } from './service.ts'
import { findByToken, findByWatchlist, findWaitingName, type FoundInvitation, takeInvitation } from './store.ts'
import { inviteeIdOf } from './token.ts'

const BAD_LINK = 'Invalid or expired invitation link'

/**
 * Joins a watchlist with the token of one's own invitation. Joining twice has the effect of joining once.
 * @throws {Problem} NOT_FOUND if the token is unknown, expired or used; FORBIDDEN with the name of the invitee if the
 * invitation is for another user; BAD_REQUEST.
 */
export async function acceptByToken(
  ports: InvitationPorts & MailedPorts,
  user: User,
  token: string,
): Promise<Watchlist> {
  const tokenHash = hashOfSecret(token)
  const find = async (trx: AnyDb) => await findByToken(trx, user.userId, tokenHash)
  const refusal = async (trx: AnyDb) => {
    const userId = inviteeIdOf(token)
    const now = ports.clock.now().toISOString()
    const invitee = userId === undefined ? undefined : await findWaitingName(trx, { userId, tokenHash, now })
    if (invitee === undefined) return new Problem('NOT_FOUND', BAD_LINK)
    return new Problem('FORBIDDEN', `This invitation is for ${invitee}.`)
  }
  return await accept(ports, user, { find, refusal })
}

/**
 * Joins a watchlist by a pending invitation. Joining twice has the effect of joining once.
 * @throws {Problem} NOT_FOUND if none is pending; BAD_REQUEST.
 */
export async function acceptReceived(
  ports: InvitationPorts & MailedPorts,
  user: User,
  watchlistId: string,
): Promise<Watchlist> {
  const find = async (trx: AnyDb) => await findByWatchlist(trx, user.userId, watchlistId)
  return await accept(ports, user, { find, refusal: async () => new Problem('NOT_FOUND') })
}

/** How to find the invitation, and the error if it cannot be accepted. */
type Meant = {
  find: (db: AnyDb) => Promise<FoundInvitation | undefined>
  refusal: (db: AnyDb) => Promise<Problem>
}

async function accept(ports: InvitationPorts & MailedPorts, user: User, { find, refusal }: Meant): Promise<Watchlist> {
  const { read } = ports.database
  const watchlistId = (await find(read))?.watchlist_id
  if (watchlistId === undefined) throw await refusal(read)
  return await changeWithoutVerb(ports, user, { watchlistId }, async (change) => {
    const { trx } = change
    // Concurrent acceptances run one after the other: the second one finds the invitation accepted. A user who accepted it
    // before, in another tab for example, is a member already.
    const hasJoined = await join(ports, change, { user, watchlistId, find })
    if (!hasJoined && !(await isMemberOf(trx, watchlistId, user))) throw await refusal(trx)
    return await loadWatchlist(ports, trx, watchlistId)
  })
}

type Joining = Pick<Meant, 'find'> & { user: User; watchlistId: string }

/** Makes the invited user a member; false if the invitation is no longer pending. */
async function join(
  ports: InvitationPorts & MailedPorts,
  { trx, at, happened, settle }: Change,
  { user, watchlistId, find }: Joining,
): Promise<boolean> {
  // A member may have renewed the invitation meanwhile.
  const invitation = await find(trx)
  if (!invitation || !(await takeInvitation(trx, invitation, at))) return false
  const { link_id: linkId } = invitation
  if (linkId !== null) {
    if (!(await ports.mailed.use(trx, { watchlistId, linkId }, at))) return false
    await makeRoom(trx, watchlistId, { invitee: user, now: at })
  }
  await addMember(trx, { watchlistId, user, at })
  await arrival(settle({ invitationOf: user.userId }))
  await cancelInvitationMail(ports, trx, { userId: user.userId, watchlistId })
  happened('member.joined')
  happened('invitation.accepted')
  return true
}
