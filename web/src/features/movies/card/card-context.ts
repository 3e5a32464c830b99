import type { Card } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import type { MoveTarget } from '@marquee/contract/rules/card-moves'
import { createContext } from 'react'

/** The members of the watchlist, whom comments can mention. */
export const Members = createContext<NonNullable<Watchlist['members']>>([])

/** The country of the watchlist, in which its members watch. */
export const Country = createContext<string | undefined>(undefined)

/** A failed move, or a failed undo. */
export type MoveFailure = { card: Pick<Card, 'id' | 'title'>; action: 'move' | 'undo'; error: unknown }

/** What all cards of a feed share. Memoized, because cards are. */
export type CardContext = {
  username: string
  isMember: boolean
  /** The owner of the watchlist may change every card. Others may change their own. */
  isOwner: boolean
  onMove: (card: Card, status: MoveTarget) => void
  /** True once for a card that the user has just moved: it takes the focus. */
  claimsFocus: (card: Card) => boolean
  onDeleted: (card: Card) => void
  /** The focused element has left the page. */
  onFocusLost: () => void
}
