import { Clapperboard } from 'lucide-react'

/** The back of a card, the same for all: what lies in the box is a secret. */
export function CardBack() {
  return (
    <div className="flex size-full items-center justify-center rounded-panel border-2 border-accent bg-raised p-2">
      <div className="flex size-full items-center justify-center rounded-control border border-dashed border-accent">
        <Clapperboard aria-hidden className="size-8 text-accent" />
      </div>
    </div>
  )
}
