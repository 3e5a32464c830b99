import type { Card } from '@marquee/contract/entities/card'
import { isSameUser } from '@marquee/contract/rules/account'
import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { memo, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState, type Ref } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { cardElementId } from '#web/paths.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { useDraft } from '#web/drafts.ts'
import { classes } from '#web/ui/classes.ts'
import { focusSoon, useFocusLost } from '#web/ui/focus.ts'
import { Menu, MenuAction } from '#web/ui/menu.tsx'

import { CardFailure } from '../card-failure.tsx'
import { CommentArea } from '../comments/comment-area.tsx'
import { cardDraftPlace } from '../form/movie-draft.ts'
import { DeleteCardDialog, EditCardForm, MovieFacts, WantedBy } from '../lazy-parts.tsx'
import { ViewingArea } from '../viewings/viewing-area.tsx'
import { CardDescription } from './card-description.tsx'
import { CardHistory } from './card-history.tsx'
import type { CardContext, MoveFailure } from './card-context.ts'
import { CARD_LOOK } from './card-look.tsx'
import { CardMoves } from './card-moves.tsx'
import { Poster, PosterProblem } from './poster.tsx'

type Step = 'shown' | 'editing' | 'choosing-poster' | 'deleting'

type MovieCardProps = {
  card: Card
  context: CardContext
  /** The bar at the bottom has its moves. */
  isAtThumb: boolean
  moveFailure: MoveFailure | undefined
}

/** One movie of the feed. */
export const MovieCard = memo(function MovieCard({ card, context, isAtThumb, moveFailure }: MovieCardProps) {
  const titleId = useId()
  const { username, isMember, isOwner } = context
  const isCreator = isMember && isSameUser(card.creatorId, username)
  const mayChange = isCreator || (isMember && isOwner)
  const article = useCardFocus(card, context)
  const menu = useRef<HTMLButtonElement>(null)
  const draft = useDraft(cardDraftPlace(card.id))
  const [step, setStep] = useState<Step>(() => (mayChange && draft.read() !== undefined ? 'editing' : 'shown'))
  const look = CARD_LOOK[card.status]
  const show = () => {
    setStep('shown')
    focusSoon(menu)
  }

  return (
    <article
      ref={article}
      id={cardElementId(card.id)}
      tabIndex={-1}
      aria-labelledby={titleId}
      className={classes(
        'flex flex-col gap-4 rounded-panel border p-3 -outline-offset-2 sm:flex-row sm:gap-5 sm:p-4',
        look.card,
      )}
    >
      <div className="sm:w-42 sm:shrink-0 md:w-48">
        <Poster card={card} />
        {isCreator && card.posterState === 'failed' && step === 'shown' && (
          <PosterProblem onUpload={() => setStep('choosing-poster')} />
        )}
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <CardHead card={card} />
        <CardTitle id={titleId} card={card}>
          {mayChange && (
            <CardMenu
              ref={menu}
              title={card.title}
              onEdit={() => setStep('editing')}
              onDelete={() => setStep('deleting')}
            />
          )}
        </CardTitle>
        {card.movie !== undefined && <MovieFacts title={card.title} movie={card.movie} />}
        {card.wantedBy !== undefined && card.wantedBy.length > 1 && <WantedBy usernames={card.wantedBy.slice(1)} />}
        {step === 'editing' || step === 'choosing-poster' ? (
          <EditCardForm card={card} imageSource={step === 'choosing-poster' ? 'file' : 'keep'} onClose={show} />
        ) : (
          <CardDescription text={card.description} />
        )}
        {step === 'deleting' && (
          <DeleteCardDialog card={card} onDeleted={() => context.onDeleted(card)} onCancel={show} />
        )}
        {moveFailure !== undefined && <CardFailure action={moveFailure.action} error={moveFailure.error} />}
        {isMember && !isAtThumb && <CardMoves card={card} onMove={(status) => context.onMove(card, status)} />}
        {isMember && <ViewingArea card={card} username={username} />}
        <CommentArea card={card} username={username} isMember={isMember} />
      </div>
    </article>
  )
})

/** Keeps the focus at a card that moves, or moves it to the heading if the card disappears. */
function useCardFocus(card: Card, { claimsFocus, onFocusLost }: CardContext) {
  const article = useFocusLost(onFocusLost)
  const takeFocus = useEffectEvent(() => {
    if (claimsFocus(card)) article.current?.focus()
  })

  useEffect(() => takeFocus(), [])
  return article
}

/** The creator and the history. */
function CardHead({ card }: { card: Card }) {
  const { t } = useTranslation('moviecard')
  return (
    <div className="relative flex items-start justify-between gap-3 sm:gap-4">
      <div className="flex min-h-7 min-w-0 flex-1 items-center gap-2 text-sm text-muted pointer-coarse:min-h-11">
        <PersonAvatar username={card.creatorId} size="small" />
        <span className="line-clamp-3 min-w-0 sm:line-clamp-2">{t('card.addedBy', { user: card.creatorId })}</span>
      </div>
      <CardHistory changes={card.statusChanges} />
    </div>
  )
}

function CardTitle({ id, card, children }: { id: string; card: Card; children: ReactNode }) {
  const { t } = useTranslation('moviecard')
  const { Icon, ink } = CARD_LOOK[card.status]
  return (
    <div className="flex items-start justify-between gap-2">
      <div className="min-w-0">
        <p className="mb-0.5 flex items-center gap-1.5 text-sm font-semibold">
          <Icon aria-hidden className={classes('size-4', ink)} />
          {t(`status.${card.status}`)}
        </p>
        <h3 id={id} className="text-2xl sm:text-3xl">
          <bdi>{card.title}</bdi>
        </h3>
      </div>
      {children}
    </div>
  )
}

type CardMenuProps = { ref: Ref<HTMLButtonElement>; title: string; onEdit: () => void; onDelete: () => void }

/** The menu of a card for its creator and the owner: edit and delete. */
function CardMenu({ ref, title, onEdit, onDelete }: CardMenuProps) {
  const { t } = useTranslation('moviecard')
  return (
    <Menu
      ref={ref}
      label={t('card.menu', { title })}
      align="end"
      panelClassName="w-48!"
      trigger={<EllipsisVertical aria-hidden className="size-5" />}
      triggerClassName="inline-flex size-9 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-raised hover:text-text pointer-coarse:size-11"
    >
      <MenuAction icon={<Pencil aria-hidden />} onSelect={onEdit}>
        {t('card.edit')}
      </MenuAction>
      <MenuAction icon={<Trash2 aria-hidden />} onSelect={onDelete}>
        {t('card.delete')}
      </MenuAction>
    </Menu>
  )
}
