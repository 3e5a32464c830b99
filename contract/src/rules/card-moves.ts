import type { CardStatus } from '../entities/card.ts'

/** The statuses that a card may take next. Only a draw reveals a card; members choose the other moves. */
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

/** Only accepting and declining: a card that was put back is secret, and may have been revealed since. */
export function canUndo(status: CardStatus): boolean {
  return status === 'WATCHED' || status === 'REJECTED'
}

/** A card in the box is secret: only its creator sees it. */
export function isInTheBox(status: CardStatus): boolean {
  return status === 'SUGGESTED'
}

export type HistoryVerb = 'suggested' | 'putBack' | 'revealed' | 'watched' | 'rejected'

/** The verb of an entry in the history. A SUGGESTED entry after the first means that the card was put back. */
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
