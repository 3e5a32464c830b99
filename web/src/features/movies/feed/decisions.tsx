import type { Card } from '@marquee/contract/entities/card'
import { UNDO_MS } from '@marquee/contract/limits'
import { canUndo, isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { useCallback, useMemo, useRef, useState } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { KEPT } from '#web/api/kept.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { announce } from '#web/ui/live-region.tsx'

import type { CardContext, MoveFailure } from '../card/card-context.ts'
import { type Decision, useMoveCard, useUndoMove } from '../mutations.ts'

type DecisionsInput = {
  watchlistId: string
  username: string
  /** The open night that the user sees, or null if none is open. An accepted card becomes its movie. Undefined if not known. */
  getNightId?: (() => string | null | undefined) | undefined
  /** Called after each reply. Until it has ended, the decision counts as being sent. */
  onAnswered?: () => Promise<void>
}

type DecidedCard = Pick<Card, 'id' | 'title'>

/**
 * What a member decides about cards: the last failure, and the last decision while it can be undone. It outlives a card that
 * is unmounted before the server answers.
 */
export function useDecisions({ watchlistId, username, getNightId, onAnswered }: DecisionsInput) {
  const { t } = useTranslation('moviecard')
  const [failure, setFailure] = useState<MoveFailure>()
  const [decision, setDecision] = useState<Decision>()
  const [sending, setSending] = useState<readonly MoveFailure['action'][]>([])
  const { mutateAsync: move } = useMoveCard(watchlistId, username, getNightId)
  const { mutateAsync: undo } = useUndoMove(watchlistId)
  const forget = useCallback((made: Decision) => setDecision((last) => (last === made ? undefined : last)), [])

  /** Sends a decision. Returns whether the server took it. */
  const attempt = useCallback(
    async (action: MoveFailure['action'], card: DecidedCard, send: () => Promise<void>) => {
      setFailure(undefined)
      setSending((before) => [...before, action])
      try {
        await send()
        return true
      } catch (error) {
        setFailure({ card, action, error })
        return false
      } finally {
        await onAnswered?.()
        setSending((before) => before.toSpliced(before.indexOf(action), 1))
      }
    },
    [onAnswered],
  )
  const decide = useCallback(
    async (card: DecidedCard, status: MoveTarget) =>
      attempt('move', card, async () => {
        if ((await move({ card, status })) === KEPT) return
        const news = t(`moved.${status}`, { title: card.title })
        if (canUndo(status)) setDecision({ card, status, madeAt: performance.now() })
        announce(canUndo(status) ? t('undo.offer', { news, count: UNDO_MS / 1000 }) : news)
      }),
    [attempt, move, t],
  )
  const takeBack = async (made: Decision) =>
    attempt('undo', made.card, async () => {
      try {
        await undo(made)
      } catch (error) {
        // Without an answer the user may try again.
        if (!isApiError(error, 'NETWORK_ERROR')) forget(made)
        throw error
      }
      forget(made)
      announce(t('undo.done', { title: made.card.title }))
    })
  return {
    decision,
    failure,
    isSending: sending.length > 0,
    isUndoing: sending.includes('undo'),
    decide,
    takeBack,
    forget,
  }
}

type CardContextInput = Pick<DecisionsInput, 'watchlistId' | 'username' | 'getNightId'> & {
  isMember: boolean
  isOwner: boolean
  goToHeading: () => void
}

/** What the cards of a feed share, and the decisions about them. */
export function useCardContext(input: CardContextInput) {
  const { watchlistId, username, getNightId, isMember, isOwner, goToHeading } = input
  const { t } = useTranslation('moviecard')
  const movedHere = useRef<string>(undefined)
  const { failure, decide, takeBack, ...decisions } = useDecisions({ watchlistId, username, getNightId })

  const context = useMemo<CardContext>(() => {
    const moveCard = async (card: Card, status: MoveTarget) => {
      // A card that is put back leaves the feed with the button that has the focus.
      if (isInTheBox(status)) goToHeading()
      else movedHere.current = card.id
      // After a failure the card is back where it was.
      if (!(await decide(card, status))) movedHere.current = card.id
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
  }, [username, isMember, isOwner, goToHeading, decide, t])

  const undoDecision = async (made: Decision) => {
    movedHere.current = made.card.id
    if (!(await takeBack(made))) movedHere.current = made.card.id
  }
  return {
    context,
    moveFailure: failure,
    decision: decisions.decision,
    isUndoing: decisions.isUndoing,
    undoDecision,
    forgetDecision: decisions.forget,
  }
}
