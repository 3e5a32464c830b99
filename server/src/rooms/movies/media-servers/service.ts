import type { DataExport } from '@marquee/contract/entities/account'
import type { MediaServer, MediaServerKind, ServerCopy } from '@marquee/contract/entities/media-server'
import { MAX_MEDIA_SERVERS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { isPublicAddress } from '@marquee/platform/network/addresses'
import { isAllowedUrl } from '@marquee/platform/network/guarded-fetch'
import { MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'

import type { User } from '../../club/people/service.ts'
import { authorizeRead, changeWatchlist, type Happened, type WatchlistPorts } from '../../club/watchlists/service.ts'
import { baseOf } from './adapters/client.ts'
import type { MediaServerPort } from './adapters/port.ts'
import { asked, LOST } from './asked.ts'
import type { FoundCopy } from './copies.ts'
import {
  deleteServer,
  dropLists,
  findServer,
  insertServer,
  listServerRows,
  makeDue,
  saveServer,
  type ServerKey,
  type ServerRow,
} from './store.ts'
import { connectTo, keyOf, linkTo, type MediaServerOptions, sealTarget } from './target.ts'

export { openMediaServer } from './adapters/open.ts'
export { PLEX_OWNER } from './adapters/plex.ts'
export {
  type AskedState,
  MediaServerFault,
  type MediaServerPort,
  NotAllowed,
  NothingToMark,
  type RequestServerPort,
} from './adapters/port.ts'
export { plainId, type RawReport, readReport, type Report } from './adapters/reports.ts'
export { openSeerr } from './adapters/seerr.ts'
export { askByKey, asked, LOST, meetAgain, requireSameMachine } from './asked.ts'
export { findCopies, findListed, type FoundCopy } from './copies.ts'
export { type ComparedMovie, isSameMovie } from './match.ts'
export {
  findKeyGiver,
  findServer,
  hasListedId,
  listReadLists,
  makeAllDue as haveServersRead,
  type ReadList,
  type ServerRow,
} from './store.ts'
export { keyOf, type MediaServerOptions, openAs, openTarget, SEALED_SERVERS, sealTarget } from './target.ts'

export type MediaServerPorts = WatchlistPorts & {
  /** Missing if the operator has not switched them on. */
  readonly mediaServers?: MediaServerOptions | undefined
  /** Starts to read, and to remove lists. */
  readonly wakeMediaServers: () => void
  /** Ends the links whose marks are sent with the key of a server, but not those of its new giver. */
  readonly endLinksByKey: (trx: AnyDb, key: ServerKey, giverId: string) => Promise<void>
  /** Ends all links to a server, because another machine is in its place. */
  readonly endLinksTo: (trx: AnyDb, key: ServerKey) => Promise<void>
}

type Options = MediaServerPorts & { readonly mediaServers: MediaServerOptions }
type Given = {
  readonly kind: MediaServerKind
  readonly url: string
  readonly token: string
  readonly openUrl: string | null
}
type GivenChange = { readonly token?: string | undefined; readonly openUrl?: string | null | undefined }

/** A member waits for the answer. */
const ASK_MS = 20 * SECOND_MS
/** A list that was read so recently is not read again for a member. */
const FRESH_MS = MINUTE_MS
const TOO_MANY = `A watchlist cannot have more than ${MAX_MEDIA_SERVERS} media servers`
const KNOWN = 'This media server is already connected'
const NOT_A_PAGE = 'The address for members must begin with http:// or https://'

/** The servers of a watchlist, in the order in which they were connected. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function listMediaServers(
  ports: MediaServerPorts,
  user: User,
  watchlistId: string,
): Promise<MediaServer[]> {
  const { database } = requireOn(ports)
  const { isOwner } = await authorizeRead(database.read, user, 'media.read', watchlistId)
  return (await listServerRows(database.read, watchlistId)).map((row) => present(row, isOwner))
}

/**
 * Connects a server, which is asked who it is. Its list is read in the background.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST with the fault of the server, or if there are too many.
 */
export async function connectMediaServer(
  given: MediaServerPorts,
  user: User,
  watchlistId: string,
  { kind, token, ...entered }: Given,
): Promise<MediaServer> {
  const ports = requireOn(given)
  const { mediaServers, database, random } = ports
  await authorizeRead(database.read, user, 'media.manage', watchlistId)
  // An address that was copied from a browser or a log may have a key in its query, and members see the address.
  const [url, openUrl] = [baseOf(entered.url), pageOf(entered.openUrl)]
  const server = mediaServers.open({ kind, url, token }, mediaServers.reach)
  const info = await asked(async () => await server.identify(AbortSignal.timeout(ASK_MS)))
  const pageUrl = openUrl ?? ((await isPublic(ports, url)) ? url : null)
  const serverId = random.uuid()
  const target = sealTarget({ ...mediaServers, random }, { watchlistId, serverId }, { url, token })
  const row = await changeWatchlist(ports, user, 'media.manage', { watchlistId }, async (change) => {
    const { trx, now, at, happened } = change
    const others = await listServerRows(trx, watchlistId)
    if (others.length >= MAX_MEDIA_SERVERS) throw new Problem('BAD_REQUEST', TOO_MANY)
    requireUnknown(others, kind, info.machineId)
    const made: ServerRow = {
      watchlist_id: watchlistId,
      id: serverId,
      kind,
      name: info.name,
      machine_id: info.machineId,
      host: new URL(url).host,
      open_url: pageUrl,
      target,
      ...UNREAD,
      seen_at: at,
      read_at: null,
      movies: null,
      list_id: null,
      created_at: at,
      creator_id: user.userId,
      due_at: now.getTime(),
    }
    await insertServer(trx, made)
    happened('servers.changed')
    return made
  })
  ports.wakeMediaServers()
  return present(row, true)
}

/** @throws {Problem} BAD_REQUEST if one of the servers is this machine. */
function requireUnknown(servers: readonly ServerRow[], kind: MediaServerKind, machineId: string): void {
  if (servers.some((server) => server.kind === kind && server.machine_id === machineId))
    throw new Problem('BAD_REQUEST', KNOWN)
}

/** A new key ends a reading with the earlier one. */
const UNREAD = { state: 'waiting', fault: null, attempts: 0, claimed_by: null } as const

/**
 * Changes the key of a server, which is asked with it, or where members open it. With a new key, another machine may take the
 * place of the one before; nothing else lets it.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST with the fault of the server.
 */
export async function changeMediaServer(
  given: MediaServerPorts,
  user: User,
  key: ServerKey,
  { token, openUrl }: GivenChange,
): Promise<MediaServer> {
  const ports = requireOn(given)
  const { database } = ports
  await authorizeRead(database.read, user, 'media.manage', key.watchlistId)
  const pageUrl = openUrl === undefined ? undefined : pageOf(openUrl === '' ? null : openUrl)
  const found = await requireServer(database.read, key)
  const renewed = token === undefined ? undefined : await renewWith(ports, found, token)
  const row = await changeWatchlist(ports, user, 'media.manage', key, async ({ trx, now, happened }) => {
    const current = await requireServer(trx, key)
    const change = {
      ...(pageUrl !== undefined && { open_url: pageUrl }),
      ...(renewed && { target: renewed.target, creator_id: user.userId, ...UNREAD, due_at: now.getTime() }),
      ...(renewed && (await replaceMachine(ports, trx, { current, machineId: renewed.machineId, now }))),
    }
    if (Object.keys(change).length > 0) await saveServer(trx, key, change)
    if (renewed && current.creator_id !== user.userId) await ports.endLinksByKey(trx, key, user.userId)
    happened('servers.changed')
    return { ...current, ...change }
  })
  ports.wakeMediaServers()
  return present(row, true)
}

/**
 * The target with another key, and which machine accepts it.
 * @throws {Problem} BAD_REQUEST with the fault of the server, which is asked with it.
 */
async function renewWith(
  { mediaServers, random }: Options,
  row: ServerRow,
  token: string,
): Promise<{ readonly target: string; readonly machineId: string }> {
  const connection = connectTo(mediaServers, row)
  if (!connection) throw new Problem('BAD_REQUEST', LOST)
  const { url } = connection.target
  const server = mediaServers.open({ kind: row.kind, url, token }, mediaServers.reach)
  const { machineId } = await asked(async () => await server.identify(AbortSignal.timeout(ASK_MS)))
  return { target: sealTarget({ ...mediaServers, random }, keyOf(row), { url, token }), machineId }
}

/** Another machine has neither the users nor the items of the one before. Returns what changes of the server. */
async function replaceMachine(
  ports: Options,
  trx: AnyDb,
  { current, machineId, now }: { readonly current: ServerRow; readonly machineId: string; readonly now: Date },
): Promise<Partial<ServerRow>> {
  if (machineId === current.machine_id) return {}
  const key = keyOf(current)
  requireUnknown(await listServerRows(trx, key.watchlistId), current.kind, machineId)
  await ports.endLinksTo(trx, key)
  await dropLists(trx, key, { except: null, now: now.getTime() })
  return { machine_id: machineId, list_id: null, read_at: null, movies: null }
}

/** Its key, its list and the links to it are gone at once. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function deleteMediaServer(given: MediaServerPorts, user: User, key: ServerKey): Promise<void> {
  const ports = requireOn(given)
  await changeWatchlist(ports, user, 'media.manage', key, async ({ trx, now, happened }) => {
    await requireServer(trx, key)
    await deleteServer(trx, key, now.getTime())
    happened('servers.changed')
  })
  ports.wakeMediaServers()
}

/** Disconnects the servers to which a user gave a key: it may open more of theirs than movies. */
export async function disconnectServersOf(
  trx: AnyDb,
  watchlistId: string,
  userId: string,
  { now, happened }: { readonly now: string; readonly happened: Happened },
): Promise<void> {
  for (const row of await listServerRows(trx, watchlistId)) {
    if (row.creator_id !== userId) continue
    await deleteServer(trx, keyOf(row), Date.parse(now))
    happened('servers.changed')
  }
}

/** Has a server read now, unless it was read a moment ago. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function readMediaServer(given: MediaServerPorts, user: User, key: ServerKey): Promise<MediaServer> {
  const ports = requireOn(given)
  const { isOwner } = await authorizeRead(ports.database.read, user, 'media.read', key.watchlistId)
  const row = await changeWatchlist(ports, user, 'media.read', key, async ({ trx, now }) => {
    const found = await requireServer(trx, key)
    const isFresh = found.fault === null && Date.parse(found.read_at ?? '') > now.getTime() - FRESH_MS
    if (isFresh) return found
    await makeDue(trx, key, now.getTime())
    return { ...found, state: 'reading' as const }
  })
  ports.wakeMediaServers()
  return present(row, isOwner)
}

/** A copy as members see it, or without its link. */
export function presentCopy(options: MediaServerOptions, { row, itemId }: FoundCopy, isLinked: boolean): ServerCopy {
  const { id: serverId, kind, name } = row
  return { serverId, kind, name, link: isLinked ? linkTo(options, row, itemId) : null }
}

/** The ids of the servers of a watchlist whose key a user gave. */
export async function listGivenServers(db: AnyDb, watchlistId: string, userId: string): Promise<ReadonlySet<string>> {
  const rows = await listServerRows(db, watchlistId)
  return new Set(rows.flatMap(({ id, creator_id: giverId }) => (giverId === userId ? id : [])))
}

/** The servers that a user connected to a watchlist, for the export of their data, without their keys. */
export async function exportMediaServers(
  { database: { read } }: Pick<MediaServerPorts, 'database'>,
  watchlistId: string,
  { userId }: User,
): Promise<DataExport['watchlists'][number]['mediaServers']> {
  const rows = await listServerRows(read, watchlistId)
  return rows
    .filter((row) => row.creator_id === userId)
    .map(({ id: serverId, kind, name, host, open_url: openUrl, created_at: createdAt }) => ({
      serverId,
      kind,
      name,
      host,
      openUrl: openUrl && baseOf(openUrl),
      createdAt,
    }))
}

/** A connection to a server by its key. Undefined if no known key opens its address. */
export function connectByKey(options: MediaServerOptions, row: ServerRow): MediaServerPort | undefined {
  return connectTo(options, row)?.server
}

/** @throws {Problem} NOT_FOUND if there is no such server. */
export async function requireServer(db: AnyDb, key: ServerKey): Promise<ServerRow> {
  const row = await findServer(db, key)
  if (!row) throw new Problem('NOT_FOUND')
  return row
}

/** @throws {Problem} NOT_FOUND while media servers are switched off. */
export function requireOn<P extends Pick<MediaServerPorts, 'mediaServers'>>(
  ports: P,
): P & { readonly mediaServers: MediaServerOptions } {
  const { mediaServers } = ports
  if (!mediaServers) throw new Problem('NOT_FOUND')
  return { ...ports, mediaServers }
}

/** What browsers open, so it may be anywhere, without a query. @throws {Problem} BAD_REQUEST if it is not a page. */
function pageOf(openUrl: string | null): string | null {
  if (openUrl === null) return null
  const url = URL.parse(openUrl)
  const isPage = url !== null && /^https?:$/u.test(url.protocol) && url.username === '' && url.password === ''
  if (!isPage) throw new Problem('BAD_REQUEST', NOT_A_PAGE)
  return baseOf(openUrl)
}

/** Whether members can open the address from anywhere. */
async function isPublic({ mediaServers }: Options, url: string): Promise<boolean> {
  const { allowPort, lookup } = mediaServers.reach
  return await isAllowedUrl(url, { allowAddress: isPublicAddress, allowPort, ...(lookup && { lookup }) })
}

function present(row: ServerRow, isOwner: boolean): MediaServer {
  const { id: serverId, kind, name, state, fault, movies } = row
  const times = { seenAt: row.seen_at, readAt: row.read_at }
  return {
    serverId,
    kind,
    name,
    state,
    fault,
    ...times,
    movies,
    host: isOwner ? row.host : null,
    // A process of an earlier version may have stored it with a query.
    openUrl: row.open_url && baseOf(row.open_url),
  }
}
