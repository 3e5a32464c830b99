import type { AnyDb } from '@marquee/platform/database/database'
import { type Performing, type Queue, type QueuePorts, startQueue } from '@marquee/platform/queue/queue'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@marquee/platform/runtime/durations'

import {
  openBoxProviders,
  type ClientPorts,
  SourceUnavailable,
  UnexpectedAnswer,
  type WatchProviderOptions,
} from '../catalogue/service.ts'
import type { ComparedMovie } from '../media-servers/service.ts'
import {
  addBoxes,
  type BoxReadingRow,
  findBox,
  forgetBox,
  forgetGone,
  listBoxOffers,
  saveBoxOffer,
  saveNextSlot,
  WAITING_BOXES,
} from './box-offer-store.ts'
import { failureOfSource, rememberUnanswered } from './unanswered.ts'

/** The cards of a range of the box. */
type ListMovies = (
  db: AnyDb,
  watchlistId: string,
  range: { first: number; length: number; boxCount: number },
) => Promise<ComparedMovie[]>

export type BoxQueuePorts = QueuePorts &
  ClientPorts & {
    readonly watchProviders: WatchProviderOptions
    readonly listMovies: ListMovies
  }

const FRESH_MS = DAY_MS
const READ_EVERY_MS = 15 * MINUTE_MS
const LOOK_FOR_BOXES_MS = MINUTE_MS
/** A movie about which the source has no answer is not asked about for a while. */
const REST_MS = HOUR_MS
const BATCH = 100
/** Movies of one box in a second, so that the boxes take turns, and the source is not asked too fast. */
const MAX_ASKED = 15
/** This many cards are read in a few milliseconds. */
const RANGE = 2_000
const DEADLINE_MS = 4 * SECOND_MS
/** Longer than a reading takes in which every answer comes at the last moment. */
const CLAIM_MS = 10 * MINUTE_MS

/**
 * Finds out which services stream the movies in the boxes, for draws. No call starts, hastens or awaits it, or reads what it
 * stores; it shares no answers, limits or failures with what members ask.
 */
export function startBoxQueue(ports: BoxQueuePorts): Queue {
  const { database, clock, logger } = ports
  const source = openBoxProviders(ports.watchProviders, ports)
  const unanswered = rememberUnanswered(clock, REST_MS)
  const asking: Asking = { database, clock, source, unanswered, listMovies: ports.listMovies }
  let lookForBoxesAt = 0
  let isFailing = false

  async function addMissing(): Promise<boolean> {
    const now = clock.now()
    if (now.getTime() < lookForBoxesAt) return false
    const added = await database.transaction(async (trx) => await addBoxes(trx, { now, limit: BATCH }))
    if (added < BATCH) lookForBoxesAt = clock.now().getTime() + LOOK_FOR_BOXES_MS
    return added > 0
  }

  async function readBox(row: BoxReadingRow, { stopping, release }: Performing<BoxReadingRow>): Promise<void> {
    const { watchlist_id: watchlistId, next_slot: slot } = row
    const box = await findBox(database.read, watchlistId)
    if (!box) {
      await database.transaction(async (trx) => await forgetBox(trx, watchlistId))
      return
    }
    await database.transaction(async (trx) => await forgetGone(trx, watchlistId))
    const hasMore =
      box.boxCount > 0 && (await readRange(asking, { ...row, next_slot: slot % box.boxCount }, box, stopping))
    const isLast = slot + RANGE >= box.boxCount
    const next = isLast ? 0 : slot + RANGE
    const wait = isLast && !hasMore ? READ_EVERY_MS : SECOND_MS
    await database.transaction(async (trx) => {
      await saveNextSlot(trx, watchlistId, hasMore ? slot : next)
      await release(trx, row, clock.now().getTime() + wait)
    })
    isFailing = false
  }

  return startQueue<BoxReadingRow>(ports, {
    name: 'what can be watched',
    table: WAITING_BOXES,
    parallel: 1,
    claimMs: CLAIM_MS,
    retryMs: READ_EVERY_MS,
    longestWaitMs: READ_EVERY_MS,
    whenIdle: addMissing,
    perform: async ([row], work) => {
      try {
        await readBox(row, work)
      } catch (error) {
        if (!(error instanceof SourceUnavailable)) throw error
        if (!isFailing) logger.warn({ reason: error.message }, 'What can be watched of the boxes cannot be asked')
        isFailing = true
        await database.transaction(async (trx) => await work.release(trx, row, clock.now().getTime() + READ_EVERY_MS))
      }
    },
  })
}

type Asking = Pick<BoxQueuePorts, 'database' | 'clock' | 'listMovies'> & {
  readonly source: ReturnType<typeof openBoxProviders>
  readonly unanswered: ReturnType<typeof rememberUnanswered>
}

/** Asks about some movies of a range. Resolves to whether others of it wait. */
async function readRange(asking: Asking, row: BoxReadingRow, box: Box, stop: AbortSignal): Promise<boolean> {
  const missing = await findMissing(asking, row, box)
  const place = { watchlistId: row.watchlist_id, country: box.country }
  await askAboutAll(asking, missing.slice(0, MAX_ASKED), place, stop)
  return stop.aborted || missing.length > MAX_ASKED
}

/** The movies of a range about which nothing fresh is known, each once. */
async function findMissing(
  { database, clock, listMovies, unanswered }: Asking,
  { watchlist_id: watchlistId, next_slot: first }: BoxReadingRow,
  { country, boxCount }: Box,
): Promise<Missing[]> {
  const cards = await listMovies(database.read, watchlistId, { first, length: RANGE, boxCount })
  const known = new Map((await listBoxOffers(database.read, watchlistId)).map((row) => [row.card_id, row]))
  const freshSince = new Date(clock.now().getTime() - FRESH_MS).toISOString()
  const missing = new Map<string, Missing>()
  for (const { cardId, movie } of cards) {
    const [tmdbId, row] = [movie?.ids.tmdb, known.get(cardId)]
    const isKnown = row?.tmdb_id === tmdbId && row?.country === country && row.asked_at > freshSince
    if (tmdbId === undefined || isKnown || unanswered.isResting(country, tmdbId)) continue
    const cardIds = [...(missing.get(tmdbId)?.cardIds ?? []), cardId]
    missing.set(tmdbId, { cardIds, tmdbId, failedAt: unanswered.failedAt(country, tmdbId) })
  }
  // Movies that failed before come last, so that the others have their turn.
  return [...missing.values()].toSorted((one, other) => one.failedAt - other.failedAt)
}

/** Asks about one movie after the other. @throws {SourceUnavailable} if the source itself fails. */
async function askAboutAll(
  asking: Asking,
  movies: readonly Missing[],
  place: { watchlistId: string; country: string },
  stop: AbortSignal,
): Promise<void> {
  const errors: Error[] = []
  for (const movie of movies) {
    if (stop.aborted) return
    const error = await askAbout(asking, movie, place)
    if (error !== undefined) errors.push(error)
  }
  const failure = failureOfSource(errors, movies.length - errors.length)
  if (failure !== undefined) throw failure
}

/** Saves what the source knows of a movie. Resolves to the error if it has no answer about this one. */
async function askAbout(
  { database, clock, source, unanswered }: Asking,
  { cardIds, tmdbId }: Missing,
  { watchlistId, country }: { watchlistId: string; country: string },
): Promise<UnexpectedAnswer | undefined> {
  try {
    const { streaming } = await source.offersOf(tmdbId, country, AbortSignal.timeout(DEADLINE_MS))
    const services = JSON.stringify(streaming.map(({ serviceId }) => serviceId))
    const answer = { country, tmdb_id: tmdbId, services, asked_at: clock.now().toISOString() }
    await database.transaction(async (trx) => {
      for (const cardId of cardIds) await saveBoxOffer(trx, { watchlist_id: watchlistId, card_id: cardId, ...answer })
    })
    return undefined
  } catch (error) {
    if (!(error instanceof UnexpectedAnswer)) throw error
    unanswered.note(country, tmdbId)
    return error
  }
}

type Missing = { readonly cardIds: readonly string[]; readonly tmdbId: string; readonly failedAt: number }
type Box = { readonly country: string; readonly boxCount: number }
