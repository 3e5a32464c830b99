import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { announce } from '#web/ui/live-region.tsx'

import { useMoveCard } from './changes.ts'
import type { CardContext } from './movie-card.tsx'

/** A move that was refused or did not arrive. */
export type MoveFailure = { card: Card; error: unknown }

type CardContextInput = {
  watchlistId: string
  username: string
  isMember: boolean
  isOwner: boolean
  goToHeading: () => void
  tellUnseen: (card: Card) => void
  renderComments: ((card: Card) => ReactNode) | undefined
}

/**
 * What the cards of a feed have in common, and why a move was refused last. Moves are made here and not in the card, since
 * one that is put back is gone before the server has answered.
 */
export function useCardContext(input: CardContextInput) {
  const { watchlistId, username, isMember, isOwner, goToHeading, tellUnseen, renderComments } = input
  const { t } = useTranslation('moviecard')
  const [moveFailure, setMoveFailure] = useState<MoveFailure>()
  const movedHere = useRef<string>(undefined)
  const { mutateAsync: move } = useMoveCard(watchlistId, username)

  const context = useMemo<CardContext>(() => {
    const moveCard = async (card: Card, status: MoveTarget) => {
      setMoveFailure(undefined)
      // A card that is put back leaves the feed with the button that has the focus.
      if (isInTheBox(status)) goToHeading()
      else movedHere.current = card.id
      try {
        await move({ card, status })
        movedHere.current = undefined
        announce(t(`moved.${status}`, { title: card.title }))
      } catch (error) {
        // The card is back where it was.
        movedHere.current = card.id
        setMoveFailure({ card, error })
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
      onUnseen: tellUnseen,
      onFocusLost: goToHeading,
      renderComments,
    }
  }, [username, isMember, isOwner, goToHeading, tellUnseen, renderComments, move, t])

  return { context, moveFailure }
}
