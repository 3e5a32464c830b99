import { Clapperboard } from 'lucide-react'

/** The back of a card, the same for all: what lies in the box is a secret. */
export function CardBack() {
  return (
    <div className="flex size-full items-start justify-center rounded-control border border-card-back-edge bg-card-back p-1.5">
      <div className="flex size-full items-start justify-center rounded-poster border border-card-back-edge pt-3">
        <Clapperboard aria-hidden className="size-6 text-accent" />
      </div>
    </div>
  )
}
