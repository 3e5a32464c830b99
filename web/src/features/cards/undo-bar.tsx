import { UNDO_MS } from '@marquee/contract/limits'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '#web/ui/button.tsx'
import { useFocusLost } from '#web/ui/use-focus-lost.ts'

import type { Decision } from './mutations.ts'

const SECOND_MS = 1000

type UndoBarProps = {
  decision: Decision
  isBusy: boolean
  onUndo: () => void
  /** The time is over. */
  onOver: () => void
  /** The bar had the focus when it left. */
  onFocusLost: () => void
}

/** Offers to undo a decision and counts the seconds down. It was announced already, and never takes the focus. */
export function UndoBar({ decision, isBusy, onUndo, onOver, onFocusLost }: UndoBarProps) {
  const { t } = useTranslation('moviecard')
  const secondsLeft = useSecondsLeft(decision.madeAt + UNDO_MS)
  const isOver = secondsLeft <= 0 && !isBusy
  const tellOver = useEffectEvent(onOver)
  useEffect(() => {
    if (isOver) tellOver()
  }, [isOver])

  const bar = useFocusLost(onFocusLost)
  return (
    <aside
      ref={bar}
      aria-label={t('undo.label')}
      className="flex items-center gap-3 rounded-panel border border-control-edge bg-surface py-2 pr-2 pl-4 shadow-float"
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
  return Math.ceil((deadline - now) / SECOND_MS)
}
