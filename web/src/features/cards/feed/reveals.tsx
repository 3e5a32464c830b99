import type { Card } from '@marquee/contract/entities/card'
import { X } from 'lucide-react'
import { useCallback, useRef, useState, type ReactNode, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { isPhone } from '#web/ui/use-is-phone.ts'

import { CardBack } from '../card/card-look.tsx'
import { Poster } from '../card/poster.tsx'

/** The cards that are drawn while the screen is open, and the last one that others drew where it is not seen. */
export function useDrawnCards() {
  const [drawn, setDrawn] = useState<Readonly<Record<string, Drawn>>>({})
  const [unseen, setUnseen] = useState<{ card: Card; by: string }>()
  const drawnBy = useRef(new Map<string, string>())

  const addDrawn = useCallback((cardId: string, by: Drawn['by'], username = '') => {
    drawnBy.current.set(cardId, username)
    setUnseen(undefined)
    setDrawn((before) => ({ ...before, [cardId]: { at: performance.now(), by } }))
  }, [])
  const tellUnseen = useCallback((card: Card) => setUnseen({ card, by: drawnBy.current.get(card.id) ?? '' }), [])
  const forgetUnseen = useCallback(() => setUnseen(undefined), [])

  return { drawn, unseen, addDrawn, tellUnseen, forgetUnseen }
}

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

/** The card stays in the feed, so nothing is missed when the notice goes. */
const LASTS_MS = 12_000

type RevealNoticeProps = { card: Card; by: string; onShow: () => void; onClose: () => void }

/**
 * A card that somebody else drew turns over here, for those who are elsewhere in the feed. It was announced already, and
 * goes away by itself unless someone is at it.
 */
export function RevealNotice({ card, by, onShow, onClose }: RevealNoticeProps) {
  const { t } = useTranslation('moviecard')
  const [isHeld, setHeld] = useState(false)

  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(onClose, LASTS_MS)
    return () => clearTimeout(timer)
  }, [isHeld, onClose])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- being at it only keeps it there
    <aside
      aria-label={t('live.notice')}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex items-center gap-3 rounded-panel border border-revealed-edge bg-revealed p-3 shadow-float"
    >
      <div className="w-14 shrink-0 perspective-distant">
        <div className="relative animate-turn transform-3d">
          <div className="backface-hidden">
            <Poster card={card} />
          </div>
          <div aria-hidden className="absolute inset-0 rotate-y-180 backface-hidden">
            <CardBack />
          </div>
        </div>
      </div>
      <p className="min-w-0 flex-1">
        <span className="block text-sm">{t('live.revealedBy', { user: by })}</span>
        <span className="line-clamp-2 font-display text-lg leading-tight font-semibold">{card.title}</span>
      </p>
      <Button tone="primary" size="small" onClick={onShow}>
        {t('live.show')}
      </Button>
      <IconButton aria-label={t('live.dismiss')} icon={<X aria-hidden />} onClick={onClose} />
    </aside>
  )
}
