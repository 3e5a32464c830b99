import type { AnyDb } from '@marquee/platform/database/database'
import type { Answer } from '@marquee/platform/queue/deliveries'
import type { QueuePorts } from '@marquee/platform/queue/queue'
import { MINUTE_MS } from '@marquee/platform/runtime/durations'
import type { Random } from '@marquee/platform/runtime/random'

import { findFeedMovies } from '../cards/service.ts'
import {
  connectByKey,
  findCopies,
  findServer,
  MediaServerFault,
  type MediaServerOptions,
  meetAgain,
  NotAllowed,
  NothingToMark,
  openAs,
} from '../media-servers/service.ts'
import { awaitFilm, listAwaited, releaseAwaited, settleMark } from './mark-store.ts'
import type { LinkRow, MarkRow, ServerKey } from './store.ts'
import { openToken } from './token.ts'

export type SendingPorts = QueuePorts & { readonly random: Random; readonly mediaServers: MediaServerOptions }

const OK = 200
const UNAUTHORIZED = 401
const FORBIDDEN = 403
/** Until the first list of a server is complete, no item of it is known. */
const UNREAD_MS = 5 * MINUTE_MS

/** Tells a server that its user has seen a film, or not. A film that it does not have is dropped, and `dropMark` has it wait. */
export async function sendMark(
  ports: SendingPorts,
  mark: MarkRow,
  link: LinkRow,
  stopping: AbortSignal,
): Promise<Answer> {
  const { read } = ports.database
  const { watchlist_id: watchlistId, server_id: serverId, wanted } = mark
  if (wanted === null || link.is_sent !== 1) return { what: 'dropped' }
  // The link has ended since the mark was chosen, or waits to be confirmed.
  if (link.state !== 'linked') return { what: 'postponed', until: ports.clock.now().getTime() + UNREAD_MS }
  const server = await findServer(read, { watchlistId, serverId })
  if (!server) return { what: 'dropped' }
  if (server.list_id === null) return { what: 'postponed', until: ports.clock.now().getTime() + UNREAD_MS }
  const cards = await findFeedMovies(read, watchlistId, [mark.card_id])
  const copies = (await findCopies(read, watchlistId, cards)).get(mark.card_id) ?? []
  const itemId = copies.find(({ row }) => row.id === serverId)?.itemId
  if (itemId === undefined) return { what: 'dropped' }
  const token = server.kind === 'plex' ? undefined : openToken(ports.mediaServers, link)
  // No known key opens the token.
  if (server.kind !== 'plex' && (token === undefined || link.device === null)) return { what: 'ended', status: null }
  const port =
    token === undefined
      ? connectByKey(ports.mediaServers, server)
      : openAs(ports.mediaServers, server, { token, device: link.device ?? '' })
  if (!port) return { what: 'failed', status: null }
  try {
    const version = await meetAgain(port, server, stopping)
    await port.mark({ userId: link.remote_id, itemId, isSeen: wanted === 1, version }, stopping)
    return { what: 'delivered', status: OK }
  } catch (error) {
    if (error instanceof NothingToMark) return { what: 'dropped' }
    if (!(error instanceof MediaServerFault)) throw error
    if (error instanceof NotAllowed) return { what: 'failed', status: FORBIDDEN }
    // The owner of a server replaces its key. A user links again.
    if (error.kind === 'key' && link.token !== null) return { what: 'ended', status: UNAUTHORIZED }
    return { what: 'failed', status: null }
  }
}

/** The server knows now what was sent. What was marked meanwhile is due. */
export async function finishMark(
  trx: AnyDb,
  { clock }: Pick<SendingPorts, 'clock'>,
  mark: MarkRow,
  known: number | null,
): Promise<void> {
  await settleMark(trx, mark, known, clock.now().getTime())
}

/** A film that the server does not have is marked once it has it. A film that is not seen needs no message. */
export async function dropMark(trx: AnyDb, ports: Pick<SendingPorts, 'clock'>, mark: MarkRow): Promise<void> {
  if (mark.wanted === 1) await awaitFilm(trx, mark, ports.clock.now().getTime())
  else await finishMark(trx, ports, mark, mark.known)
}

/** Called after a list was read: has the films marked that the server did not have before. */
export async function sendArrived(
  { database, clock }: Pick<SendingPorts, 'database' | 'clock'>,
  key: ServerKey,
): Promise<void> {
  const { read } = database
  const awaited = await listAwaited(read, key)
  if (awaited.length === 0) return
  const copies = await findCopies(read, key.watchlistId, await findFeedMovies(read, key.watchlistId, awaited))
  const arrived = [...copies].flatMap(([cardId, found]) =>
    found.some(({ row }) => row.id === key.serverId) ? [cardId] : [],
  )
  if (arrived.length === 0) return
  await database.transaction(async (trx) => await releaseAwaited(trx, key, arrived, clock.now().getTime()))
}
