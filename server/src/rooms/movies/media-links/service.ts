import type { DataExport } from '@marquee/contract/entities/account'
import type { MediaLink, MediaLinks } from '@marquee/contract/entities/media-link'
import type { MediaServerKind } from '@marquee/contract/entities/media-server'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { SECOND_MS } from '@marquee/platform/runtime/durations'

import type { User } from '../../club/people/service.ts'
import { authorizeRead, changeWatchlist } from '../../club/watchlists/service.ts'
import {
  asked,
  keyOf,
  listGivenServers,
  LOST,
  meetAgain,
  type MediaServerOptions,
  type MediaServerPort,
  type MediaServerPorts,
  openAs,
  requireOn,
  requireSameMachine,
  requireServer,
  type ServerRow,
} from '../media-servers/service.ts'
import type { ServerMarks } from '../viewings/service.ts'
import { forgetMarks, holdMarks, resumeMarks, wantSeen, wantUnseen } from './mark-store.ts'
import {
  changeLink,
  deleteLink,
  findLink,
  type LinkKey,
  type LinkRow,
  listHooks,
  listLinksOf,
  listLinksTo,
  listWaiting,
  saveLink,
  type ServerKey,
} from './store.ts'
import { sealToken } from './token.ts'

export { SEALED_LINKS } from './token.ts'

export type MediaLinkPorts = MediaServerPorts & {
  readonly publicUrl: string
  /** Starts to send marks to servers. */
  readonly wakeMarks: () => void
}

export type OnPorts = MediaLinkPorts & { readonly mediaServers: MediaServerOptions }

/** The member waits for the answer. */
export const ASK_MS = 20 * SECOND_MS

const NOT_OF_THIS_KIND = 'Users of this kind of media server are linked in another way'

/** What a user of a server becomes the link of. */
export type Linked = Pick<LinkRow, 'state' | 'remote_id' | 'remote_name' | 'device' | 'token' | 'is_sent'>

/**
 * The links of the caller, and those that wait for them because they gave the key of the server. For the owner also the addresses
 * of the servers.
 * @throws {Problem} NOT_FOUND; FORBIDDEN.
 */
export async function listMediaLinks(ports: MediaLinkPorts, user: User, watchlistId: string): Promise<MediaLinks> {
  const { read } = requireOn(ports).database
  const { isOwner } = await authorizeRead(read, user, 'media.link', watchlistId)
  const links = (await listLinksOf(read, watchlistId, user.userId)).map(presentLink)
  const given = await listGivenServers(read, watchlistId, user.userId)
  const waiting = given.size > 0 ? await listWaiting(read, watchlistId) : []
  const claims = waiting
    .filter((link) => given.has(link.server_id))
    .map((link) => ({
      serverId: link.server_id,
      username: link.username,
      accountId: link.remote_id,
      name: link.remote_name,
    }))
  if (!isOwner) return { links, claims, hooks: [] }
  const hooks = (await listHooks(read, watchlistId)).map((hook) => ({
    serverId: hook.server_id,
    madeAt: hook.made_at,
    lastAt: hook.last_at,
    taken: hook.taken,
    unlinked: hook.unlinked,
    unmatched: hook.unmatched,
  }))
  return { links, claims, hooks }
}

/** The links of a user in a watchlist, for the export of their data, without their tokens. */
export async function exportMediaLinks(
  { database: { read } }: Pick<MediaLinkPorts, 'database'>,
  watchlistId: string,
  { userId }: User,
): Promise<DataExport['watchlists'][number]['mediaLinks']> {
  const links = await listLinksOf(read, watchlistId, userId)
  return links.map((link) => ({ ...presentLink(link), accountId: link.remote_id }))
}

/** A server whose users are linked in one way. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST for a server of another kind. */
export async function requireKind(
  { database: { read } }: OnPorts,
  user: User,
  key: ServerKey,
  kind: MediaServerKind,
): Promise<ServerRow> {
  await authorizeRead(read, user, 'media.link', key.watchlistId)
  const row = await requireServer(read, key)
  if (row.kind !== kind) throw new Problem('BAD_REQUEST', NOT_OF_THIS_KIND)
  return row
}

/**
 * Calls of a user who is about to sign in. The server first says that it is still the one that the owner has connected, so that
 * no other gets a password.
 * @throws {Problem} BAD_REQUEST with the fault of the server.
 */
export async function askAs<T>(
  { mediaServers }: OnPorts,
  row: ServerRow,
  device: string,
  calls: (port: MediaServerPort, version: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const port = openAs(mediaServers, row, { token: '', device })
  if (!port) throw new Problem('BAD_REQUEST', LOST)
  return await asked(async () => {
    const signal = AbortSignal.timeout(ASK_MS)
    return await calls(port, await meetAgain(port, row, signal), signal)
  })
}

/**
 * Links a user of a server, as it was when they signed in, in place of an earlier one. What waits to be sent is sent once the user
 * is linked.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if another machine is in its place by now.
 */
export async function linkUser(
  ports: OnPorts,
  user: User,
  met: ServerRow,
  linked: Linked | ((server: ServerRow, before: LinkRow | undefined) => Linked),
): Promise<MediaLink> {
  const key = keyOf(met)
  const row = await changeWatchlist(ports, user, 'media.link', key, async ({ trx, now, at }) => {
    const server = await requireServer(trx, key)
    requireSameMachine(met, server)
    const before = await findLink(trx, { ...key, userId: user.userId })
    const made: LinkRow = {
      watchlist_id: key.watchlistId,
      server_id: key.serverId,
      user_id: user.userId,
      username: user.username,
      ...(typeof linked === 'function' ? linked(server, before) : linked),
      linked_at: at,
      failures: 0,
      failing_since: null,
      retry_at: 0,
    }
    if (before && before.remote_id !== made.remote_id) await forgetMarks(trx, before)
    await saveLink(trx, made)
    if (made.state === 'linked') await resumeMarks(trx, made, now.getTime())
    else await holdMarks(trx, made)
    return made
  })
  ports.wakeMarks()
  return presentLink(row)
}

/** The token of a user who has signed in, as a link. */
export function linkedBy(
  { mediaServers, random }: OnPorts,
  key: LinkKey,
  { userId, name, token }: { readonly userId: string; readonly name: string; readonly token: string },
  device: string,
): Linked {
  const sealed = sealToken(mediaServers, key, token, random)
  return { state: 'linked', remote_id: userId, remote_name: name, device, token: sealed, is_sent: 1 }
}

/** The token, and what was to be sent, are gone at once. Marks here stay. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function unlinkMediaUser(given: MediaLinkPorts, user: User, key: ServerKey): Promise<void> {
  await changeWatchlist(requireOn(given), user, 'media.link', key, async ({ trx }) => {
    await requireServer(trx, key)
    await deleteLink(trx, { ...key, userId: user.userId })
  })
}

/**
 * Another member gives the key of a server: what is sent with it goes to their account. So the members whose marks were sent
 * with the earlier key link again, and the giver is asked.
 */
export async function endLinksByKey(trx: AnyDb, key: ServerKey, giverId: string): Promise<void> {
  for (const link of await listLinksTo(trx, key)) {
    const isSentByKey = link.state === 'linked' && link.is_sent === 1 && link.token === null
    if (!isSentByKey || link.user_id === giverId) continue
    await changeLink(
      trx,
      { ...key, userId: link.user_id },
      { state: 'ended', failures: 0, failing_since: null, retry_at: 0 },
    )
    await holdMarks(trx, link)
  }
}

/** Another machine is in the place of a server: no user of the one before is known there, and no token is for it. */
export async function endLinksTo(trx: AnyDb, key: ServerKey): Promise<void> {
  for (const link of await listLinksTo(trx, key)) {
    await changeLink(
      trx,
      { ...key, userId: link.user_id },
      { state: 'ended', token: null, failures: 0, failing_since: null, retry_at: 0 },
    )
    await forgetMarks(trx, link)
  }
}

/** How the viewings have servers notified that members have linked. */
export function serverMarks({ wakeMarks }: Pick<MediaLinkPorts, 'wakeMarks'>): ServerMarks {
  return {
    seen: (trx, viewer, now) => wantSeen(trx, viewer, now),
    unseen: (trx: AnyDb, viewer, now) => wantUnseen.send(trx, { ...viewer, now }),
    wake: wakeMarks,
  }
}

function presentLink(link: LinkRow): MediaLink {
  return {
    serverId: link.server_id,
    state: link.state,
    name: link.remote_name,
    isSent: link.is_sent === 1,
    linkedAt: link.linked_at,
  }
}
