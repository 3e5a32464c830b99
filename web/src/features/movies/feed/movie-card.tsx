import type { Card } from '@marquee/contract/entities/card'
import { isSameUser } from '@marquee/contract/rules/account'
import { ChevronUp, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { memo, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState, type Ref } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { cardElementId } from '#web/paths.ts'
import { useIsMoving } from '#web/offline/outbox/waiting.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { useDraft } from '#web/session/drafts.ts'
import { classes } from '#web/ui/classes.ts'
import { focusSoon, useFocusLost } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Menu, MenuAction } from '#web/ui/menu.tsx'

import { CardFailure } from '../card-failure.tsx'
import { CommentArea } from '../comments/comment-area.tsx'
import { commentDraftPlace } from '../comments/add-comment.tsx'
import { cardDraftPlace } from '../form/draft-places.ts'
import { ViewingArea } from '../viewings/viewing-area.tsx'
import { CardDescription } from '../card/card-description.tsx'
import { CardHistory } from '../card/card-history.tsx'
import type { CardContext, MoveFailure } from '../card/card-context.ts'
import { CARD_LOOK } from '../card/card-look.tsx'
import { CardMoves, DecidedLine } from '../card/card-moves.tsx'
import { CardRow } from '../card/card-row.tsx'
import { Poster, PosterProblem } from '../card/poster.tsx'
import { DeleteCardDialog } from '../card/lazy-delete-dialog.tsx'
import { WaitingAt } from '../waiting/lazy-waiting.tsx'
import { CardWhere } from '../where/card-where.tsx'
import { EditCardForm } from '../form/lazy-forms.tsx'

/** As high as a line of facts and a line of links. */
const FactsLoading = () => <div className="h-10" />

const MovieFacts = lazyPart({
  load: async () => (await import('../card/movie-facts.tsx')).MovieFacts,
  Loading: FactsLoading,
  Failed: FactsLoading,
})

const WantedBy = lazyPart({
  load: async () => (await import('../card/wanted-by.tsx')).WantedBy,
  // As high as a line of faces.
  Loading: () => <div className="h-6" />,
  Failed: () => null,
})

/** The browser moves such a card without a look at what is in it. An open menu or history may cover the next card. */
const APART = 'not-has-data-open:[contain:layout_style]'

type Step = 'shown' | 'editing' | 'choosing-poster' | 'deleting'

type MovieCardProps = {
  card: Card
  context: CardContext
  /** A card that waits for no decision is a row until it is opened. */
  isRow?: boolean
  /** The link to this page names it. */
  isLinked?: boolean
  /** It has the main button of the screen. */
  isMain?: boolean
  /** The bar at the bottom has its moves. */
  isAtThumb?: boolean
  moveFailure: MoveFailure | undefined
}

/** One movie of the feed. */
export const MovieCard = memo(function MovieCard(props: MovieCardProps) {
  const { card, context, isRow = false, isLinked = false } = props
  const titleId = useId()
  const article = useCardFocus(card, context)
  const hadDraft = useHadDraft(card.id)
  const [isOpened, setOpened] = useState(hadDraft)
  const toggle = useRef<HTMLButtonElement>(null)
  const isFolded = isRow && !isOpened && !isLinked
  const fold = (opens: boolean) => {
    setOpened(opens)
    focusSoon(toggle)
  }
  return (
    <article
      ref={article}
      id={cardElementId(card.id)}
      tabIndex={-1}
      aria-labelledby={titleId}
      className={classes('rounded-panel border -outline-offset-2', APART, CARD_LOOK[card.status].card)}
    >
      {isFolded ? (
        <CardRow ref={toggle} titleId={titleId} card={card} onOpen={() => fold(true)} />
      ) : (
        <FullCard {...props} titleId={titleId}>
          {isRow && !isLinked && <FoldButton ref={toggle} title={card.title} onFold={() => fold(false)} />}
        </FullCard>
      )}
    </article>
  )
})

/** Whether the user had begun to write something on a card when it appeared. A feed is long, so it is read once. */
function useHadDraft(cardId: string): boolean {
  const edit = useDraft(cardDraftPlace(cardId))
  const comment = useDraft(commentDraftPlace(cardId))
  const [hadDraft] = useState(() => edit.read() !== undefined || comment.read() !== undefined)
  return hadDraft
}

type FullCardProps = MovieCardProps & { titleId: string; children: ReactNode }

function FullCard(props: FullCardProps) {
  const { card, context, titleId, isRow = false, isMain = false, isAtThumb = false, moveFailure, children } = props
  const { username, isMember, isOwner } = context
  const isCreator = isMember && isSameUser(card.creatorId, username)
  const mayChange = isCreator || (isMember && isOwner)
  const menu = useRef<HTMLButtonElement>(null)
  const draft = useDraft(cardDraftPlace(card.id))
  const [step, setStep] = useState<Step>(() => (mayChange && draft.read() !== undefined ? 'editing' : 'shown'))
  const isDecided = useIsMoving(card.id)
  const show = () => {
    setStep('shown')
    focusSoon(menu)
  }

  return (
    <div className="flex flex-col gap-4 p-3 sm:flex-row sm:gap-5 sm:p-4">
      <div className="sm:w-42 sm:shrink-0 md:w-48">
        <Poster card={card} />
        {isCreator && card.posterState === 'failed' && step === 'shown' && (
          <PosterProblem onUpload={() => setStep('choosing-poster')} />
        )}
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <CardHead card={card} titleId={titleId}>
          {children}
          {mayChange && (
            <CardMenu
              ref={menu}
              title={card.title}
              onEdit={() => setStep('editing')}
              onDelete={() => setStep('deleting')}
            />
          )}
        </CardHead>
        <AddedBy username={card.creatorId} />
        {card.movie !== undefined && <MovieFacts title={card.title} movie={card.movie} />}
        {isMember && <CardWhere card={card} />}
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
        <WaitingAt place={card.id} kind="move" />
        {isMember && !isAtThumb && !isDecided && (
          <CardMoves card={card} isQuiet={!isMain} onMove={(status) => context.onMove(card, status)} />
        )}
        {isMember && !isRow && card.status !== 'REVEALED' && <DecidedLine card={card} username={username} />}
        {isMember && <ViewingArea card={card} username={username} />}
        <CommentArea card={card} username={username} isMember={isMember} />
      </div>
    </div>
  )
}

/** Moves the focus to a card that the user has moved, and to the heading if the card disappears. */
function useCardFocus(card: Card, { claimsFocus, onFocusLost }: CardContext) {
  const article = useFocusLost(onFocusLost)
  const takeFocus = useEffectEvent(() => {
    if (claimsFocus(card)) article.current?.focus()
  })

  useEffect(() => takeFocus(), [card.statusChanges.length])
  return article
}

type CardHeadProps = { card: Card; titleId: string; children: ReactNode }

/** The title, with the history and the buttons of the card at the top right. */
function CardHead({ card, titleId, children }: CardHeadProps) {
  const { t } = useTranslation('moviecard')
  const { Icon, ink } = CARD_LOOK[card.status]
  return (
    <div className="relative flex flex-col">
      <div className="flex items-start justify-between gap-3">
        <p className="flex min-h-7 items-center gap-1.5 text-sm font-semibold whitespace-nowrap pointer-coarse:min-h-11">
          <Icon aria-hidden className={classes('size-4 shrink-0', ink)} />
          {t(`status.${card.status}`)}
        </p>
        <CardHistory changes={card.statusChanges} />
      </div>
      <div className="flex items-start justify-between gap-2">
        <h3 id={titleId} className="min-w-0 text-2xl sm:text-3xl">
          <bdi>{card.title}</bdi>
        </h3>
        <div className="-my-0.5 flex shrink-0">{children}</div>
      </div>
    </div>
  )
}

function AddedBy({ username }: { username: string }) {
  const { t } = useTranslation('moviecard')
  return (
    <div className="-mt-1 flex min-w-0 items-center gap-2 text-sm text-muted">
      <PersonAvatar username={username} size="small" />
      <span className="line-clamp-3 min-w-0 sm:line-clamp-2">{t('card.addedBy', { user: username })}</span>
    </div>
  )
}

type FoldButtonProps = { ref: Ref<HTMLButtonElement>; title: string; onFold: () => void }

/** Makes a row of an opened card again. */
function FoldButton({ ref, title, onFold }: FoldButtonProps) {
  const { t } = useTranslation('moviecard')
  return (
    <IconButton
      ref={ref}
      aria-label={t('card.fold', { title })}
      aria-expanded
      icon={<ChevronUp aria-hidden />}
      onClick={onFold}
    />
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
