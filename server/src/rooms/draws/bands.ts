import type { DrawFilter } from '@marquee/contract/entities/draw'
import { bandOf, hidesCount } from '@marquee/contract/rules/draw-secrecy'

/** How many cards take part. With a filter, only the band of the number: the number itself would show facts of the cards. */
export function eligibleOf(count: number, filter: object | null): { eligible: number; isBand: boolean } {
  return filter === null ? { eligible: count, isBand: false } : { eligible: bandOf(count), isBand: true }
}

/** The same for a draw that is not revealed. With a filter that hides its count, not even the band. */
export function eligibleUntilRevealed(
  count: number,
  filter: DrawFilter | null,
): { eligible: number | null; isBand: boolean } {
  return hidesCount(filter) ? { eligible: null, isBand: false } : eligibleOf(count, filter)
}
