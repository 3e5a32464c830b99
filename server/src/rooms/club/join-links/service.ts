import type {
  JoinLink,
  JoinLinkPreview,
  JoinLinks,
  LinkCreators,
  NewJoinLink,
} from '@marquee/contract/entities/join-link'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { MAX_OPEN_JOIN_LINKS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import { forgetInvitations, forgetMailInvitations, type InvitationPorts } from '../invitations/service.ts'
import type { User } from '../people/service.ts'
import {
  type Access,
  changeWatchlist,
  changeWithoutVerb,
  isMemberOf,
  loadWatchlist,
  type WatchlistPorts,
} from '../watchlists/service.ts'
import { becomeMember } from './joining.ts'
import type { AddressBook } from './mail-invitations.ts'
import { type LinkKeys, newLink, stateOf, tokenIn, tokenOf } from './link.ts'
import {
  deleteEndedLinks,
  deleteLinksBy,
  findByToken,
  findCreators,
  findLink,
  insertLink,
  type JoinLinkRow,
  listOpenLinks,
  revokeLinks,
  saveCreators,
  takeUse,
} from './store.ts'

export { endedInvitations } from './ended-invitations.ts'
export { findAddressee, mailedInvitations, receiveByAddress } from './mail-invitations.ts'
export { noteRefusedLink } from './store.ts'
export { forgetReservation, redeemReservation, reserveByPath, sweepReservations } from './reservations.ts'

type AddressPorts = Pick<InvitationPorts, 'database'> & AddressBook

const NOT_YOUR_ADDRESS = 'This invitation is for another e-mail address'
const NOT_OPEN = 'This join link does not work any more'
const TOO_MANY = `A watchlist cannot have more than ${MAX_OPEN_JOIN_LINKS} open join links`

type LinkPorts = WatchlistPorts & LinkKeys
/** Who reads the links. */
type LinkReader = { readonly user: User; readonly isOwner: boolean }

/**
 * Creates a join link.
 * @throws {Problem} NOT_FOUND; FORBIDDEN, also if only the owner may create links; BAD_REQUEST if there are too many.
 */
export async function createJoinLink(
  ports: LinkPorts,
  user: User,
  watchlistId: string,
  { days, maxUses }: { days: number; maxUses: number },
): Promise<NewJoinLink> {
  const { link, token } = newLink(ports, user, { watchlistId, days, maxUses, address: null })
  return await changeWatchlist(ports, user, 'link.add', { watchlistId }, async ({ trx, isOwner, happened }) => {
    if (!isOwner && (await findCreators(trx, watchlistId)) === 'owner') throw new Problem('FORBIDDEN')
    await deleteEndedLinks(trx, watchlistId, link.created_at)
    const open = await listOpenLinks(trx, watchlistId, link.created_at)
    if (open.length >= MAX_OPEN_JOIN_LINKS) throw new Problem('BAD_REQUEST', TOO_MANY)
    await insertLink(trx, link)
    happened('link.created')
    return { ...present(link), token }
  })
}

export async function listJoinLinks(
  ports: LinkPorts,
  user: User,
  { watchlistId, isOwner }: Pick<Access, 'watchlistId' | 'isOwner'>,
): Promise<JoinLinks> {
  return await readLinks(ports, ports.database.read, watchlistId, { user, isOwner })
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function revokeJoinLink(
  ports: WatchlistPorts,
  user: User,
  watchlistId: string,
  linkId: string,
): Promise<void> {
  const item = async (db: AnyDb) => {
    const link = await findLink(db, { watchlistId, linkId })
    // Those with an address are invitations, and withdrawn as such.
    return link?.address === null ? { authorId: link.user_id } : undefined
  }
  await changeWatchlist(ports, user, 'link.revoke', { watchlistId, item }, async ({ trx, at, happened }) => {
    await forgetMailInvitations(trx, watchlistId, await revokeLinks(trx, watchlistId, { linkId }, at))
    happened('link.revoked')
  })
}

/** Sets who may create links. `owner` revokes the links of other members. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function setLinkCreators(
  ports: LinkPorts,
  user: User,
  watchlistId: string,
  creators: LinkCreators,
): Promise<JoinLinks> {
  return await changeWatchlist(ports, user, 'link.setCreators', { watchlistId }, async ({ trx, at, happened }) => {
    await saveCreators(trx, watchlistId, creators)
    if (creators === 'owner') {
      const invited = await revokeLinks(trx, watchlistId, { exceptBy: user.userId }, at)
      await forgetMailInvitations(trx, watchlistId, invited)
    }
    happened('link.creators-set')
    return await readLinks(ports, trx, watchlistId, { user, isOwner: true })
  })
}

/** What anyone who has the link sees. @throws {Problem} NOT_FOUND if there is no such link. */
export async function previewJoinLink(ports: WatchlistPorts, token: string): Promise<JoinLinkPreview> {
  const { link, state } = (await findState(ports, token)) ?? {}
  if (!link || !state) throw new Problem('NOT_FOUND', NOT_OPEN)
  if (state !== 'open') return { state, watchlist: null }
  const { name, fullImageUrl, members } = await loadWatchlist(ports, ports.database.read, link.watchlist_id)
  const watchlist = { name, imageUrl: fullImageUrl, invitedBy: link.username, memberCount: members?.length ?? 0 }
  return { state, watchlist }
}

/** Whether a path of the web app is that of an open join link. */
export async function isOpenJoinPath(
  ports: Pick<WatchlistPorts, 'database' | 'clock'>,
  path: string,
): Promise<boolean> {
  const token = tokenIn(path)
  return token !== undefined && (await findState(ports, token))?.state === 'open'
}

/**
 * Joins a watchlist. A member does not use the link up.
 * @throws {Problem} NOT_FOUND if the link is not open; FORBIDDEN if it invites the address of another user; BAD_REQUEST if no
 * place is left.
 */
export async function joinByLink(ports: InvitationPorts & AddressBook, user: User, token: string): Promise<Watchlist> {
  const isAddressee = await isAddresseeOf(ports, user, token)
  const key = await findByToken(ports.database.read, hashOfSecret(token))
  if (!key) throw new Problem('NOT_FOUND', NOT_OPEN)
  const { watchlistId } = key
  const place = { watchlistId, notFound: NOT_OPEN }
  return await changeWithoutVerb(ports, user, place, async ({ trx, at, happened }) => {
    if (!(await isMemberOf(trx, watchlistId, user))) {
      if (!isAddressee) throw new Problem('FORBIDDEN', NOT_YOUR_ADDRESS)
      const invited = await takeUse(trx, key, at)
      if (!invited) throw new Problem('NOT_FOUND', NOT_OPEN)
      await becomeMember(ports, trx, { watchlistId, user, at, invited, happened })
    }
    return await loadWatchlist(ports, trx, watchlistId)
  })
}

/**
 * Whether the user may join by the link: anyone, unless it went to a mail address. Amazon Cognito does not find every address;
 * there only the addressee that it finds counts.
 */
async function isAddresseeOf({ database, accounts }: AddressPorts, user: User, token: string): Promise<boolean> {
  const key = await findByToken(database.read, hashOfSecret(token))
  const { address } = (key && (await findLink(database.read, key))) ?? { address: null }
  if (address === null) return true
  const addressee = await accounts.findUserByEmail(address)
  return addressee ? addressee.userId === user.userId : accounts.account === undefined
}

/** The open links that a user created. */
export async function exportJoinLinks(
  { database, clock }: Pick<WatchlistPorts, 'database' | 'clock'>,
  watchlistId: string,
  { userId }: User,
): Promise<JoinLink[]> {
  const links = await listOpenLinks(database.read, watchlistId, clock.now().toISOString())
  return links.filter((link) => link.user_id === userId).map(present)
}

/** Deletes the invitations of these users, and their join links: a link works only while its creator is a member. */
export async function forgetJoining(trx: AnyDb, watchlistId: string, userIds: readonly string[]): Promise<void> {
  await forgetInvitations(trx, watchlistId, userIds)
  await forgetMailInvitations(trx, watchlistId, await deleteLinksBy(trx, watchlistId, userIds))
}

/** Revokes all join links. A member who is removed may have one. */
export async function revokeJoinLinks(trx: AnyDb, watchlistId: string, now: string): Promise<void> {
  await forgetMailInvitations(trx, watchlistId, await revokeLinks(trx, watchlistId, 'all', now))
}

async function readLinks(
  ports: LinkPorts,
  db: AnyDb,
  watchlistId: string,
  { user, isOwner }: LinkReader,
): Promise<JoinLinks> {
  const creators = await findCreators(db, watchlistId)
  const links = await listOpenLinks(db, watchlistId, ports.clock.now().toISOString())
  // A personal token that may only read lets no one in.
  const maySee = (link: JoinLinkRow) => user.tokenScope !== 'read' && (isOwner || link.user_id === user.userId)
  return {
    creators,
    links: links.map((link) => ({ ...present(link), token: maySee(link) ? tokenOf(ports, link) : null })),
  }
}

async function findState({ database, clock }: Pick<WatchlistPorts, 'database' | 'clock'>, token: string) {
  const key = await findByToken(database.read, hashOfSecret(token))
  const link = key && (await findLink(database.read, key))
  return link && { link, state: stateOf(link, clock.now().toISOString()) }
}

function present(link: JoinLinkRow): JoinLink {
  return {
    id: link.id,
    createdBy: link.username,
    createdAt: link.created_at,
    expiresAt: link.expires_at,
    maxUses: link.max_uses,
    uses: link.uses,
  }
}
