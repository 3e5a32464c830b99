import type { MediaServerFaultKind } from '@marquee/contract/entities/media-server'
import type { Performing, QueuePorts } from '@marquee/platform/queue/queue'
import { saveClaimed } from '@marquee/platform/queue/store'
import type { Random } from '@marquee/platform/runtime/random'
import { HOUR_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { changeInBackground, type WatchlistPorts } from '../../club/watchlists/service.ts'
import { MediaServerFault, type ServerMovie } from './adapters/port.ts'
import { meetAgain } from './asked.ts'
import { rowsOf } from './match.ts'
import {
  dropLists,
  holdsClaim,
  insertList,
  insertMovies,
  type MovieRow,
  type ServerKey,
  type ServerRow,
  WAITING_READINGS,
} from './store.ts'
import { connectTo, keyOf, type MediaServerOptions } from './target.ts'

export type ReadingPorts = QueuePorts &
  WatchlistPorts & {
    readonly random: Random
    readonly mediaServers: MediaServerOptions
    /** Has removed what no longer counts. */
    readonly wakeRemovals: () => void
    /** Called after a list was read. */
    readonly afterReading: (key: ServerKey) => Promise<void>
  }

type Server = NonNullable<ReturnType<typeof connectTo>>

export const READ_EVERY_MS = HOUR_MS
/** A server with 100,000 movies sends 200 pages. */
const READING_LASTS_MS = 20 * MINUTE_MS
/** The pauses after failures; the last one repeats. */
const RETRY_AFTER_MS = [5 * MINUTE_MS, 15 * MINUTE_MS]
/** So many rows take a few milliseconds. */
const BATCH = 500

/** The server was disconnected, its watchlist is gone, or another process has its reading. */
class ClaimLost extends Error {}

/** Reads the list of a server. It counts once it is complete; until then, and after a failure, the one before does. */
export async function readServer(ports: ReadingPorts, row: ServerRow, work: Performing<ServerRow>): Promise<void> {
  const deadline = AbortSignal.timeout(READING_LASTS_MS)
  try {
    const server = connectTo(ports.mediaServers, row)
    if (!server) throw new MediaServerFault('key', 'no master key opens the target')
    const signal = AbortSignal.any([work.stopping, deadline])
    await meetAgain(server.server, row, signal)
    const { name } = await server.server.identify(signal)
    await readList(ports, row, { server, name, signal })
  } catch (error) {
    if (error instanceof ClaimLost) return
    if (work.stopping.aborted) await work.giveBack(row)
    else if (error instanceof MediaServerFault) await noteFault(ports, row, error.kind)
    else if (deadline.aborted) await noteFault(ports, row, 'slow')
    else throw error
  }
}

async function readList(
  ports: ReadingPorts,
  row: ServerRow,
  { server, name, signal }: { server: Server; name: string; signal: AbortSignal },
): Promise<void> {
  const { database, clock, random } = ports
  const [key, listId] = [keyOf(row), random.uuid()]
  await database.transaction(async (trx) => {
    requireClaim(await saveClaimed(trx, WAITING_READINGS, row, { state: 'reading' }))
    // What a reading left that was cut off.
    await dropLists(trx, key, { except: row.list_id, now: clock.now().getTime() })
    await insertList(trx, { watchlist_id: key.watchlistId, id: listId, server_id: key.serverId, due_at: null })
  })
  let movies = 0
  for await (const page of server.server.listMovies(signal)) {
    await savePage(ports, row, listId, page)
    movies += page.length
  }
  const isDone = await changeInBackground(ports, key.watchlistId, async ({ trx, now, at, happened }) => {
    const done = { state: 'ready', fault: null, seen_at: at, read_at: at, movies, list_id: listId, name } as const
    const next = { due_at: now.getTime() + READ_EVERY_MS, attempts: 0, claimed_by: null }
    requireClaim(await saveClaimed(trx, WAITING_READINGS, row, { ...done, ...next }))
    await dropLists(trx, key, { except: listId, now: now.getTime() })
    happened('servers.changed')
    return true
  })
  requireClaim(isDone === true)
  ports.wakeRemovals()
  await ports.afterReading(key)
}

/** In short transactions, with turns for requests in between. */
async function savePage(
  { database }: ReadingPorts,
  row: ServerRow,
  listId: string,
  page: readonly ServerMovie[],
): Promise<void> {
  const place = { watchlist_id: row.watchlist_id, list_id: listId }
  const rows = page.flatMap((movie) => rowsOf(movie).map((named): MovieRow => ({ ...place, ...named })))
  for (let from = 0; from < rows.length; from += BATCH) {
    await nextTurn()
    await database.transaction(async (trx) => {
      requireClaim(await holdsClaim(trx, row))
      await insertMovies(trx, rows.slice(from, from + BATCH))
    })
  }
}

function requireClaim(isKept: boolean): void {
  if (!isKept) throw new ClaimLost()
}

/** Says a fault once, not at every attempt. */
async function noteFault({ database, clock, logger }: ReadingPorts, row: ServerRow, fault: MediaServerFaultKind) {
  const pause = RETRY_AFTER_MS[row.attempts - 1] ?? READ_EVERY_MS
  const next = { due_at: clock.now().getTime() + pause, claimed_by: null }
  const isNoted = await database.transaction(
    async (trx) => await saveClaimed(trx, WAITING_READINGS, row, { state: 'failing', fault, ...next }),
  )
  if (isNoted && row.fault !== fault) logger.warn({ fault, ...keyOf(row) }, 'a media server cannot be read')
}
