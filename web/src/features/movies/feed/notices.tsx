import type { Card } from '@marquee/contract/entities/card'
import { UNDO_MS } from '@marquee/contract/limits'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { useFocusLost } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

import { SHOW_HELD } from '../card/focus-card.ts'
import { CardBack } from '../card/card-look.tsx'
import { Poster } from '../card/poster.tsx'
import type { Decision } from '../mutations.ts'

type RevealNoticeProps = {
  card: Card
  onShow: () => void
  onClose: () => void
  /** The bar had the focus when it disappeared: another member has decided, or revealed the next card. */
  onFocusLost: () => void
}

/**
 * Shows a card that another member revealed, and that is not in the feed yet. It is announced elsewhere, and stays until the
 * user asks for the card, here or by a link to it.
 */
export function RevealNotice({ card, onShow, onClose, onFocusLost }: RevealNoticeProps) {
  const { t } = useTranslation('moviecard')
  const by = card.statusChanges.at(-1)?.changedBy ?? ''
  const showHeld = useEffectEvent(onClose)
  useEffect(() => {
    const show = () => showHeld()
    document.addEventListener(SHOW_HELD, show)
    return () => document.removeEventListener(SHOW_HELD, show)
  }, [])
  const bar = useFocusLost(onFocusLost)
  return (
    <aside
      ref={bar}
      aria-label={t('live.notice')}
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
      <Button tone="quiet" size="small" onClick={onShow}>
        {t('live.show')}
      </Button>
      <IconButton aria-label={t('live.dismiss')} icon={<X aria-hidden />} onClick={onClose} />
    </aside>
  )
}

const SECOND_MS = 1000

type UndoBarProps = {
  decision: Decision
  isBusy: boolean
  onUndo: () => void
  /** The time to undo is over. */
  onOver: () => void
  /** The bar had the focus when it disappeared. */
  onFocusLost: () => void
}

/** Offers to undo a decision and counts down the seconds. It is announced elsewhere and never takes the focus. */
export function UndoBar({ decision, isBusy, onUndo, onOver, onFocusLost }: UndoBarProps) {
  const { t } = useTranslation('moviecard')
  const secondsLeft = useSecondsLeft(decision.madeAt + UNDO_MS)
  const isOver = secondsLeft <= 0 && !isBusy
  const handleOver = useEffectEvent(onOver)
  useEffect(() => {
    if (isOver) handleOver()
  }, [isOver])

  const bar = useFocusLost(onFocusLost)
  return (
    <aside
      ref={bar}
      aria-label={t('undo.label')}
      className="flex items-center gap-3 rounded-panel border border-control-edge bg-surface py-2 pe-2 ps-4 shadow-float"
    >
      <p className="min-w-0 flex-1 truncate">{t(`moved.${decision.status}`, { title: decision.card.title })}</p>
      <Button tone="quiet" size="small" busy={isBusy} onClick={onUndo}>
        {t('undo.button')} <span aria-hidden>{t('undo.countdown', { seconds: Math.max(0, secondsLeft) })}</span>
      </Button>
    </aside>
  )
}

/** Whole seconds until a moment of `performance.now()`. */
function useSecondsLeft(deadline: number): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), SECOND_MS / 4)
    return () => clearInterval(timer)
  }, [])
  // A difference of fractions can be a little more than a whole second.
  return Math.ceil(Math.round(deadline - now) / SECOND_MS)
}
