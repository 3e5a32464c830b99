import type { PublishedEvent } from '@marquee/contract/live-events'
import { MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { guardedFetch, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'

import { UndecodableImage } from '../images/service.ts'
import type { PosterRequest, Posters } from './service.ts'
import {
  addMissingRequests,
  addRequest,
  type ClaimedPoster,
  claimRequest,
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
  /** Notes what came of it on the card; gives whether a card of the feed looks different now. */
  readonly settle: (trx: AnyDb, poster: PosterRequest, hash: string | undefined) => Promise<boolean>
  /** What differs from the public internet. */
  readonly imageFetch?: Partial<GuardedFetchOptions>
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const PARALLEL = 3
/** Longer than one copy takes. A request whose process died is taken by another one after this time. */
const CLAIM_MS = 2 * MINUTE_MS
/** Between two attempts at an address that may answer later. After the last one it is given up. */
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 3 * HOUR_MS, 12 * HOUR_MS]
/** The creator sees that there is no poster after so many attempts, not only after the last one. */
const ATTEMPTS_BEFORE_NOTICE = 3
/** After a failure of our own: no decoder, store or database. */
const OUTAGE_MS = 30 * SECOND_MS
const LONGEST_WAIT_MS = MINUTE_MS
const BATCH = 100

const FETCH: GuardedFetchOptions = {
  maxBytes: MAX_IMAGE_BYTES,
  timeoutMs: 15 * SECOND_MS,
  maxRedirects: 3,
  accept: 'image/webp,image/png,image/jpeg,image/gif',
}

/**
 * Copies posters that were given by their address into our own store. Requests are rows, so they outlive the process;
 * each is claimed for a while by the process that works on it. Doing one twice is harmless.
 */
export function startPosterQueue(ports: PosterQueuePorts): Posters & { stop: () => Promise<void> } {
  const { database, clock, logger, live, settle } = ports
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let wakeUps = 0
  let mayBeMissing = true

  const inFuture = (ms: number): Date => new Date(clock.now().getTime() + ms)

  async function fetchAndKeep({ url, userId }: PosterRequest): Promise<string> {
    const { bytes } = await guardedFetch(url, { ...FETCH, ...ports.imageFetch, signal: stopping.signal })
    return await ports.images.keepFetched(bytes, userId)
  }

  async function copy(poster: ClaimedPoster): Promise<void> {
    try {
      const hash = await fetchAndKeep(poster)
      await finish(poster, hash)
    } catch (error) {
      if (isFaultOfAddress(error) && !stopping.signal.aborted) await noteFailure(poster, error)
      else await giveBack(poster, error)
    }
  }

  /** `hash` is undefined where the copy is given up. */
  async function finish(poster: ClaimedPoster, hash: string | undefined): Promise<void> {
    await change(poster, async (trx) => {
      await removeRequest(trx, poster)
      return await settle(trx, poster, hash)
    })
  }

  async function change(poster: PosterRequest, work: (trx: AnyDb) => Promise<boolean>): Promise<void> {
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
      return attempts >= ATTEMPTS_BEFORE_NOTICE && (await settle(trx, poster, undefined))
    })
  }

  /** The attempt does not count: it was not the address that failed. */
  async function giveBack(poster: ClaimedPoster, error: unknown): Promise<void> {
    if (!stopping.signal.aborted) logger.warn({ err: error }, 'a poster could not be kept')
    const dueAt = stopping.signal.aborted ? clock.now() : inFuture(OUTAGE_MS)
    await database.transaction(async (trx) => {
      await postponeRequest(trx, poster, { attempts: poster.attempts - 1, dueAt })
    })
  }

  async function copyDue(): Promise<void> {
    while (!stopping.signal.aborted) {
      const claim = { now: clock.now(), until: inFuture(CLAIM_MS) }
      const poster = await database.transaction(async (trx) => await claimRequest(trx, claim))
      if (!poster) return
      await copy(poster)
    }
  }

  async function copyAllDue(): Promise<void> {
    // All are waited for, so that none is on its way when the queue is stopped.
    const ended = await Promise.allSettled(Array.from({ length: PARALLEL }, copyDue))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }

  /** Cards from before posters were copied come after all that is due, in small portions. */
  async function addMissing(): Promise<boolean> {
    const portion = { now: clock.now(), limit: BATCH }
    mayBeMissing &&= (await database.transaction(async (trx) => await addMissingRequests(trx, portion))) > 0
    return mayBeMissing
  }

  async function run(): Promise<void> {
    clearTimeout(timer)
    try {
      let seen: number
      do {
        seen = wakeUps
        await copyAllDue()
      } while (!stopping.signal.aborted && (seen !== wakeUps || (await addMissing())))
      if (stopping.signal.aborted) return
      const dueAt = await nextDueAt(database.read)
      schedule(dueAt === undefined ? LONGEST_WAIT_MS : dueAt - clock.now().getTime())
    } catch (error) {
      logger.error({ err: error }, 'the queue of posters could not be worked on')
      schedule(OUTAGE_MS)
    } finally {
      running = undefined
    }
  }

  function schedule(ms: number): void {
    if (stopping.signal.aborted) return
    const lookAgain = (): void => {
      mayBeMissing = true
      wake()
    }
    timer = setTimeout(lookAgain, Math.min(Math.max(ms, 50), LONGEST_WAIT_MS)).unref()
  }

  function wake(): void {
    if (stopping.signal.aborted) return
    wakeUps += 1
    running ??= run()
  }

  wake()
  return {
    request: async (trx, poster) => {
      await addRequest(trx, poster, clock.now())
    },
    wake,
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

/** Whether what lies at the address is to blame, and not our own decoder, store or database. */
function isFaultOfAddress(error: unknown): error is RefusedUrl | UndecodableImage {
  return error instanceof RefusedUrl || error instanceof UndecodableImage
}

/** Whether the same address may work later on. */
function mayPass(error: Error): boolean {
  if (!(error instanceof RefusedUrl)) return false
  if (error.reason === 'status') return /^(?:408|425|429|5\d\d)$/u.test(error.detail)
  return error.reason === 'network' || error.reason === 'time'
}
