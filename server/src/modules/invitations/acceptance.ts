import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { activityOf, insertActivity } from '../activities/service.ts'
import { markInvitationRead } from '../notifications/service.ts'
import type { User } from '../profiles/service.ts'
import { addMember, lockWatchlist, isMemberOf, loadWatchlist } from '../watchlists/service.ts'
import { cancelInvitationMail } from './mails.ts'
import { type InvitationPorts, type MailedPorts, makeRoom } from './service.ts'
import { findByToken, findByWatchlist, findWaitingName, type FoundInvitation, takeInvitation } from './store.ts'
import { hashToken, inviteeIdOf } from './token.ts'

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
  const tokenHash = hashToken(token)
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
  find: (trx: AnyDb) => Promise<FoundInvitation | undefined>
  refusal: (trx: AnyDb) => Promise<Problem>
}

async function accept(ports: InvitationPorts & MailedPorts, user: User, { find, refusal }: Meant): Promise<Watchlist> {
  const { watchlist, hasJoined } = await ports.database.transaction(async (trx) => {
    const invitation = await find(trx)
    if (!invitation) throw await refusal(trx)
    const hasJoined = await join(ports, trx, { user, watchlistId: invitation.watchlist_id, find })
    // A user who accepted it before, in another tab for example, is a member already.
    if (!hasJoined && !(await isMemberOf(trx, invitation.watchlist_id, user))) throw await refusal(trx)
    const watchlistId = invitation.watchlist_id
    return { watchlist: await loadWatchlist(ports, trx, watchlistId), hasJoined }
  })
  if (hasJoined) {
    ports.live.publish({ kind: 'members-changed', watchlistId: watchlist.id, by: user.username })
    ports.live.publish({ kind: 'invitations-changed', watchlistId: watchlist.id, by: user.username })
  }
  return watchlist
}

type Joining = {
  user: User
  watchlistId: string
  find: (trx: AnyDb) => Promise<FoundInvitation | undefined>
}

/** Makes the invited user a member; false if the invitation is no longer pending. */
async function join(
  ports: InvitationPorts & MailedPorts,
  trx: AnyDb,
  { user, watchlistId, find }: Joining,
): Promise<boolean> {
  // Concurrent acceptances run one after the other: the second one finds the invitation accepted.
  if (!(await lockWatchlist(trx, watchlistId))) return false
  // A member may have renewed the invitation meanwhile.
  const invitation = await find(trx)
  const at = ports.clock.now().toISOString()
  if (!invitation || !(await takeInvitation(trx, invitation, at))) return false
  const { link_id: linkId } = invitation
  if (linkId !== null) {
    if (!(await ports.mailed.use(trx, { watchlistId, linkId }, at))) return false
    await makeRoom(trx, watchlistId, { invitee: user, now: at })
  }
  await addMember(trx, { watchlistId, user, at })
  await insertActivity(trx, activityOf(ports, { kind: 'joined', watchlistId, by: user.username, at }))
  await markInvitationRead(trx, user.userId, watchlistId)
  await cancelInvitationMail(ports, trx, { userId: user.userId, watchlistId })
  return true
}
