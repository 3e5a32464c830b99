import type { Card } from '@marquee/contract/entities/card'
import { canMove, MOVE_TARGETS, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { Check, type LucideIcon, Undo2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button, type ButtonTone } from '#web/ui/button.tsx'

import { CardFailure } from './card-failure.tsx'

const LOOK: Record<MoveTarget, { tone: ButtonTone; Icon: LucideIcon }> = {
  SUGGESTED: { tone: 'quiet', Icon: Undo2 },
  REJECTED: { tone: 'quiet', Icon: X },
  WATCHED: { tone: 'primary', Icon: Check },
}

type CardMovesProps = {
  card: Card
  /** Why the last move was refused, if it was. */
  failure: unknown
  onMove: (status: MoveTarget) => void
}

/** What a member may do with a revealed card: put back, decline, accept. */
export function CardMoves({ card, failure, onMove }: CardMovesProps) {
  const { t } = useTranslation('moviecard')
  const targets = MOVE_TARGETS.filter((target) => canMove(card.status, target))
  return (
    <>
      {failure !== undefined && <CardFailure action="move" error={failure} />}
      {targets.length > 0 && (
        <fieldset className="flex gap-2 pt-1">
          <legend className="sr-only">{t('card.moves', { title: card.title })}</legend>
          {targets.map((target) => {
            const { tone, Icon } = LOOK[target]
            return (
              <Button
                key={target}
                tone={tone}
                icon={<Icon aria-hidden />}
                className="flex-1 basis-0 whitespace-nowrap max-sm:px-1.5 max-sm:[&>svg]:hidden sm:flex-none sm:basis-auto"
                onClick={() => onMove(target)}
              >
                {t(`moves.${target}`)}
              </Button>
            )
          })}
        </fieldset>
      )}
    </>
  )
}
