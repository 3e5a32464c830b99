import type { Invitation, PendingInvitation, ReceivedInvitation } from '@marquee/contract/entities/invitation'
import type { Language } from '@marquee/contract/languages'
import { INVITATION_VALID_DAYS, MAX_MEMBERS_PER_WATCHLIST, MAX_RECEIVED_INVITATIONS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { isSameUser } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'
import { arrival } from '@marquee/platform/database/sent'
import type { MailMessage } from '@marquee/platform/mail/message'
import { DAY_MS } from '@marquee/platform/runtime/durations'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import { findLanguage, type User } from '../people/service.ts'
import {
  type Access,
  changeWatchlist,
  changeWithoutVerb,
  countMembers,
  findWatchlistNames,
  isMemberOf,
  type WatchlistPorts,
} from '../watchlists/service.ts'
import { deleteInvitationMails } from './mail-store.ts'
import { cancelInvitationMail, type InvitationMailPorts, mailInvitation } from './mails.ts'
import { presentInvitation } from './present.ts'
import {
  deleteInvitations,
  deleteMailInvitations,
  findPending,
  listExpiredIds,
  listInvitedIds,
  listWaiting,
  listWaitingFor,
  saveInvitation,
  saveMailInvitation,
} from './store.ts'
import { newToken } from './token.ts'

export { cancelInvitationMail, mailInvitation, sweepInvitationMails } from './mails.ts'
export {
  deleteInvitations as forgetInvitations,
  findPending as findPendingInvitation,
  listInvitedBy,
  listInvitedIds,
  listInvitedTo,
  noteRefusedMail,
} from './store.ts'

type Invitee = User & { readonly email: string | undefined }

export type InvitationPorts = WatchlistPorts &
  InvitationMailPorts & {
    readonly accounts: {
      /** The user with this username, compared without case. */
      findUser: (username: string) => Promise<Invitee | undefined>
    }
    /** Composes the mail with the token. */
    readonly invitationMail: (invitation: {
      to: string
      language: Language | undefined
      username: string
      invitedBy: string
      watchlistName: string
      token: string
    }) => MailMessage
  }

/** The invitations of mail addresses, which are join links. */
export type MailedPorts = {
  readonly mailed: {
    list: (db: AnyDb, watchlistId: string, reader: { now: string; userId: string }) => Promise<PendingInvitation[]>
    /** Uses a link up; false if it is not open. */
    use: (trx: AnyDb, link: { watchlistId: string; linkId: string }, now: string) => Promise<boolean>
  }
}

const NO_SUCH_USER = 'There is no user with this username'
const ONESELF = 'You are already a member of this watchlist'
const A_MEMBER = 'This user is already a member of this watchlist'
const NO_PLACE = `A watchlist cannot have more than ${MAX_MEMBERS_PER_WATCHLIST} members, including those who are invited`

/**
 * Invites a user by username. The invitee gets the link by mail, the inviter the token in the reply. A pending invitation
 * is replaced, and its token is void.
 * @throws {Problem} NOT_FOUND, also if there is no such user; FORBIDDEN; BAD_REQUEST if the user is a member, or no place
 * is left.
 */
export async function inviteUser(
  ports: InvitationPorts,
  user: User,
  watchlistId: string,
  username: string,
): Promise<Invitation> {
  const invitee = await ports.accounts.findUser(username)
  const invitation = await changeWatchlist(ports, user, 'invitation.add', { watchlistId }, async (change) => {
    const { trx, now, happened } = change
    if (!invitee) throw new Problem('NOT_FOUND', NO_SUCH_USER)
    if (invitee.userId === user.userId) throw new Problem('BAD_REQUEST', ONESELF)
    const token = newToken(ports.random, invitee.userId)
    if (await isMemberOf(trx, watchlistId, invitee)) throw new Problem('BAD_REQUEST', A_MEMBER)
    const { createdAt, expiresAt } = validity(now)
    await makeRoom(trx, watchlistId, { invitee, now: createdAt })
    const row = {
      watchlist_id: watchlistId,
      user_id: invitee.userId,
      username: invitee.username,
      invited_by: user.username,
      created_at: createdAt,
      expires_at: expiresAt,
    }
    await saveInvitation(trx, row, hashOfSecret(token))
    happened('invitation.sent', { recipientId: invitee.userId })
    await writeMail(ports, trx, { invitee, invitedBy: user.username, watchlistId, token })
    return { watchlistId, username: invitee.username, token, createdAt, expiresAt }
  })
  ports.mail.wake()
  return invitation
}

/** The pending invitations of a watchlist, oldest first. */
export async function listPendingInvitations(
  { database, clock, mailed }: InvitationPorts & MailedPorts,
  { userId }: User,
  { watchlistId }: Access,
): Promise<PendingInvitation[]> {
  const now = clock.now().toISOString()
  const rows = await listWaiting(database.read, watchlistId, now)
  const own = rows.map((row) => ({
    ...presentInvitation(row),
    ...(row.mail_refused_at !== null && { isMailRefused: true }),
  }))
  const all = [...own, ...(await mailed.list(database.read, watchlistId, { now, userId }))]
  return all.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
}

/** The pending invitations that a user sent, for the export of their data. */
export async function exportSentInvitations(
  { database: { read }, clock, mailed }: Pick<InvitationPorts, 'database' | 'clock'> & MailedPorts,
  watchlistId: string,
  { userId, username }: User,
): Promise<PendingInvitation[]> {
  const now = clock.now().toISOString()
  const all = [
    ...(await listWaiting(read, watchlistId, now)).map(presentInvitation),
    ...(await mailed.list(read, watchlistId, { now, userId })),
  ]
  return all.filter(({ invitedBy }) => isSameUser(invitedBy, username))
}

/** Withdraws a pending invitation; its token is void. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function withdrawInvitation(
  ports: InvitationPorts,
  user: User,
  watchlistId: string,
  username: string,
): Promise<void> {
  await changeWatchlist(ports, user, 'invitation.withdraw', { watchlistId }, async ({ trx, at, happened }) => {
    const waiting = await listWaiting(trx, watchlistId, at)
    const withdrawn = waiting.find((invitation) => isSameUser(invitation.username, username))
    if (!withdrawn) throw new Problem('NOT_FOUND')
    await removeInvitation(ports, trx, { userId: withdrawn.user_id, watchlistId })
    happened('invitation.withdrawn')
  })
}

/** The pending invitations of a user, newest first. The invitee sees the name of a private watchlist, too. */
export async function listReceivedInvitations(
  { database, clock }: Pick<InvitationPorts, 'database' | 'clock'>,
  user: User,
): Promise<ReceivedInvitation[]> {
  const now = clock.now().toISOString()
  const rows = await listWaitingFor(database.read, user.userId, { now, limit: MAX_RECEIVED_INVITATIONS })
  const ids = rows.map((row) => row.watchlist_id)
  const names = await findWatchlistNames(database.read, ids)
  return rows.flatMap((row) => {
    const watchlistName = names.get(row.watchlist_id)
    return watchlistName === undefined ? [] : [{ ...presentInvitation(row), watchlistName }]
  })
}

/**
 * Declines a pending invitation. The members do not see that of one which went to a mail address, since that would tell
 * them that the address has an account. @throws {Problem} NOT_FOUND.
 */
export async function declineInvitation(ports: InvitationPorts, user: User, watchlistId: string): Promise<void> {
  await changeWithoutVerb(ports, user, { watchlistId }, async ({ trx, at, happened }) => {
    const invitation = await findPending(trx, user.userId, watchlistId, at)
    if (!invitation) throw new Problem('NOT_FOUND')
    await removeInvitation(ports, trx, { userId: user.userId, watchlistId })
    if (invitation.link_id === null) happened('invitation.declined')
  })
}

/** Gives a user the invitation that went to their mail address; false if they have another pending one. */
export const receiveMailInvitation = saveMailInvitation

/** Deletes what users received by links that work no longer. */
export const forgetMailInvitations = deleteMailInvitations

/** Deletes the history of mails to a user whose account is deleted. */
export const forgetInvitee = deleteInvitationMails

/** Removes the invitation of a user, if there is one, and its mail. */
export async function removeInvitation(
  ports: Pick<InvitationPorts, 'mail' | 'facts'>,
  trx: AnyDb,
  { userId, watchlistId }: { userId: string; watchlistId: string },
): Promise<void> {
  await deleteInvitations(trx, watchlistId, [userId])
  await arrival(ports.facts.settle(trx, watchlistId, { invitationOf: userId }))
  await cancelInvitationMail(ports, trx, { userId, watchlistId })
}

/** Pending invitations of others count as members. @throws {Problem} BAD_REQUEST if no place is left. */
export async function makeRoom(
  trx: AnyDb,
  watchlistId: string,
  { invitee, now }: { invitee: User; now: string },
): Promise<void> {
  await deleteInvitations(trx, watchlistId, await listExpiredIds(trx, watchlistId, now), { expiredBy: now })
  const others = (await listInvitedIds(trx, watchlistId)).filter((id) => id !== invitee.userId)
  const taken = others.length + (await countMembers(trx, watchlistId))
  if (taken >= MAX_MEMBERS_PER_WATCHLIST) throw new Problem('BAD_REQUEST', NO_PLACE)
}

/** A user without an address gets no mail. */
async function writeMail(
  ports: InvitationPorts,
  trx: AnyDb,
  invitation: { invitee: Invitee; invitedBy: string; watchlistId: string; token: string },
): Promise<void> {
  const { invitee, invitedBy, watchlistId, token } = invitation
  const watchlistName = (await findWatchlistNames(trx, [watchlistId])).get(watchlistId)
  if (invitee.email === undefined || watchlistName === undefined) return
  const language = await findLanguage(trx, invitee.userId)
  const mail = { to: invitee.email, language, username: invitee.username, invitedBy, watchlistName, token }
  await mailInvitation(ports, trx, { userId: invitee.userId, watchlistId }, ports.invitationMail(mail))
}

function validity(now: Date): { createdAt: string; expiresAt: string } {
  const expiresAt = new Date(now.getTime() + INVITATION_VALID_DAYS * DAY_MS)
  return { createdAt: now.toISOString(), expiresAt: expiresAt.toISOString() }
}
