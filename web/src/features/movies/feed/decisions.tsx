import type { Card } from '@marquee/contract/entities/card'
import { UNDO_MS } from '@marquee/contract/limits'
import { canUndo, isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { useMemo, useRef, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { announce } from '#web/ui/live-region.tsx'

import type { CardContext, MoveFailure } from '../card/card-context.ts'
import { type Decision, useMoveCard, useUndoMove } from '../mutations.ts'

type CardContextInput = {
  watchlistId: string
  username: string
  isMember: boolean
  isOwner: boolean
  goToHeading: () => void
}

/**
 * What the cards of a feed share, the last failed move, and the last decision while it can be undone. Moves are made
 * here because a card that is put back is unmounted before the server answers.
 */
export function useCardContext(input: CardContextInput) {
  const { watchlistId, username, isMember, isOwner, goToHeading } = input
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
      onFocusLost: goToHeading,
    }
  }, [username, isMember, isOwner, goToHeading, move, t])

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
