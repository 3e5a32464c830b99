import type { Night } from '@marquee/contract/entities/night'
import type { TonightsCard } from '@marquee/contract/entities/vote'
import { canUndo, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { type Decision, useMoveCard, useUndoMove } from '#web/features/movies/mutations.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { announce } from '#web/ui/live-region.tsx'

import { nightVote } from './vote-queries.ts'

const MOVE = 'move' as const
const UNDO = 'undo' as const

/** What a member decides about the movies of an open night, and the last decision while it can be undone. */
export function useDecisions(night: Night, username: string) {
  const { t } = useTranslation('moviecard')
  const client = useQueryClient()
  const [decision, setDecision] = useState<Decision>()
  const move = useMoveCard(night.watchlistId, username)
  const undo = useUndoMove(night.watchlistId)
  const onSettled = () => void client.invalidateQueries({ queryKey: nightVote(night).queryKey })
  return {
    decision,
    move: ({ cardId: id, title }: TonightsCard, status: MoveTarget) => {
      undo.reset()
      const made = { card: { id, title }, status }
      const onSuccess = () => {
        announce(t(`moved.${status}`, { title }))
        setDecision(canUndo(status) ? { ...made, madeAt: performance.now() } : undefined)
      }
      move.mutate(made, { onSuccess, onSettled })
    },
    undo: (made: Decision) => {
      const onSuccess = () => {
        setDecision(undefined)
        announce(t('undo.done', { title: made.card.title }))
      }
      undo.mutate(made, { onSuccess, onSettled })
    },
    forget: () => setDecision(undefined),
    isUndoing: undo.isPending,
    failure: undo.error === null ? { action: MOVE, error: move.error } : { action: UNDO, error: undo.error },
  }
}
