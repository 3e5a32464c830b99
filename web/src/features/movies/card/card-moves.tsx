import type { Card } from '@marquee/contract/entities/card'
import { isSameUser } from '@marquee/contract/rules/account'
import { canMove, MOVE_TARGETS, type MoveTarget } from '@marquee/contract/rules/card-moves'
import { Check, type LucideIcon, Undo2, X } from 'lucide-react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button, type ButtonTone } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

const LOOK: Record<MoveTarget, { tone: ButtonTone; Icon: LucideIcon }> = {
  SUGGESTED: { tone: 'quiet', Icon: Undo2 },
  REJECTED: { tone: 'quiet', Icon: X },
  WATCHED: { tone: 'primary', Icon: Check },
}

/** The bar above the tabs of a phone. A new button there ignores the second tap of a double tap. */
export const THUMB_BAR =
  'max-sm:fixed max-sm:inset-x-0 max-sm:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-sm:z-20 max-sm:*:animate-settle max-sm:border-t max-sm:border-line max-sm:bg-canvas max-sm:px-4 max-sm:pb-3'

/** They stand apart from what is said about the movie. */
const MOVES = 'flex flex-wrap gap-2 rounded-control sm:my-1 sm:border sm:border-control-edge sm:bg-canvas sm:p-2'

type CardMovesProps = {
  card: Pick<Card, 'title' | 'status'>
  /** Another card has the main button of the screen. */
  isQuiet?: boolean
  /** A decision is being sent. */
  isBusy?: boolean
  onMove: (status: MoveTarget) => void
}

/** The moves of the newest undecided card, in the bar at the bottom of a phone. */
export function ThumbMoves({ card, onMove }: CardMovesProps) {
  return (
    <div className={classes(THUMB_BAR, 'pt-2')}>
      <p aria-hidden className="mb-0.5 truncate text-sm font-semibold">
        {card.title}
      </p>
      <CardMoves card={card} onMove={onMove} />
    </div>
  )
}

/** The moves of a revealed card: put back, decline, accept. */
export function CardMoves({ card, isQuiet = false, isBusy = false, onMove }: CardMovesProps) {
  const { t } = useTranslation('moviecard')
  const targets = MOVE_TARGETS.filter((target) => canMove(card.status, target))
  if (targets.length === 0) return null
  return (
    <fieldset className={MOVES}>
      <legend className="sr-only">{t('card.moves', { title: card.title })}</legend>
      {targets.map((target) => {
        const { tone, Icon } = LOOK[target]
        return (
          <Button
            key={target}
            tone={isQuiet ? 'quiet' : tone}
            icon={<Icon aria-hidden />}
            disabled={isBusy}
            className="flex-1 whitespace-nowrap max-sm:basis-0 max-sm:px-1.5 max-[22.5rem]:px-1 max-[22.5rem]:text-sm max-sm:[&>svg]:hidden sm:flex-none"
            onClick={() => onMove(target)}
          >
            {t(`moves.${target}`)}
          </Button>
        )
      })}
    </fieldset>
  )
}

/** In the place of the moves once the card is decided, so that nothing below it moves. */
export function DecidedLine({ card, username }: { card: Card; username: string }) {
  const { t } = useTranslation('moviecard')
  const last = card.statusChanges.at(-1)
  const target = MOVE_TARGETS.find((status) => status === card.status)
  if (last === undefined || target === undefined) return null
  const { title } = card
  return (
    <p className={`${MOVES} max-sm:hidden`}>
      <span className="flex min-h-10 items-center px-2 text-sm pointer-coarse:min-h-11">
        {isSameUser(last.changedBy, username)
          ? t(`moved.${target}`, { title })
          : t(`live.moved.${target}`, { title, user: last.changedBy })}
      </span>
    </p>
  )
}
