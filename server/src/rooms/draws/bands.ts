import { bandOf } from '@marquee/contract/rules/draw-secrecy'

/** How many cards take part. With a filter, only the band of the number: the number itself would show facts of the cards. */
export function eligibleOf(count: number, filter: object | null): { eligible: number; isBand: boolean } {
  return filter === null ? { eligible: count, isBand: false } : { eligible: bandOf(count), isBand: true }
}
