import type { DrawSummary } from '@marquee/contract/entities/draw'

/** What a draw without a card is called. */
export function resultKey({ status, eligible }: Pick<DrawSummary, 'status' | 'eligible'>) {
  return status === 'revealed' && eligible === 0 ? 'draws.nothingToWatch' : (`draws.status.${status}` as const)
}
