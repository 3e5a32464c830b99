import { type ReactNode, useEffect, useRef, useState } from 'react'

import { isPhone } from '#web/ui/use-is-phone.ts'

import { CardBack } from '../card/card-look.tsx'

/** A card that is mounted later than this, because the feed was reloaded, does not turn over. */
const FRESH_MS = 3_000

type RevealTurnProps = {
  /** When the user revealed the card, or asked for it (`performance.now()`). Then it turns over once. */
  drawnAt: number | undefined
  children: ReactNode
}

/**
 * The place of a card in the feed. A card that was just revealed shows its back first and turns over. Any key or press
 * skips that. The page scrolls to it.
 */
export function RevealTurn({ drawnAt, children }: RevealTurnProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isTurning, setTurning] = useState(() => drawnAt !== undefined && performance.now() - drawnAt < FRESH_MS)
  const isFresh = useRef(isTurning)

  useEffect(() => {
    if (!isFresh.current) return undefined
    // On a phone the card is taller than the screen. Its poster and title come first.
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView({ block: isPhone() ? 'start' : 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [])

  useEffect(() => {
    if (!isTurning) return undefined
    const skip = () => setTurning(false)
    // The end of a press, because a button that moves during the press loses it.
    document.addEventListener('pointerup', skip)
    document.addEventListener('keydown', skip)
    return () => {
      document.removeEventListener('pointerup', skip)
      document.removeEventListener('keydown', skip)
    }
  }, [isTurning])

  return (
    <div ref={place} className={isTurning ? 'perspective-distant' : undefined}>
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
