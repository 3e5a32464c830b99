import type { CardStatus } from '@marquee/contract/entities/card'
import type { HistoryVerb } from '@marquee/contract/rules/card-moves'
import { CircleCheck, CircleX, Eye, type LucideIcon, PackagePlus, Undo2, Clapperboard } from 'lucide-react'

/** Background, edge and icon of a card by its status. */
export const CARD_LOOK: Record<CardStatus, { card: string; ink: string; Icon: LucideIcon }> = {
  SUGGESTED: { card: 'bg-other border-other-edge', ink: 'text-other-edge', Icon: PackagePlus },
  REVEALED: { card: 'bg-revealed border-revealed-edge', ink: 'text-revealed-edge', Icon: Eye },
  WATCHED: { card: 'bg-watched border-watched-edge', ink: 'text-watched-edge', Icon: CircleCheck },
  REJECTED: { card: 'bg-rejected border-rejected-edge', ink: 'text-rejected-edge', Icon: CircleX },
}

/** The icon of each step of a card's history. */
export const HISTORY_ICON: Record<HistoryVerb, LucideIcon> = {
  suggested: PackagePlus,
  putBack: Undo2,
  revealed: Eye,
  watched: CircleCheck,
  rejected: CircleX,
}

/** The back of a card, the same for all, because the box is secret. */
export function CardBack() {
  return (
    <div className="flex size-full items-start justify-center rounded-control border border-card-back-edge bg-card-back p-1.5">
      <div className="flex size-full items-start justify-center rounded-poster border border-card-back-edge pt-3">
        <Clapperboard aria-hidden className="size-6 text-accent" />
      </div>
    </div>
  )
}
