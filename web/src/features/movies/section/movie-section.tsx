import type { NightFilm } from '@marquee/contract/entities/night'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { cardElementId } from '#web/paths.ts'
import { useDraft } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { announce, LiveRegion } from '#web/ui/live-region.tsx'
import { useGentleStart } from '#web/ui/use-gentle-start.ts'
import { useIsPhone } from '#web/ui/use-is-phone.ts'

import { BoxPanel } from '../box/box-panel.tsx'
import { CardFeed, FirstCards } from '../feed/card-feed.tsx'
import { ThumbMoves } from '../card/card-moves.tsx'
import { useRevealCard } from '../mutations.ts'
import { movieDraftPlace, searchDraftPlace } from '../form/movie-draft.ts'
import { shownPages } from '../feed-pages.ts'
import { usePlaces } from '../feed/places.ts'
import { cardFeed } from '../queries.ts'
import { useCardContext } from '../feed/decisions.tsx'
import { useLiveCards, useNewsText } from '../feed/live-cards.ts'
import { AddMovieForm } from '../form/lazy-forms.tsx'
import { RevealNotice, UndoBar } from '../feed/lazy-notices.tsx'

const UnratedMovies = lazyPart({
  load: async () => (await import('../viewings/unrated-movies.tsx')).UnratedMovies,
  Failed: () => null,
})

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
  const { data, isPending } = useInfiniteQuery(cardFeed(watchlistId))
  const pages = useMemo(() => data && shownPages(data), [data])
  const isShown = useGentleStart(!isPending)
  const places = usePlaces(pages, username)
  const [drawn, setDrawn] = useState<Readonly<Record<string, number>>>({})
  const turn = (cardId: string) => setDrawn((before) => ({ ...before, [cardId]: performance.now() }))
  const reveal = useRevealCard(watchlistId, (card) => {
    turn(card.id)
    announce(t('card.revealed', { title: card.title }))
  })
  const textOf = useNewsText()
  useLiveCards(watchlistId, username, (news) => {
    const text = textOf(news)
    if (text !== undefined) announce(text)
    if (text === undefined || (news.kind !== 'put-back' && news.kind !== 'deleted')) return
    const { id, statusChangedAt } = news.before
    const card = document.querySelector<HTMLElement>(`#${CSS.escape(cardElementId(id))}`)
    if (card !== null) places.keepPlace(id, { text, height: card.offsetHeight, statusChangedAt })
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
  })
  const adding = useAdding(watchlistId, shared)
  const waiting = places.first.find(({ card }) => card?.status === 'REVEALED')?.card
  const isPhone = useIsPhone()
  const atThumb = isPhone && isMember ? waiting : undefined
  const mainId = adding.isOpen ? undefined : waiting?.id
  const [held] = places.held
  const decided = pages?.flat().find(({ id }) => id === decision?.card.id)
  const bars = (
    <div className="fixed inset-x-4 bottom-4 z-30 mx-auto flex max-w-md flex-col gap-2 empty:hidden max-sm:bottom-[calc(10rem+env(safe-area-inset-bottom))]">
      {held !== undefined && (
        <RevealNotice
          key={held.id}
          card={held}
          by={held.statusChanges.at(-1)?.changedBy ?? ''}
          onShow={() => {
            turn(held.id)
            places.showHeld()
          }}
          onClose={places.showHeld}
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
  )
  const forCards = {
    context,
    drawn,
    mainId,
    atThumb,
    moveFailure,
    bars: decided && { cardId: decided.id, content: bars },
  }
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
      {decided === undefined && bars}
      {isShown && <FirstCards {...forCards} places={places.first} onFree={places.freePlace} />}
      {isMember && isShown && (
        <BoxPanel
          watchlistId={watchlistId}
          reveal={reveal}
          isSmall={places.first.length > 0}
          isDeciding={atThumb !== undefined}
          isQuiet={adding.isOpen || waiting !== undefined}
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
                  turn(id)
                  announce(t('added.toFeed', { title }))
                }
              }}
            />
          </div>
        )}
        {atThumb !== undefined && (
          <ThumbMoves key={atThumb.id} card={atThumb} onMove={(status) => context.onMove(atThumb, status)} />
        )}
        <CardFeed
          {...forCards}
          watchlistId={watchlistId}
          pages={places.others}
          isEmpty={pages?.every((cards) => cards.length === 0) === true}
          isShown={isShown}
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
