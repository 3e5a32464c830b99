import type { MediaServerFaultKind } from '@marquee/contract/entities/media-server'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Performing, QueuePorts } from '@marquee/platform/queue/queue'
import { deleteClaimed, saveClaimed } from '@marquee/platform/queue/store'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'

import { changeInBackground, type WatchlistPorts } from '../../club/watchlists/service.ts'
import {
  type AskedState,
  haveServersRead,
  MediaServerFault,
  type MediaServerOptions,
  openTarget,
  type RequestServerPort,
} from '../media-servers/service.ts'
import { keyOf, type MovieRequestPorts } from './service.ts'
import {
  findRequestServer,
  OPEN_REQUESTS,
  postponeRequests,
  type RequestRow,
  saveRequestServer,
  type ServerRow,
} from './store.ts'

export type FollowingPorts = QueuePorts &
  WatchlistPorts &
  Pick<MovieRequestPorts, 'cards'> & {
    readonly mediaServers: MediaServerOptions
    readonly wakeMediaServers: () => void
  }

/** All calls for one request, of which each has its own limit. */
const FOLLOWING_LASTS_MS = 60 * SECOND_MS
const PROBE_MS = 20 * SECOND_MS
/** The pauses between looks; then an hour, and at last a day. */
const LOOK_AFTER_MS = [1, 2, 5, 15, 30].map((minutes) => minutes * MINUTE_MS)
const HOURLY_LOOKS = 200
/** The pauses after failures of the server; the last one repeats. */
const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]
/** How often a movie that the server does not know is tried. That takes a day. */
const MOST_TRIES = 25

/** Sends a request that the server does not have, and looks what became of one that it has. */
export async function followRequest(
  ports: FollowingPorts,
  row: RequestRow,
  work: Performing<RequestRow>,
): Promise<void> {
  const server = await findRequestServer(ports.database.read, row.watchlist_id)
  if (!server) return
  const deadline = AbortSignal.timeout(FOLLOWING_LASTS_MS)
  const signal = AbortSignal.any([work.stopping, deadline])
  const target = openTarget(ports.mediaServers, keyOf(row.watchlist_id), server.target)
  if (!target) {
    await noteFault(ports, row, { server, fault: 'key' })
    return
  }
  const port = ports.mediaServers.openRequests(target, ports.mediaServers.reach)
  try {
    const state = await (row.sent_at === null ? port.ask(row.tmdb_id, signal) : port.look(row.tmdb_id, signal))
    await noteState(ports, row, state)
  } catch (error) {
    if (work.stopping.aborted) await work.giveBack(row)
    else if (error instanceof MediaServerFault && (await isAboutMovie(port, error))) await noteTrouble(ports, row)
    else if (error instanceof MediaServerFault) await noteFault(ports, row, { server, fault: error.kind })
    else if (deadline.aborted) await noteFault(ports, row, { server, fault: 'slow' })
    else throw error
  }
}

/**
 * Whether the server works, but cannot answer about this movie: either it does not know the movie, or its own source is
 * away.
 */
async function isAboutMovie(port: RequestServerPort, { kind }: MediaServerFault): Promise<boolean> {
  if (kind !== 'unreachable') return false
  try {
    await port.identify(AbortSignal.timeout(PROBE_MS))
    return true
  } catch {
    return false
  }
}

async function noteState(ports: FollowingPorts, row: RequestRow, state: AskedState): Promise<void> {
  const { database, clock } = ports
  const { watchlist_id: watchlistId } = row
  const hasChanged = state !== row.state
  const save = async (trx: AnyDb): Promise<boolean> => {
    const now = clock.now()
    const at = now.toISOString()
    // Before the request, in the order in which disconnecting removes both.
    await saveRequestServer(trx, watchlistId, { fault: null, failures: 0, seen_at: at })
    // Its movie can be asked for again.
    if (state === 'none') return await deleteClaimed(trx, OPEN_REQUESTS, row)
    return await saveClaimed(trx, OPEN_REQUESTS, row, {
      state,
      sent_at: row.sent_at ?? at,
      due_at:
        state === 'here' || state === 'declined' ? null : now.getTime() + pauseAfter(hasChanged ? 1 : row.attempts),
      attempts: hasChanged ? 1 : row.attempts,
      claimed_by: null,
    })
  }
  if (!hasChanged) {
    await database.transaction(save)
    return
  }
  await changeInBackground(ports, watchlistId, async ({ trx, now, happened }) => {
    if (!(await save(trx))) return
    const cardId = await findCardOf(ports, trx, row)
    // A card that is in the box again is secret.
    if (cardId === undefined) return
    happened(state === 'here' ? 'request.arrived' : 'request.changed', { cardId, recipientId: row.asker_id })
    if (state === 'here') await haveServersRead(trx, watchlistId, now.getTime())
  })
  if (state === 'here') ports.wakeMediaServers()
}

/** The card that was asked about, while it is in the feed and shows that movie. */
async function findCardOf({ cards }: FollowingPorts, trx: AnyDb, row: RequestRow): Promise<string | undefined> {
  const found = await cards.findFeedMovies(trx, row.watchlist_id, [row.card_id])
  return found.find(({ movie }) => movie?.ids.tmdb === row.tmdb_id)?.cardId
}

function pauseAfter(attempts: number): number {
  return LOOK_AFTER_MS[attempts - 1] ?? (attempts < HOURLY_LOOKS ? HOUR_MS : DAY_MS)
}

/** A request that cannot be sent at all ends. */
async function noteTrouble(ports: FollowingPorts, row: RequestRow): Promise<void> {
  const { database, clock } = ports
  if (row.sent_at === null && row.attempts >= MOST_TRIES) {
    await noteEnd(ports, row)
    return
  }
  const dueAt = clock.now().getTime() + pauseAfter(row.attempts)
  await database.transaction(async (trx) => {
    await saveClaimed(trx, OPEN_REQUESTS, row, { due_at: dueAt, claimed_by: null })
  })
}

async function noteEnd(ports: FollowingPorts, row: RequestRow): Promise<void> {
  await changeInBackground(ports, row.watchlist_id, async ({ trx, happened }) => {
    if (!(await saveClaimed(trx, OPEN_REQUESTS, row, { state: 'failed', due_at: null, claimed_by: null }))) return
    const cardId = await findCardOf(ports, trx, row)
    if (cardId !== undefined) happened('request.changed', { cardId })
  })
}

/** All requests of the watchlist wait. A fault is reported once, not at every attempt. */
async function noteFault(
  { database, clock, logger }: FollowingPorts,
  row: RequestRow,
  { server, fault }: { readonly server: ServerRow; readonly fault: MediaServerFaultKind },
): Promise<void> {
  const { watchlist_id: watchlistId } = row
  const until = clock.now().getTime() + (RETRY_AFTER_MS[server.failures] ?? HOUR_MS)
  await database.transaction(async (trx) => {
    await saveRequestServer(trx, watchlistId, { fault, failures: server.failures + 1 })
    // An attempt that did not reach the server does not count.
    await saveClaimed(trx, OPEN_REQUESTS, row, { due_at: until, claimed_by: null, attempts: row.attempts - 1 })
    await postponeRequests(trx, watchlistId, until)
  })
  if (server.fault !== fault) logger.warn({ fault, watchlistId }, 'a server cannot be asked for movies')
}
