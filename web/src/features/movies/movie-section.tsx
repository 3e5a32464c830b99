import type { NightFilm } from '@marquee/contract/entities/night'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'

import { useDraft } from '#web/drafts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { announce, LiveRegion } from '#web/ui/live-region.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'

import { BoxPanel } from './box/box-panel.tsx'
import { CardFeed } from './feed/card-feed.tsx'
import { ThumbMoves } from './card/card-moves.tsx'
import { useRevealCard } from './mutations.ts'
import { AddMovieForm, UnratedMovies } from './lazy-parts.tsx'
import { movieDraftPlace, searchDraftPlace } from './form/movie-draft.ts'
import { newestWaiting } from './feed/feed-pages.ts'
import { cardFeed } from './queries.ts'
import { RevealNotice, useDrawnCards } from './feed/reveals.tsx'
import { UndoBar, useCardContext } from './feed/decisions.tsx'
import { useLiveCards, useNewsText } from './feed/live-cards.ts'

type MovieSectionProps = {
  watchlistId: string
  username: string
  isMember: boolean
  isOwner: boolean
  /** Movies for whose ratings the user is asked. */
  unrated?: readonly Pick<NightFilm, 'cardId' | 'title'>[] | undefined
  /** What another app shared: the form for a new movie opens with it. */
  shared?: string | undefined
}

/** The movies of a watchlist: the box, the form that fills it, and the feed. Visitors only see the feed. */
export function MovieSection(props: MovieSectionProps) {
  const { watchlistId, username, isMember, isOwner, unrated = [], shared } = props
  const { t } = useTranslation('moviecard')
  const heading = useRef<HTMLHeadingElement>(null)
  const { drawn, unseen, addDrawn, handleUnseen, forgetUnseen } = useDrawnCards()
  const reveal = useRevealCard(watchlistId, (card) => {
    addDrawn(card.id, 'me')
    announce(t('card.revealed', { title: card.title }))
  })
  const textOf = useNewsText()
  useLiveCards(watchlistId, username, (news) => {
    if (news.kind === 'revealed') addDrawn(news.card.id, 'others', news.by)
    const text = textOf(news)
    if (text !== undefined) announce(text)
  })
  const goToHeading = useCallback(() => {
    heading.current?.focus({ preventScroll: true })
    // An open dialog keeps the focus.
    if (document.activeElement !== heading.current) focusSoon(heading, { preventScroll: true })
  }, [])
  const { context, moveFailure, decision, isUndoing, undoDecision, forgetDecision } = useCardContext({
    watchlistId,
    username,
    isMember,
    isOwner,
    goToHeading,
    handleUnseen,
  })
  const adding = useAdding(watchlistId, shared)
  const { data: waiting } = useInfiniteQuery({ ...cardFeed(watchlistId), select: newestWaiting })
  const hasThumbBar = useIsPhone() && isMember
  const atThumb = hasThumbBar ? waiting : undefined
  const addButton = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLDivElement>(null)
  const openForm = (offersShow: boolean) => {
    adding.open(offersShow)
    form.current?.querySelector('input')?.focus()
  }
  const closeForm = () => {
    adding.close()
    addButton.current?.focus()
  }

  return (
    <div className="flex min-w-0 flex-col gap-6 max-sm:pb-24">
      <LiveRegion />
      {isMember && (
        <BoxPanel
          watchlistId={watchlistId}
          reveal={reveal}
          isDeciding={atThumb !== undefined}
          onAdd={() => openForm(false)}
        />
      )}
      {unrated.length > 0 && <UnratedMovies watchlistId={watchlistId} movies={unrated} onFocusLost={goToHeading} />}
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 ref={heading} tabIndex={-1} className="text-2xl focus:outline-none">
            {t('feed.title')}
          </h2>
          <div className="flex flex-wrap gap-2">
            {isMember && (
              <Button
                ref={addButton}
                tone="quiet"
                icon={<Plus aria-hidden />}
                aria-expanded={adding.isOpen}
                onPointerEnter={AddMovieForm.preload}
                onFocus={AddMovieForm.preload}
                onClick={adding.isOpen ? closeForm : () => openForm(true)}
              >
                {t('feed.add')}
              </Button>
            )}
          </div>
        </div>
        {isMember && adding.isOpen && (
          <div ref={form}>
            <AddMovieForm
              watchlistId={watchlistId}
              takesFocus={adding.wasAsked}
              offersShow={adding.offersShow}
              shared={adding.shared}
              onCancel={closeForm}
              onAdded={({ id, title, status }) => {
                closeForm()
                if (isInTheBox(status)) announce(t('added.toBox', { title }))
                else {
                  addDrawn(id, 'me')
                  announce(t('added.toFeed', { title }))
                }
              }}
            />
          </div>
        )}
        {atThumb !== undefined && (
          <ThumbMoves key={atThumb.id} card={atThumb} onMove={(status) => context.onMove(atThumb, status)} />
        )}
        <div className="fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-md flex-col gap-2 empty:hidden max-sm:bottom-[calc(10rem+env(safe-area-inset-bottom))]">
          {unseen !== undefined && (
            <RevealNotice
              key={unseen.card.id}
              card={unseen.card}
              by={unseen.by}
              onShow={() => addDrawn(unseen.card.id, 'me')}
              onClose={forgetUnseen}
            />
          )}
          {decision !== undefined && (
            <UndoBar
              key={decision.madeAt}
              decision={decision}
              isBusy={isUndoing}
              onUndo={() => void undoDecision(decision)}
              onOver={() => forgetDecision(decision)}
              onFocusLost={goToHeading}
            />
          )}
        </div>
        <CardFeed
          watchlistId={watchlistId}
          context={context}
          drawn={drawn}
          atThumb={atThumb}
          moveFailure={moveFailure}
        />
      </div>
    </div>
  )
}

/** The add-movie form is open if the user opened it, or has a draft. */
function useAdding(watchlistId: string, shared: string | undefined) {
  const draft = useDraft(movieDraftPlace(watchlistId))
  const searchDraft = useDraft(searchDraftPlace(watchlistId))
  const [isOpen, setOpen] = useState(
    () => shared !== undefined || draft.read() !== undefined || searchDraft.read() !== undefined,
  )
  const [wasAsked, setAsked] = useState(shared !== undefined)
  const [isUsed, setUsed] = useState(false)
  const [offersShow, setOffersShow] = useState(true)
  const open = (offers: boolean) => {
    setOffersShow(offers)
    setAsked(true)
    setOpen(true)
  }
  const close = () => {
    setUsed(true)
    setOpen(false)
  }
  return { isOpen, wasAsked, offersShow, shared: isUsed ? undefined : shared, open, close }
}
