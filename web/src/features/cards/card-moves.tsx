import type { Card } from '@marquee/contract/entities/card'
import { canMove, MOVE_TARGETS, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { Check, type LucideIcon, Undo2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { isApiError } from '#web/api/api-error.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, type ButtonTone } from '#web/ui/button.tsx'

import { useMoveCard } from './queries.ts'

const LOOK: Record<MoveTarget, { tone: ButtonTone; Icon: LucideIcon }> = {
  SUGGESTED: { tone: 'quiet', Icon: Undo2 },
  REJECTED: { tone: 'quiet', Icon: X },
  WATCHED: { tone: 'primary', Icon: Check },
}

type CardMovesProps = { card: Card; onMoved: (card: Card) => void }

/** What a member may do with a revealed card: put back, decline, accept (spec section 4). */
export function CardMoves({ card, onMoved }: CardMovesProps) {
  const { t } = useTranslation('moviecard')
  const move = useMoveCard(card.watchlistId, onMoved)
  const targets = MOVE_TARGETS.filter((target) => canMove(card.status, target))
  if (targets.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      {move.isError && (
        <Banner tone="error">
          <p>{t('errors.statusFailed')}</p>
          {isApiError(move.error, 'BAD_REQUEST') && <p className="text-sm">{move.error.message}</p>}
        </Banner>
      )}
      <fieldset className="flex gap-2">
        <legend className="sr-only">{t('card.moves', { title: card.title })}</legend>
        {targets.map((target) => {
          const { tone, Icon } = LOOK[target]
          return (
            <Button
              key={target}
              tone={tone}
              icon={<Icon aria-hidden />}
              busy={move.isPending && move.variables.status === target}
              disabled={move.isPending}
              className="flex-1 basis-0 whitespace-nowrap max-sm:px-1.5 sm:flex-none sm:basis-auto max-sm:[&>svg:not(.animate-spin)]:hidden"
              onClick={() => move.mutate({ cardId: card.id, status: target })}
            >
              {t(`moves.${target}`)}
            </Button>
          )
        })}
      </fieldset>
    </div>
  )
}
