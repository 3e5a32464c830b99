import type { DataExport } from '@marquee/contract/entities/account'
import type { Askers, MovieRequest, RequestServer } from '@marquee/contract/entities/movie-request'
import type { Availability } from '@marquee/contract/entities/availability'
import { MAX_OPEN_REQUESTS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { SECOND_MS } from '@marquee/platform/runtime/durations'
import type { SealedColumn } from '@marquee/platform/sealed/reseal'

import type { User } from '../../club/people/service.ts'
import { authorizeRead, changeWatchlist, type Happened, type WatchlistPorts } from '../../club/watchlists/service.ts'
import {
  asked,
  type ComparedMovie,
  findCopies,
  LOST,
  type MediaServerOptions,
  openTarget,
  requireOn,
  SEALED_SERVERS,
  sealTarget,
} from '../media-servers/service.ts'
import {
  countOpen,
  deleteRequestServerRow,
  findRequestServer,
  hastenRequests,
  insertRequest,
  insertRequestServer,
  listRequests,
  listRequestsBy,
  saveRequestServer,
  type ServerRow,
} from './store.ts'

export type MovieRequestPorts = WatchlistPorts & {
  /** Missing if the operator has not switched them on. */
  readonly mediaServers?: MediaServerOptions | undefined
  /** The movies of cards of the feed. Cards in the box are never read. */
  readonly cards: {
    readonly findFeedMovies: (db: AnyDb, watchlistId: string, cardIds: readonly string[]) => Promise<ComparedMovie[]>
  }
  /** Starts to send what was asked for. */
  readonly wakeMovieRequests: () => void
}

type Options = MovieRequestPorts & { readonly mediaServers: MediaServerOptions }
type Target = { readonly url: string; readonly token: string }

/** A server that has just accepted the key. */
const WORKS = { fault: null, failures: 0 } as const
/** The owner waits for the answer. */
const CHECK_MS = 20 * SECOND_MS
const KNOWN = 'This watchlist already has a server for requests: disconnect it first'
const OWNER_ASKS = 'In this watchlist, only the owner asks for movies'
const NO_ID = 'This movie has no id at The Movie Database, so it cannot be asked for'
const IS_HERE = 'This movie is already on a media server'
const TOO_MANY = `A watchlist cannot wait for more than ${MAX_OPEN_REQUESTS} movies`

/** The server that a watchlist asks for movies; null if there is none. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getRequestServer(
  ports: MovieRequestPorts,
  user: User,
  watchlistId: string,
): Promise<RequestServer | null> {
  const { read } = requireOn(ports).database
  const { isOwner } = await authorizeRead(read, user, 'request.read', watchlistId)
  const row = await findRequestServer(read, watchlistId)
  return row ? present(row, { isOwner, open: await countOpen(read, watchlistId) }) : null
}

/**
 * Connects the server that a watchlist asks for movies, which has to accept the key.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST with the fault of the server, or if there is one.
 */
export async function connectRequestServer(
  given: MovieRequestPorts,
  user: User,
  watchlistId: string,
  { url, token, askers }: Target & { readonly askers: Askers },
): Promise<RequestServer> {
  const ports = requireOn(given)
  await authorizeRead(ports.database.read, user, 'request.manage', watchlistId)
  const target = await sealChecked(ports, watchlistId, { url, token })
  return await changeWatchlist(ports, user, 'request.manage', { watchlistId }, async ({ trx, at, happened }) => {
    if (await findRequestServer(trx, watchlistId)) throw new Problem('BAD_REQUEST', KNOWN)
    const { host } = new URL(url)
    const row: ServerRow = {
      watchlist_id: watchlistId,
      host,
      target,
      askers,
      ...WORKS,
      seen_at: at,
      creator_id: user.userId,
    }
    await insertRequestServer(trx, row)
    happened('request.changed')
    return present(row, { isOwner: true, open: 0 })
  })
}

/**
 * Changes the key of the server, which has to accept it, or who may ask.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST with the fault of the server.
 */
export async function changeRequestServer(
  given: MovieRequestPorts,
  user: User,
  watchlistId: string,
  { token, askers }: { readonly token?: string | undefined; readonly askers?: Askers | undefined },
): Promise<RequestServer> {
  const ports = requireOn(given)
  const { database, mediaServers } = ports
  await authorizeRead(database.read, user, 'request.manage', watchlistId)
  const found = await requireServer(database.read, watchlistId)
  const before = token === undefined ? undefined : openTarget(mediaServers, keyOf(watchlistId), found.target)
  if (token !== undefined && !before) throw new Problem('BAD_REQUEST', LOST)
  const target = before && (await sealChecked(ports, watchlistId, { url: before.url, token: token ?? '' }))
  const changed = await changeWatchlist(ports, user, 'request.manage', { watchlistId }, async (change) => {
    const { trx, now, at, happened } = change
    const current = await requireServer(trx, watchlistId)
    const next = {
      ...(askers !== undefined && { askers }),
      ...(target !== undefined && { target, ...WORKS, seen_at: at, creator_id: user.userId }),
    }
    if (Object.keys(next).length > 0) await saveRequestServer(trx, watchlistId, next)
    if (target !== undefined) await hastenRequests(trx, watchlistId, now.getTime())
    happened('request.changed')
    return present({ ...current, ...next }, { isOwner: true, open: await countOpen(trx, watchlistId) })
  })
  ports.wakeMovieRequests()
  return changed
}

/** Its key and all that was asked for are gone at once. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function deleteRequestServer(given: MovieRequestPorts, user: User, watchlistId: string): Promise<void> {
  await changeWatchlist(requireOn(given), user, 'request.manage', { watchlistId }, async ({ trx, happened }) => {
    if (!(await deleteRequestServerRow(trx, watchlistId))) throw new Problem('NOT_FOUND')
    happened('request.changed')
  })
}

/** Disconnects the server to which a user gave a key. All that was asked for is gone at once. */
export async function disconnectRequestServerOf(
  trx: AnyDb,
  watchlistId: string,
  userId: string,
  happened: Happened,
): Promise<void> {
  const server = await findRequestServer(trx, watchlistId)
  if (server?.creator_id !== userId) return
  await deleteRequestServerRow(trx, watchlistId)
  happened('request.changed')
}

/**
 * Asks for the movie of a card of the feed. It is sent in the background, so an outage of the server loses nothing. A
 * member who asks again learns what became of it.
 * @throws {Problem} NOT_FOUND, also for a card in the box; FORBIDDEN; BAD_REQUEST.
 */
export async function askForMovie(
  given: MovieRequestPorts,
  user: User,
  { watchlistId, cardId }: { readonly watchlistId: string; readonly cardId: string },
): Promise<MovieRequest> {
  const ports = requireOn(given)
  const state = await changeWatchlist(ports, user, 'request.ask', { watchlistId }, async (change) => {
    const { trx, isOwner, now, happened } = change
    const { askers } = await requireServer(trx, watchlistId)
    if (askers === 'owner' && !isOwner) throw new Problem('FORBIDDEN', OWNER_ASKS)
    const cards = await ports.cards.findFeedMovies(trx, watchlistId, [cardId])
    const [card] = cards
    if (!card) throw new Problem('NOT_FOUND')
    const tmdbId = card.movie?.ids.tmdb
    if (tmdbId === undefined) throw new Problem('BAD_REQUEST', NO_ID)
    const [known] = await listRequests(trx, watchlistId, [tmdbId])
    if (known) return known.state
    if ((await findCopies(trx, watchlistId, cards)).size > 0) throw new Problem('BAD_REQUEST', IS_HERE)
    if ((await countOpen(trx, watchlistId)) >= MAX_OPEN_REQUESTS) throw new Problem('BAD_REQUEST', TOO_MANY)
    await insertRequest(trx, {
      watchlist_id: watchlistId,
      tmdb_id: tmdbId,
      card_id: cardId,
      asker_id: user.userId,
      state: 'asked',
      sent_at: null,
      due_at: now.getTime(),
      attempts: 0,
      claimed_by: null,
    })
    happened('request.made', { cardId })
    return 'asked'
  })
  ports.wakeMovieRequests()
  return { cardId, state }
}

type Exported = DataExport['watchlists'][number]

/** The server that a user connected to a watchlist, for the export of their data, without its key. */
export async function exportRequestServers(
  { database: { read } }: Pick<MovieRequestPorts, 'database'>,
  watchlistId: string,
  { userId }: User,
): Promise<Exported['requestServers']> {
  const server = await findRequestServer(read, watchlistId)
  if (server === undefined || server.creator_id !== userId) return []
  return [{ askers: server.askers, seenAt: server.seen_at, host: server.host }]
}

/** The movies that a user asked for, for the export of their data. A card that is in the box again stays secret. */
export async function exportMovieRequests(
  { database: { read }, cards }: Pick<MovieRequestPorts, 'database'> & { readonly cards: ExportedFrom },
  watchlistId: string,
  { userId }: User,
): Promise<Exported['movieRequests']> {
  const rows = await listRequestsBy(read, watchlistId, userId)
  const ids = rows.map((row) => row.card_id)
  const shown = new Set(await cards.onlyInFeed(read, watchlistId, ids))
  return rows
    .filter((row) => shown.has(row.card_id))
    .map(({ card_id: cardId, tmdb_id: tmdbId, state, sent_at: sentAt }) => ({ cardId, tmdbId, state, sentAt }))
}

type ExportedFrom = {
  readonly onlyInFeed: (db: AnyDb, watchlistId: string, cardIds: readonly string[]) => Promise<string[]>
}

/** By the id of the card: what became of movies that were asked for, and which of the others a member may ask for. */
export async function findRequests(
  db: AnyDb,
  watchlistId: string,
  { cards, isOwner }: { readonly cards: readonly ComparedMovie[]; readonly isOwner: boolean },
): Promise<ReadonlyMap<string, Availability['request']>> {
  const server = await findRequestServer(db, watchlistId)
  if (!server) return new Map()
  const known = cards.flatMap(({ cardId, movie }) =>
    movie?.ids.tmdb === undefined ? [] : [[cardId, movie.ids.tmdb] as const],
  )
  const rows = await listRequests(
    db,
    watchlistId,
    known.map(([, tmdbId]) => tmdbId),
  )
  const states = new Map(rows.map(({ tmdb_id: tmdbId, state }) => [tmdbId, state]))
  const unasked = server.askers === 'members' || isOwner ? 'possible' : null
  return new Map(known.map(([cardId, tmdbId]) => [cardId, states.get(tmdbId) ?? unasked]))
}

/** @throws {Problem} BAD_REQUEST with the fault of the server. */
async function sealChecked({ mediaServers, random }: Options, watchlistId: string, target: Target): Promise<string> {
  await asked(async () => {
    await mediaServers.openRequests(target, mediaServers.reach).identify(AbortSignal.timeout(CHECK_MS))
  })
  return sealTarget({ ...mediaServers, random }, keyOf(watchlistId), target)
}

/** The name of the target among those of media servers. A watchlist has one. */
export function keyOf(watchlistId: string) {
  return { watchlistId, serverId: 'requests' }
}

/** For a change of the master key. */
export const SEALED_REQUEST_SERVERS: SealedColumn = {
  table: 'request_server',
  column: 'target',
  key: ['watchlist_id'],
  contextOf: ([watchlistId = '']) => SEALED_SERVERS.contextOf([watchlistId, keyOf(watchlistId).serverId]),
}

async function requireServer(db: AnyDb, watchlistId: string): Promise<ServerRow> {
  const row = await findRequestServer(db, watchlistId)
  if (!row) throw new Problem('NOT_FOUND')
  return row
}

function present(
  { askers, fault, seen_at: seenAt, host }: ServerRow,
  { isOwner, open }: { readonly isOwner: boolean; readonly open: number },
): RequestServer {
  return { askers, fault, seenAt, open, host: isOwner ? host : null }
}
