import type { DrawFilter, DrawRule } from '../entities/draw.ts'
import { DRAW_BAND, DRAW_RUNTIME_STEP } from '../base/limits.ts'

/** The least count of the band of a count. */
export function bandOf(count: number): number {
  if (count >= DRAW_BAND) return DRAW_BAND
  return Math.min(count, 1)
}

/** A filter with its length rounded down to a step. */
export function inSteps(filter: DrawFilter): DrawFilter {
  const { maxRuntime } = filter
  return maxRuntime === undefined ? filter : { ...filter, maxRuntime: maxRuntime - (maxRuntime % DRAW_RUNTIME_STEP) }
}

/** Whether the table of a draw with this rule shows more than one with the rule of the watchlist: whose cards are whose. */
export function showsMore(rule: DrawRule, ofWatchlist: DrawRule): boolean {
  return ofWatchlist === 'cards' && rule !== 'cards'
}

/** Whether the table of a draw names people. With a filter by facts it would show whose cards have them. */
export function namesPeople(rule: DrawRule, filter: DrawFilter | null): boolean {
  const { maxRuntime, withoutGenres, watchable } = filter ?? {}
  return rule !== 'cards' && maxRuntime === undefined && withoutGenres === undefined && watchable === undefined
}

/**
 * Whether it stays secret how many cards a filter leaves, even whether it leaves any, until the draw is revealed. Who owns a
 * media server decides what it has, so each answer would tell whether a chosen movie is in the box.
 */
export function hidesCount(filter: DrawFilter | null): boolean {
  return filter?.watchable !== undefined
}
