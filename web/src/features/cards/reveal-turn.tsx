import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'

import { isPhone } from '#web/ui/use-is-phone.ts'

import { CardBack } from './card-back.tsx'

/** When a card was drawn (`performance.now()`), and from where. */
export type Drawn = { at: number; by: 'me' | 'others' }

/** A card that comes onto the screen later than this after it was drawn, because the feed was reloaded, is no news. */
const FRESH_MS = 3_000

type RevealTurnProps = {
  /** It rises from the box and turns over once if it has just been drawn. */
  drawn: Drawn | undefined
  /** It was drawn by others and stands where it is not seen. */
  onUnseen: () => void
  children: ReactNode
}

/**
 * The place of a card in the feed. A card that has just been drawn comes with its back first; any key or press skips that.
 * One's own comes into view; nobody is moved from where they are by what others draw.
 */
export function RevealTurn({ drawn, onUnseen, children }: RevealTurnProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isTurning, setTurning] = useState(() => drawn !== undefined && performance.now() - drawn.at < FRESH_MS)
  const isFresh = useRef(isTurning)
  const tellUnseen = useEffectEvent(onUnseen)
  const isMine = drawn?.by === 'me'

  // Where it stands is asked for when the browser knows it anyway: to ask at once takes long in a long feed.
  useEffect(() => {
    const element = place.current
    if (element === null || !isFresh.current) return undefined
    if (isMine) {
      // On a phone the card is taller than the screen. Its poster and title come first.
      const frame = requestAnimationFrame(() => element.scrollIntoView({ block: isPhone() ? 'start' : 'nearest' }))
      return () => cancelAnimationFrame(frame)
    }
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect()
      if (entry?.isIntersecting === false) tellUnseen()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isMine])

  useEffect(() => {
    if (!isTurning) return undefined
    const skip = () => setTurning(false)
    document.addEventListener('pointerdown', skip)
    document.addEventListener('keydown', skip)
    return () => {
      document.removeEventListener('pointerdown', skip)
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
