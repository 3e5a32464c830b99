import type { Card } from '@marquee/contract/entities/card'
import { memo, type RefCallback } from 'react'

import { classes } from '#web/ui/classes.ts'

import { type CardContext, MovieCard } from './movie-card.tsx'
import { type Drawn, RevealTurn } from './reveal-turn.tsx'
import type { MoveFailure } from './use-card-context.ts'

/**
 * Cards far down are laid out and painted only as they come near, at a likely height until then: a feed of thousands
 * scrolls and changes without a pause. Such a card clips what hangs over its edge, so one with an open panel is exempt.
 */
const FAR = '[content-visibility:auto] [contain-intrinsic-size:auto_27rem] has-data-open:[content-visibility:visible]'

type FeedItemProps = {
  ref: RefCallback<HTMLElement> | undefined
  card: Card
  context: CardContext
  isFar: boolean
  isAtThumb: boolean
  drawn: Drawn | undefined
  /** Why its last move was refused. */
  moveFailure: MoveFailure | undefined
}

/** One card of the feed; it renders again only if something of it has changed. */
export const FeedItem = memo(function FeedItem(props: FeedItemProps) {
  const { ref, card, context, isFar, isAtThumb, drawn, moveFailure } = props
  return (
    <li ref={ref} className={classes('pb-4', isFar && FAR)}>
      <RevealTurn key={drawn?.at} drawn={drawn} onUnseen={() => context.onUnseen(card)}>
        <MovieCard card={card} context={context} isAtThumb={isAtThumb} moveFailure={moveFailure} />
      </RevealTurn>
    </li>
  )
})
