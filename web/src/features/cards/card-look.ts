import type { CardStatus } from '@marquee/contract/entities/card'
import type { HistoryVerb } from '@marquee/contract/rules/card-moves'
import { CircleCheck, CircleX, Eye, type LucideIcon, PackagePlus, Undo2 } from 'lucide-react'

/** Background and edge of a card by its status (spec section 2, "Movie card"). */
export const CARD_LOOK: Record<CardStatus, { card: string; ink: string }> = {
  SUGGESTED: { card: 'bg-other border-other-edge', ink: 'text-other-edge' },
  REVEALED: { card: 'bg-revealed border-revealed-edge', ink: 'text-revealed-edge' },
  WATCHED: { card: 'bg-watched border-watched-edge', ink: 'text-watched-edge' },
  REJECTED: { card: 'bg-rejected border-rejected-edge', ink: 'text-rejected-edge' },
}

/** The icon of each step of a card's history. */
export const HISTORY_ICON: Record<HistoryVerb, LucideIcon> = {
  suggested: PackagePlus,
  putBack: Undo2,
  revealed: Eye,
  watched: CircleCheck,
  rejected: CircleX,
}
