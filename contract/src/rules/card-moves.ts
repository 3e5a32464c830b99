import { CARD_STATUSES, type CardStatus } from '../entities/card.ts'

/** Which status a card may take next (spec section 4). Revealing is the draw's, the rest are a member's moves. */
export const CARD_MOVES: Record<CardStatus, readonly CardStatus[]> = {
  SUGGESTED: ['REVEALED'],
  REVEALED: ['SUGGESTED', 'REJECTED', 'WATCHED'],
  WATCHED: [],
  REJECTED: [],
}

export function canMove(from: CardStatus, to: CardStatus): boolean {
  return CARD_MOVES[from].includes(to)
}

/** A member's moves from a revealed card, in the order of the buttons: put back, decline, accept. */
export const MOVE_TARGETS = ['SUGGESTED', 'REJECTED', 'WATCHED'] as const satisfies readonly CardStatus[]
export type MoveTarget = (typeof MOVE_TARGETS)[number]

/** Accepting and declining can be undone. A card that was put back is a secret again and may have been drawn since. */
export function canUndo(status: CardStatus): boolean {
  return status === 'WATCHED' || status === 'REJECTED'
}

/** While a card is in the box it is a secret: no read returns it. */
export function isInTheBox(status: CardStatus): boolean {
  return status === 'SUGGESTED'
}

export const FEED_STATUSES = CARD_STATUSES.filter((status) => !isInTheBox(status))

export type HistoryVerb = 'suggested' | 'putBack' | 'revealed' | 'watched' | 'rejected'

/** The words of a card's history: the first SUGGESTED entry means suggested, a later one put back to box. */
export function historyVerb(status: CardStatus, index: number): HistoryVerb {
  switch (status) {
    case 'SUGGESTED':
      return index === 0 ? 'suggested' : 'putBack'
    case 'REVEALED':
      return 'revealed'
    case 'WATCHED':
      return 'watched'
    case 'REJECTED':
      return 'rejected'
  }
}
