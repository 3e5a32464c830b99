import type { PublishedEvent } from '@marquee/contract/live-events'
import { MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Sent } from '@marquee/platform/database/sent'
import { guardedFetch, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import type { Clock } from '@marquee/platform/runtime/clock'
import { handleDue, startDueWork } from '@marquee/platform/runtime/due-work'
import type { Logger } from '@marquee/platform/runtime/logger'

import { UndecodableImage } from '../images/service.ts'
import { SourceUnavailable } from '../catalogue/service.ts'
import { FROM_CATALOGUE, type PosterRequest, type Posters } from './service.ts'
import {
  addMissingRequests,
  addRequest,
  addRequests,
  type ClaimedPoster,
  claimRequest,
  lastDueAt,
  nextDueAt,
  postponeRequest,
  removeRequest,
} from './store.ts'

export type PosterQueuePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly logger: Logger
  readonly images: { keepFetched: (bytes: Buffer, userId: string) => Promise<string> }
  readonly live: { publish: (event: PublishedEvent) => void }
  /** Saves the result on the card; true if a card of the feed changed. `hash` is undefined if there is no copy. */
  readonly settle: (trx: AnyDb, poster: PosterRequest, hash: string | undefined) => Promise<boolean | Sent<boolean>>
  /** Stores the picture that the catalogue has of a card's movie, and returns its name. Missing if there is no catalogue. */
  readonly findPicture?: ((poster: PosterRequest) => Promise<string | undefined>) | undefined
  /** Overrides for tests, which have no public internet. */
  readonly imageFetch?: Partial<GuardedFetchOptions>
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const PARALLEL = 3
/** Longer than one copy takes. After this time another process takes the request of a process that died. */
const CLAIM_MS = 2 * MINUTE_MS
/** The pauses between attempts, if an address may work later. */
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 3 * HOUR_MS, 12 * HOUR_MS]
/** The creator sees the failure after this many attempts, not only after the last one. */
const ATTEMPTS_BEFORE_NOTICE = 3
/** The pause after a failure of our own decoder, store or database. */
const OUTAGE_MS = 30 * SECOND_MS
const LOOK_FOR_MISSING_MS = MINUTE_MS
const BATCH = 100

const FETCH: GuardedFetchOptions = {
  maxBytes: MAX_IMAGE_BYTES,
  timeoutMs: 15 * SECOND_MS,
  maxRedirects: 3,
  accept: 'image/webp,image/png,image/jpeg,image/gif',
}

/**
 * Copies posters from their address to our own store, and finds posters of imported movies in the catalogue. Requests are
 * rows, so they survive the process. A process claims a request for a while; copying twice does no harm.
 */
export function startPosterQueue(ports: PosterQueuePorts): Posters & { stop: () => Promise<void> } {
  const { database, clock, logger, live, settle } = ports
  let lookForMissingAt = 0

  const inFuture = (ms: number): Date => new Date(clock.now().getTime() + ms)

  async function fetchAndKeep(poster: PosterRequest, stopping: AbortSignal): Promise<string | undefined> {
    const { url, userId } = poster
    if (url === FROM_CATALOGUE) return await ports.findPicture?.(poster)
    const { bytes } = await guardedFetch(url, { ...FETCH, ...ports.imageFetch, signal: stopping })
    return await ports.images.keepFetched(bytes, userId)
  }

  async function copy(poster: ClaimedPoster, stopping: AbortSignal): Promise<void> {
    try {
      const hash = await fetchAndKeep(poster, stopping)
      await finish(poster, hash)
    } catch (error) {
      if (isFaultOfAddress(error) && !stopping.aborted) await noteFailure(poster, error)
      else await giveBack(poster, error, stopping)
    }
  }

  async function finish(poster: ClaimedPoster, hash: string | undefined): Promise<void> {
    await change(poster, async (trx) => {
      await removeRequest(trx, poster)
      return await settle(trx, poster, hash)
    })
  }

  async function change(poster: PosterRequest, work: (trx: AnyDb) => Promise<boolean | Sent<boolean>>): Promise<void> {
    const { watchlistId, cardId } = poster
    if (await database.transaction(work)) live.publish({ kind: 'card-changed', watchlistId, cardId })
  }

  async function noteFailure(poster: ClaimedPoster, error: Error): Promise<void> {
    const { attempts, watchlistId, cardId } = poster
    logger.info({ reason: error.message, attempts, watchlistId, cardId }, 'a poster could not be copied')
    const retryAfter = mayPass(error) ? RETRY_AFTER_MS[attempts - 1] : undefined
    if (retryAfter === undefined) return await finish(poster, undefined)
    await change(poster, async (trx) => {
      await postponeRequest(trx, poster, { attempts, dueAt: inFuture(retryAfter) })
      return attempts < ATTEMPTS_BEFORE_NOTICE ? false : await settle(trx, poster, undefined)
    })
  }

  /** Does not count the attempt, because the address did not fail. */
  async function giveBack(poster: ClaimedPoster, error: unknown, stopping: AbortSignal): Promise<void> {
    if (!stopping.aborted) logger.warn({ err: error }, 'a poster could not be stored')
    const dueAt = stopping.aborted ? clock.now() : inFuture(OUTAGE_MS)
    await database.transaction(async (trx) => {
      await postponeRequest(trx, poster, { attempts: poster.attempts - 1, dueAt })
    })
  }

  async function claim(): Promise<ClaimedPoster | undefined> {
    const times = { now: clock.now(), until: inFuture(CLAIM_MS) }
    return await database.transaction(async (trx) => await claimRequest(trx, times))
  }

  /** Requests copies for cards of earlier versions, a few at a time, after everything that is due. */
  async function addMissing(): Promise<boolean> {
    if (clock.now().getTime() < lookForMissingAt) return false
    const portion = { now: clock.now(), limit: BATCH }
    const added = await database.transaction(async (trx) => await addMissingRequests(trx, portion))
    if (added === 0) lookForMissingAt = inFuture(LOOK_FOR_MISSING_MS).getTime()
    return added > 0
  }

  const queue = startDueWork({
    clock,
    work: async (stopping) => {
      do await handleDue({ parallel: PARALLEL, stopping }, claim, copy)
      while (!stopping.aborted && (await addMissing()))
      return await nextDueAt(database.read)
    },
    onFailure: (error) => {
      logger.error({ err: error }, 'the poster queue failed')
    },
    retryMs: OUTAGE_MS,
  })

  return {
    ...queue,
    requestPictures: async (trx, card, cardIds) => {
      if (ports.findPicture) await requestPictures(clock, trx, card, cardIds)
    },
    request: (trx, poster) => addRequest.send(trx, { ...poster, dueAt: clock.now().getTime() }),
  }
}

/** Has the catalogue find posters, politely: a second for each, after those that wait already. */
export async function requestPictures(
  clock: Clock,
  trx: AnyDb,
  { watchlistId, userId }: Pick<PosterRequest, 'watchlistId' | 'userId'>,
  cardIds: readonly string[],
): Promise<void> {
  const last = (await lastDueAt(trx, watchlistId, FROM_CATALOGUE)) ?? 0
  const first = Math.max(clock.now().getTime(), last + SECOND_MS)
  const requests = cardIds.map((cardId, index) => ({
    watchlistId,
    cardId,
    userId,
    url: FROM_CATALOGUE,
    dueAt: first + index * SECOND_MS,
  }))
  await addRequests(trx, requests)
}

/** Whether the address or the catalogue failed, and not our own decoder, store or database. */
function isFaultOfAddress(error: unknown): error is RefusedUrl | UndecodableImage | SourceUnavailable {
  return [RefusedUrl, UndecodableImage, SourceUnavailable].some((kind) => error instanceof kind)
}

/** Whether it may work later. */
function mayPass(error: Error): boolean {
  if (error instanceof SourceUnavailable) return true
  if (!(error instanceof RefusedUrl)) return false
  if (error.reason === 'status') return /^(?:408|425|429|5\d\d)$/u.test(error.detail)
  return error.reason === 'network' || error.reason === 'time'
}
