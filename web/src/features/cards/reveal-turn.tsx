import { type ReactNode, useEffect, useRef, useState } from 'react'

import { CardBack } from './card-back.tsx'

type RevealTurnProps = {
  /** Has it just been drawn? Then it rises from the box and turns over once. */
  isNew: boolean
  children: ReactNode
}

/** The place of a card in the feed. A card that has just been drawn comes into view with its back first. */
export function RevealTurn({ isNew, children }: RevealTurnProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isTurning, setTurning] = useState(isNew)

  useEffect(() => {
    if (isNew) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isNew])

  return (
    <div ref={place} className="perspective-distant">
      <div
        className={isTurning ? 'relative animate-reveal transform-3d' : undefined}
        onAnimationEnd={({ target, currentTarget }) => {
          if (target === currentTarget) setTurning(false)
        }}
      >
        <div className={isTurning ? 'backface-hidden' : undefined}>{children}</div>
        {isTurning && (
          <div aria-hidden className="absolute inset-0 rotate-y-180 backface-hidden">
            <CardBack />
          </div>
        )}
      </div>
    </div>
  )
}
