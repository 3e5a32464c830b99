import { MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import type { AnyDb } from '@marquee/platform/database/database'
import { guardedFetch, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import type { Performing, QueuePorts } from '@marquee/platform/queue/queue'
import { inFuture } from '@marquee/platform/runtime/clock'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'

import { UndecodableImage } from '../images/service.ts'
import { OwnLimitReached, SourceUnavailable } from '../catalogue/service.ts'
import { changeInBackground, type ChangePorts } from '../../club/watchlists/service.ts'
import { FROM_CATALOGUE, type PosterRequest } from './service.ts'
import { lastOfCatalogue, removeRequest, type RequestRow } from './store.ts'

export type CopyPorts = QueuePorts &
  ChangePorts & {
    readonly images: { keepFetched: (bytes: Buffer, userId: string) => Promise<string> }
    /** Saves the result on the card; true if a card of the feed changed. `hash` is undefined if there is no copy. */
    readonly settle: (trx: AnyDb, poster: PosterRequest, hash: string | undefined) => Promise<boolean>
    /** Stores the picture that the catalogue has of a card's movie, and returns its name. Missing if there is no catalogue. */
    readonly findPicture?: ((poster: PosterRequest, stopping: AbortSignal) => Promise<string | undefined>) | undefined
    /** Overrides for tests, which have no public internet. */
    readonly imageFetch?: Partial<GuardedFetchOptions>
  }

/** The pauses between attempts, if an address may work later. */
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 3 * HOUR_MS, 12 * HOUR_MS]
export const LONGEST_PAUSE_MS = 12 * HOUR_MS
/** The creator sees the failure after this many attempts, not only after the last one. */
const ATTEMPTS_BEFORE_NOTICE = 3
/** The pause after a failure of our own decoder, store or database. */
const OUTAGE_MS = 30 * SECOND_MS

const FETCH: GuardedFetchOptions = {
  maxBytes: MAX_IMAGE_BYTES,
  timeoutMs: 15 * SECOND_MS,
  maxRedirects: 3,
  accept: 'image/webp,image/png,image/jpeg,image/gif',
}

/** Copies a poster, or finds it in the catalogue, and saves the outcome. */
export async function copy(ports: CopyPorts, row: RequestRow, work: Performing<RequestRow>): Promise<void> {
  const poster = { watchlistId: row.watchlist_id, cardId: row.card_id, userId: row.user_id, url: row.url }
  try {
    const hash = await fetchAndKeep(ports, poster, work.stopping)
    await finish(ports, poster, hash)
  } catch (error) {
    if (error instanceof OwnLimitReached) await putBehindOthers(ports, row, work, error)
    else if (isFaultOfAddress(error) && !work.stopping.aborted) await noteFailure(ports, { row, poster, work }, error)
    else await tryAgain(ports, row, work, error)
  }
}

async function fetchAndKeep(
  ports: CopyPorts,
  poster: PosterRequest,
  stopping: AbortSignal,
): Promise<string | undefined> {
  const { url, userId } = poster
  if (url === FROM_CATALOGUE) return await ports.findPicture?.(poster, stopping)
  const { bytes } = await guardedFetch(url, { ...FETCH, ...ports.imageFetch, signal: stopping })
  return await ports.images.keepFetched(bytes, userId)
}

async function finish(ports: CopyPorts, poster: PosterRequest, hash: string | undefined): Promise<void> {
  await change(ports, poster, async (trx) => {
    await removeRequest(trx, poster)
    return await ports.settle(trx, poster, hash)
  })
}

/** `work` returns whether a card of the feed has changed. */
async function change(
  ports: CopyPorts,
  { watchlistId, cardId }: PosterRequest,
  work: (trx: AnyDb) => Promise<boolean>,
): Promise<void> {
  await changeInBackground(ports, watchlistId, async ({ trx, happened }) => {
    if (await work(trx)) happened('poster.settled', { cardId })
  })
}

async function noteFailure(
  ports: CopyPorts,
  { row, poster, work }: { row: RequestRow; poster: PosterRequest; work: Performing<RequestRow> },
  error: Error,
): Promise<void> {
  const { watchlistId, cardId } = poster
  const { attempts } = row
  ports.logger.info({ reason: error.message, attempts, watchlistId, cardId }, 'a poster could not be copied')
  const retryAfter = mayWorkLater(error) ? RETRY_AFTER_MS[attempts - 1] : undefined
  if (retryAfter === undefined) return await finish(ports, poster, undefined)
  await change(ports, poster, async (trx) => {
    await work.release(trx, row, inFuture(ports.clock, retryAfter).getTime())
    return attempts < ATTEMPTS_BEFORE_NOTICE ? false : await ports.settle(trx, poster, undefined)
  })
}

/** Does not count the attempt, because the address did not fail. */
async function tryAgain(
  ports: CopyPorts,
  row: RequestRow,
  { stopping, giveBack }: Performing<RequestRow>,
  error: unknown,
): Promise<void> {
  if (!stopping.aborted) ports.logger.warn({ err: error }, 'a poster could not be stored')
  await giveBack(row, inFuture(ports.clock, stopping.aborted ? 0 : OUTAGE_MS).getTime())
}

/** When the next request of a watchlist to the catalogue is due: a second after those that wait already. */
export async function nextOfCatalogue(trx: AnyDb, { clock }: Pick<CopyPorts, 'clock'>, watchlistId: string) {
  const now = clock.now().getTime()
  const { count, dueAt } = await lastOfCatalogue(trx, watchlistId, FROM_CATALOGUE)
  // A time that lies further ahead comes from a clock that was ahead, or from the pause after a failure.
  const last = Math.min(dueAt ?? 0, now + count * SECOND_MS)
  return Math.max(now, last + SECOND_MS)
}

/** The catalogue was not asked. Does not count the attempt, as there may be more requests than it may be asked in a day. */
async function putBehindOthers(
  ports: CopyPorts,
  row: RequestRow,
  { release }: Performing<RequestRow>,
  { retryAfterSeconds }: OwnLimitReached,
): Promise<void> {
  const earliest = inFuture(ports.clock, retryAfterSeconds * SECOND_MS).getTime()
  await ports.database.transaction(async (trx) => {
    const next = await nextOfCatalogue(trx, ports, row.watchlist_id)
    await release(trx, row, Math.max(earliest, next), { isUncounted: true })
  })
}

/** Whether the address or the catalogue failed, and not our own decoder, store or database. */
function isFaultOfAddress(error: unknown): error is RefusedUrl | UndecodableImage | SourceUnavailable {
  return [RefusedUrl, UndecodableImage, SourceUnavailable].some((kind) => error instanceof kind)
}

function mayWorkLater(error: Error): boolean {
  if (error instanceof SourceUnavailable) return true
  if (!(error instanceof RefusedUrl)) return false
  if (error.reason === 'status') return /^(?:408|425|429|5\d\d)$/u.test(error.detail)
  return error.reason === 'network' || error.reason === 'certificate' || error.reason === 'time'
}
