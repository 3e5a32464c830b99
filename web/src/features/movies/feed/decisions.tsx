import type { Card } from '@marquee/contract/entities/card'
import { UNDO_MS } from '@marquee/contract/limits'
import { canUndo, isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { useMemo, useRef, useState, useEffect, useEffectEvent } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { announce } from '#web/ui/live-region.tsx'
import { useFocusLost } from '#web/ui/focus.ts'

import type { CardContext, MoveFailure } from '../card/card-context.ts'
import { type Decision, useMoveCard, useUndoMove } from '../mutations.ts'

type CardContextInput = {
  watchlistId: string
  username: string
  isMember: boolean
  isOwner: boolean
  goToHeading: () => void
  handleUnseen: (card: Card) => void
}

/**
 * What the cards of a feed share, the last failed move, and the last decision while it can be undone. Moves are made
 * here because a card that is put back is unmounted before the server answers.
 */
export function useCardContext(input: CardContextInput) {
  const { watchlistId, username, isMember, isOwner, goToHeading, handleUnseen } = input
  const { t } = useTranslation('moviecard')
  const [moveFailure, setMoveFailure] = useState<MoveFailure>()
  const [decision, setDecision] = useState<Decision>()
  const movedHere = useRef<string>(undefined)
  const { mutateAsync: move } = useMoveCard(watchlistId, username)
  const { mutateAsync: undo, isPending: isUndoing } = useUndoMove(watchlistId)

  const context = useMemo<CardContext>(() => {
    const moveCard = async (card: Card, status: MoveTarget) => {
      setMoveFailure(undefined)
      // A card that is put back leaves the feed with the button that has the focus.
      if (isInTheBox(status)) goToHeading()
      else movedHere.current = card.id
      try {
        await move({ card, status })
        const news = t(`moved.${status}`, { title: card.title })
        if (!canUndo(status)) return announce(news)
        setDecision({ card, status, madeAt: performance.now() })
        return announce(t('undo.offer', { news, count: UNDO_MS / 1000 }))
      } catch (error) {
        // The card is back where it was.
        movedHere.current = card.id
        return setMoveFailure({ card, action: 'move', error })
      }
    }
    return {
      username,
      isMember,
      isOwner,
      onMove: (card, status) => void moveCard(card, status),
      claimsFocus: ({ id }) => {
        const isClaimed = movedHere.current === id
        if (isClaimed) movedHere.current = undefined
        return isClaimed
      },
      onDeleted: ({ title }) => {
        announce(t('card.wasDeleted', { title }))
        goToHeading()
      },
      onUnseen: handleUnseen,
      onFocusLost: goToHeading,
    }
  }, [username, isMember, isOwner, goToHeading, handleUnseen, move, t])

  const forgetDecision = (made: Decision) => setDecision((last) => (last === made ? undefined : last))
  const undoDecision = async (made: Decision) => {
    const { card } = made
    setMoveFailure(undefined)
    movedHere.current = card.id
    try {
      await undo(made)
      forgetDecision(made)
      announce(t('undo.done', { title: card.title }))
    } catch (error) {
      movedHere.current = card.id
      setMoveFailure({ card, action: 'undo', error })
      // Without an answer the user may try again.
      if (!isApiError(error, 'NETWORK_ERROR')) forgetDecision(made)
    }
  }

  return { context, moveFailure, decision, isUndoing, undoDecision, forgetDecision }
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
