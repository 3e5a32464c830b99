import type { Clock } from '@marquee/platform/runtime/clock'
import { LRUCache } from 'lru-cache'

import { UnexpectedAnswer } from '../catalogue/service.ts'

const MAX_REMEMBERED = 10_000
/** This many movies in a row are no coincidence. */
const SEVERAL = 2

/** The movies about which the source had no answer a short while ago. They rest, so that they do not hold up others. */
export function rememberUnanswered(clock: Clock, restMs: number) {
  const times = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  const failedAt = (country: string, tmdbId: string): number => times.get(`${country} ${tmdbId}`) ?? 0
  return {
    note: (country: string, tmdbId: string): void => {
      times.set(`${country} ${tmdbId}`, clock.now().getTime())
    },
    /** 0 for a movie that did not fail. */
    failedAt,
    isResting: (country: string, tmdbId: string): boolean => {
      const [at, now] = [failedAt(country, tmdbId), clock.now().getTime()]
      return at > 0 && at <= now && now < at + restMs
    },
  }
}

/** The failure of the source itself, and not of single movies: the source says so, or several fail and none is answered. */
export function failureOfSource(errors: readonly Error[], answered: number): Error | undefined {
  const ownFailure = errors.find((error) => !(error instanceof UnexpectedAnswer))
  return ownFailure ?? (errors.length >= SEVERAL && answered === 0 ? errors[0] : undefined)
}
