import type { Card } from '@marquee/contract/entities/card'
import { X } from 'lucide-react'
import { useCallback, useRef, useState, type ReactNode, useEffect, useEffectEvent } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { isPhone } from '#web/ui/use-is-phone.ts'

import { CardBack } from '../card/card-look.tsx'
import { Poster } from '../card/poster.tsx'

/**
 * The cards that were revealed while the screen is open, and the last one that another member revealed out of sight.
 */
export function useDrawnCards() {
  const [drawn, setDrawn] = useState<Readonly<Record<string, Drawn>>>({})
  const [unseen, setUnseen] = useState<{ card: Card; by: string }>()
  const drawnBy = useRef(new Map<string, string>())

  const addDrawn = useCallback((cardId: string, by: Drawn['by'], username = '') => {
    drawnBy.current.set(cardId, username)
    setUnseen(undefined)
    setDrawn((before) => ({ ...before, [cardId]: { at: performance.now(), by } }))
  }, [])
  const handleUnseen = useCallback((card: Card) => setUnseen({ card, by: drawnBy.current.get(card.id) ?? '' }), [])
  const forgetUnseen = useCallback(() => setUnseen(undefined), [])

  return { drawn, unseen, addDrawn, handleUnseen, forgetUnseen }
}

/** When a card was revealed (`performance.now()`), and by whom. */
export type Drawn = { at: number; by: 'me' | 'others' }

/** A card that is mounted later than this, because the feed was reloaded, does not turn over. */
const FRESH_MS = 3_000

type RevealTurnProps = {
  /** The card turns over once if it was just revealed. */
  drawn: Drawn | undefined
  /** Another member revealed it, and it is out of sight. */
  onUnseen: () => void
  children: ReactNode
}

/**
 * The place of a card in the feed. A card that was just revealed shows its back first and turns over. Any key or press
 * skips that. The page scrolls to a card that the user revealed, not to those of others.
 */
export function RevealTurn({ drawn, onUnseen, children }: RevealTurnProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isTurning, setTurning] = useState(() => drawn !== undefined && performance.now() - drawn.at < FRESH_MS)
  const isFresh = useRef(isTurning)
  const handleUnseen = useEffectEvent(onUnseen)
  const isMine = drawn?.by === 'me'

  // The observer gives the position without a forced layout, which takes long in a long feed.
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
      if (entry?.isIntersecting === false) handleUnseen()
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

/** The card stays in the feed, so the notice may disappear. */
const LASTS_MS = 12_000

type RevealNoticeProps = { card: Card; by: string; onShow: () => void; onClose: () => void }

/**
 * Shows a card that another member revealed out of sight. It is announced elsewhere, and disappears unless it has the
 * focus or the pointer.
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hover and focus only keep the notice open
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
        <span className="line-clamp-2 font-display text-lg leading-tight font-semibold">
          <bdi>{card.title}</bdi>
        </span>
      </p>
      <Button tone="primary" size="small" onClick={onShow}>
        {t('live.show')}
      </Button>
      <IconButton aria-label={t('live.dismiss')} icon={<X aria-hidden />} onClick={onClose} />
    </aside>
  )
}
