import type { StreamingService } from '@marquee/contract/entities/streaming-service'
import type { Database } from '@marquee/platform/database/database'
import { DAY_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'

import {
  type ClientPorts,
  type Offers,
  SourceUnavailable,
  UnexpectedAnswer,
  type WatchProviders,
} from '../catalogue/service.ts'
import {
  type AvailabilityRow,
  deleteAnswers,
  findAge,
  findServiceList,
  listAnswers,
  saveAnswers,
  saveServiceList,
} from './store.ts'
import { failureOfSource, rememberUnanswered } from './unanswered.ts'

const FRESH_MS = DAY_MS
/** While the source is down, what it said in the last days is shown. */
const KEPT_MS = 7 * DAY_MS
const MAX_KEPT = 100_000
/** Of one call. The page is shown before, so it does not wait. */
const DEADLINE_MS = 4_000
const PAUSE_MS = MINUTE_MS
/** A movie about which the source has no answer is not asked about for a while. */
const REST_MS = 15 * MINUTE_MS

export type AnswerPorts = Pick<ClientPorts, 'clock'> & {
  readonly database: Database<unknown>
  readonly logger: Logger
}

/** How many more movies may be looked up. Each look-up lowers `left`; movies beyond it go to `unasked`. */
export type Budget = { left: number; readonly unasked: Set<string> }

/** What the source has answered, from the database for a day. */
export type Answers = {
  /** Movies that are beyond the budget have what was known before. */
  readonly offersOf: (
    country: string,
    tmdbIds: readonly string[],
    budget?: Budget,
  ) => Promise<ReadonlyMap<string, Offers>>
  /** @throws {SourceUnavailable} if they were never known. */
  readonly servicesOf: (country: string) => Promise<StreamingService[]>
}

export function createAnswers(source: WatchProviders, { clock, database, logger }: AnswerPorts): Answers {
  const { note, pause, mayAsk } = failureLog({ clock, logger })
  const unanswered = rememberUnanswered(clock, REST_MS)
  const time = () => clock.now().toISOString()
  const isFresh = ({ asked_at: askedAt }: { asked_at: string }) =>
    Date.parse(askedAt) > clock.now().getTime() - FRESH_MS

  async function ask(country: string, tmdbIds: readonly string[]): Promise<AvailabilityRow[]> {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    const answers = await Promise.allSettled(
      tmdbIds.map(async (id) => ({ id, offers: await source.offersOf(id, country, deadline) })),
    )
    const rows = answers.flatMap((answer) => {
      if (answer.status === 'rejected') return []
      const { id, offers } = answer.value
      return [{ country, tmdb_id: id, offers: JSON.stringify(offers), asked_at: time() }]
    })
    const failed = answers.flatMap((answer, place) => {
      if (answer.status === 'fulfilled') return []
      return [{ tmdbId: tmdbIds[place] ?? '', error: answer.reason as Error }]
    })
    for (const { tmdbId, error } of failed) if (error instanceof UnexpectedAnswer) unanswered.note(country, tmdbId)
    if (rows.length > 0) await database.transaction(async (trx) => saveAnswers(trx, rows))
    const failure = failureOfSource(
      failed.map(({ error }) => error),
      rows.length,
    )
    if (failure !== undefined || rows.length > 0) note(failure)
    if (failure === undefined && failed.length > 0) {
      const reason = failed[0]?.error.message
      logger.info(
        { count: failed.length, country, reason },
        'Some movies have no answer about where they can be watched',
      )
    }
    // A movie without an answer rests alone, so that no member stops what others ask.
    if (failure !== undefined && !(failure instanceof UnexpectedAnswer)) pause()
    return rows
  }

  return {
    offersOf: async (country, tmdbIds, budget = { left: tmdbIds.length, unasked: new Set() }) => {
      const wanted = [...new Set(tmdbIds)]
      if (wanted.length === 0) return new Map()
      const known = await listAnswers(database.read, country, wanted)
      const fresh = new Set(known.filter(isFresh).map((row) => row.tmdb_id))
      const stale = mayAsk() ? wanted.filter((id) => !fresh.has(id) && !unanswered.isResting(country, id)) : []
      const missing = stale.slice(0, budget.left)
      budget.left -= missing.length
      const earlier = new Set(known.map((row) => row.tmdb_id))
      for (const id of stale.slice(missing.length)) if (!earlier.has(id)) budget.unasked.add(id)
      // Two calls that save the same answers save them in one order, so that neither waits for the other.
      const asked = missing.length > 0 ? await ask(country, missing.toSorted()) : []
      return new Map([...known, ...asked].map((row) => [row.tmdb_id, JSON.parse(row.offers) as Offers]))
    },

    servicesOf: async (country) => {
      const known = await findServiceList(database.read, country)
      const read = () => (known ? (JSON.parse(known.services) as StreamingService[]) : undefined)
      if (known && (isFresh(known) || !mayAsk())) return read() ?? []
      try {
        const services = await source.servicesOf(country, AbortSignal.timeout(DEADLINE_MS))
        const row = { country, services: JSON.stringify(services), asked_at: time() }
        await database.transaction(async (trx) => saveServiceList(trx, row))
        note(undefined)
        return services
      } catch (error) {
        note(error as Error)
        pause()
        const services = read()
        if (services === undefined) throw error
        return services
      }
    },
  }
}

/** Says once that the source fails, and lets it rest for a while. Other errors are thrown. */
function failureLog({ clock, logger }: Pick<AnswerPorts, 'clock' | 'logger'>) {
  let isFailing = false
  let pausedUntil = 0
  return {
    mayAsk: () => clock.now().getTime() >= pausedUntil,
    note: (error: Error | undefined) => {
      if (error !== undefined && !(error instanceof SourceUnavailable)) throw error
      if (error !== undefined && !isFailing) {
        logger.warn({ reason: error.message }, 'Where movies can be watched cannot be asked')
      }
      isFailing = error !== undefined
    },
    pause: () => {
      pausedUntil = clock.now().getTime() + PAUSE_MS
    },
  }
}

/** Removes answers of earlier weeks, and the oldest if there are too many. */
export async function sweepAnswers(
  { database, clock }: Pick<AnswerPorts, 'database' | 'clock'>,
  maxKept = MAX_KEPT,
): Promise<void> {
  const oldest = new Date(clock.now().getTime() - KEPT_MS).toISOString()
  const oldestOfMost = (await findAge(database.read, maxKept)) ?? oldest
  await database.transaction(async (trx) => await deleteAnswers(trx, oldest < oldestOfMost ? oldestOfMost : oldest))
}
