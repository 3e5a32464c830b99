import type { Ballot } from '@marquee/contract/entities/vote'

import type { BallotRow } from './vote-store.ts'

/** Totals only. `cards` is empty if single votes could be read from them. `present` and `voted` count those who have left, too. */
export type VoteResult = {
  winner: string | null
  present: number
  voted: number
  cards: { cardId: string; total: number; isVetoed: boolean }[]
}

/**
 * Counts the ballots for cards in the order drawn. Vetoed cards drop out, the highest total wins, and of equal ones the card
 * that was drawn first. Without a ballot no card wins.
 */
export function countVotes(
  cardIds: readonly string[],
  ballots: readonly Ballot[],
): Pick<VoteResult, 'winner' | 'cards'> {
  const cards = cardIds.map((cardId) => ({
    cardId,
    total: ballots.reduce((sum, { scores }) => sum + (scores[cardId] ?? 0), 0),
    isVetoed: ballots.some(({ veto }) => veto === cardId),
  }))
  const left = ballots.length === 0 ? [] : cards.filter(({ isVetoed }) => !isVetoed)
  const highest = Math.max(...left.map(({ total }) => total))
  return { cards, winner: left.find(({ total }) => total === highest)?.cardId ?? null }
}

export function ballotOf({ scores, veto }: BallotRow): Ballot {
  return { scores: JSON.parse(scores) as Ballot['scores'], veto }
}
