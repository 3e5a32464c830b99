import type { Ballot } from '@marquee/contract/entities/vote'

/** Totals only: no single vote can be read from them. */
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
