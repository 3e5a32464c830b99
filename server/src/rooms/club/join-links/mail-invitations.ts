import { createHmac, type KeyObject } from 'node:crypto'

import type { PendingInvitation } from '@marquee/contract/entities/invitation'
import { INVITATION_VALID_DAYS, MAX_INVITATION_MAILS_PER_DAY, MAX_MAIL_INVITATIONS } from '@marquee/contract/limits'
import type { Language } from '@marquee/contract/languages'
import { Problem } from '@marquee/contract/problems'
import { mailboxKey, usernameKey as addressForm } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'
import type { MailMessage } from '@marquee/platform/mail/message'

import {
  cancelInvitationMail,
  forgetMailInvitations,
  type InvitationPorts,
  mailInvitation,
  receiveMailInvitation,
} from '../invitations/service.ts'
import { findLanguage, type User } from '../people/service.ts'
import { changeWatchlist, findWatchlistNames, isMemberOf } from '../watchlists/service.ts'
import { isOpen, type LinkKeys, newLink } from './link.ts'
import {
  deleteEndedLinks,
  findCreators,
  findLink,
  insertLink,
  type JoinLinkRow,
  type LinkKey,
  listOpenLinks,
  revokeLinks,
  saveInvitee,
  takeUse,
} from './store.ts'

type AddressKey = {
  /** The key of the hashes of addresses. */
  readonly addressKey: KeyObject
}

export type MailInvitationPorts = InvitationPorts &
  LinkKeys &
  AddressKey & {
    /** Composes the mail with the token. */
    readonly joinMail: (invitation: {
      to: string
      language: Language | undefined
      invitedBy: string
      watchlistName: string
      token: string
    }) => MailMessage
  }

/** With Amazon Cognito a failure of the user pool rejects. */
export type AddressBook = {
  readonly accounts: {
    readonly findUserByEmail: (email: string) => Promise<User | undefined>
    /** Set for the built-in pool, which finds every address. */
    readonly account: object | undefined
  }
}

const TOO_MANY = `A watchlist cannot have more than ${MAX_MAIL_INVITATIONS} pending invitations by mail`
const ENOUGH_MAILS = 'This address has received enough invitations for today. Please try again tomorrow.'

/**
 * Invites a mail address with a link for one user. It never looks for an account, so that neither the reply nor its time
 * tells whether there is one: see docs/decisions/0055-mail-invitations-look-for-no-account.md.
 * @throws {Problem} NOT_FOUND; FORBIDDEN, also if only the owner may create links; BAD_REQUEST if there are too many.
 */
export async function inviteByMail(
  ports: MailInvitationPorts,
  user: User,
  watchlistId: string,
  email: string,
): Promise<PendingInvitation> {
  const address = addressForm(email)
  const { link, token } = newLink(ports, user, { watchlistId, days: INVITATION_VALID_DAYS, maxUses: 1, address })
  const now = link.created_at
  const invitation = await changeWatchlist(ports, user, 'link.add', { watchlistId }, async (change) => {
    const { trx, isOwner, happened } = change
    if (!isOwner && (await findCreators(trx, watchlistId)) === 'owner') throw new Problem('FORBIDDEN')
    await deleteEndedLinks(trx, watchlistId, now)
    const open = await listOpenLinks(trx, watchlistId, now, 'mailed')
    const earlier = open.filter((other) => other.address !== null && mailboxKey(other.address) === mailboxKey(address))
    if (open.length - earlier.length >= MAX_MAIL_INVITATIONS) throw new Problem('BAD_REQUEST', TOO_MANY)
    for (const { id: linkId } of earlier) await endInvitation(trx, { watchlistId, linkId }, now)
    await insertLink(trx, link)
    const watchlistName = (await findWatchlistNames(trx, [watchlistId])).get(watchlistId) ?? ''
    // The reader's own language would need a look at their account.
    const language = await findLanguage(trx, user.userId)
    const mail = ports.joinMail({ to: email, language, invitedBy: user.username, watchlistName, token })
    const receiver = { userId: receiverOf(ports, address), watchlistId, linkId: link.id }
    const isSent = await mailInvitation(ports, trx, receiver, mail, MAX_INVITATION_MAILS_PER_DAY)
    if (!isSent) throw new Problem('BAD_REQUEST', ENOUGH_MAILS)
    // The background looks for the account, and gives it the invitation.
    happened('invitation.sent', { recipientId: link.id })
    return presentMailed(link, user.userId)
  })
  ports.mail.wake()
  return invitation
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function withdrawMailInvitation(
  ports: InvitationPorts & AddressKey,
  user: User,
  watchlistId: string,
  linkId: string,
): Promise<void> {
  await changeWatchlist(ports, user, 'invitation.withdraw', { watchlistId }, async ({ trx, at, happened }) => {
    const link = await findLink(trx, { watchlistId, linkId })
    if (!link || link.address === null || !isOpen(link, at)) throw new Problem('NOT_FOUND')
    await endInvitation(trx, { watchlistId, linkId }, at)
    await cancelInvitationMail(ports, trx, { userId: receiverOf(ports, link.address), watchlistId })
    happened('invitation.withdrawn')
  })
}

/** What the pending and received invitations need of those by mail. */
export const mailedInvitations = {
  list: async (db: AnyDb, watchlistId: string, { now, userId }: { now: string; userId: string }) =>
    (await listOpenLinks(db, watchlistId, now, 'mailed')).map((link) => presentMailed(link, userId)),
  use: async (trx: AnyDb, link: LinkKey, now: string) => (await takeUse(trx, link, now)) !== undefined,
}

/** The user with the address that an invitation by mail went to; undefined if there is none, and for other invitations. */
export async function findAddressee(
  { accounts, database }: Pick<MailInvitationPorts, 'database'> & AddressBook,
  { watchlist_id: watchlistId, invitee_id: linkId }: { watchlist_id: string; invitee_id: string | null },
): Promise<User | undefined> {
  const link = linkId === null ? undefined : await findLink(database.read, { watchlistId, linkId })
  return typeof link?.address === 'string' ? await accounts.findUserByEmail(link.address) : undefined
}

/** Gives the user with the address the invitation, unless they are a member or invited. Resolves to whether it did. */
export async function receiveByAddress(trx: AnyDb, key: LinkKey, user: User, now: string): Promise<boolean> {
  const link = await findLink(trx, key)
  if (!link || !isOpen(link, now) || (await isMemberOf(trx, key.watchlistId, user))) return false
  const isReceived = await receiveMailInvitation(trx, {
    watchlist_id: key.watchlistId,
    user_id: user.userId,
    username: user.username,
    invited_by: link.username,
    created_at: link.created_at,
    expires_at: link.expires_at,
    token_hash: link.token_hash,
    link_id: link.id,
  })
  if (isReceived) await saveInvitee(trx, key, user.userId)
  return isReceived
}

async function endInvitation(trx: AnyDb, { watchlistId, linkId }: LinkKey, now: string): Promise<void> {
  await forgetMailInvitations(trx, watchlistId, await revokeLinks(trx, watchlistId, { linkId }, now))
}

/** Only the inviter reads the whole address. */
function presentMailed(link: JoinLinkRow, readerId: string): PendingInvitation {
  const address = link.address ?? ''
  return {
    watchlistId: link.watchlist_id,
    username: link.user_id === readerId ? address : shortened(address),
    invitedBy: link.username,
    createdAt: link.created_at,
    expiresAt: link.expires_at,
    linkId: link.id,
    ...(link.mail_refused_at !== null && { isMailRefused: true }),
  }
}

/** The first character and the domain, so that other members do not learn the address. */
function shortened(address: string): string {
  const at = address.lastIndexOf('@')
  return `${/^./u.exec(address)?.[0] ?? ''}…${address.slice(at)}`
}

/**
 * The name under which the mails to a mailbox are counted. No user has it as an id, and the database alone does not tell the
 * address.
 */
function receiverOf({ addressKey }: AddressKey, address: string): string {
  return `address:${createHmac('sha256', addressKey).update(mailboxKey(address)).digest('base64url')}`
}
