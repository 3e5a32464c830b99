import type { Card } from '@marquee/contract/entities/card'
import type { NightFilm } from '@marquee/contract/entities/night'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { cardElementId } from '#web/paths.ts'
import { useMoving } from '#web/offline/outbox/waiting.ts'
import { focusSoon } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { announce } from '#web/ui/live-region.tsx'
import { useGentleStart } from '#web/ui/use-gentle-start.ts'
import { useIsPhone } from '#web/ui/use-is-phone.ts'

import { BoxPanel } from '../box/box-panel.tsx'
import { ThumbMoves } from '../card/card-moves.tsx'
import { CardFeed, FarCard, FeedLoading, FirstCards } from '../feed/card-feed.tsx'
import { useCardContext } from '../feed/decisions.tsx'
import { useLiveCards, useAnnouncementOf } from '../feed/live-cards.ts'
import { usePlaces } from '../feed/places.ts'
import { shownPages } from '../feed-pages.ts'
import { useRevealCard } from '../mutations.ts'
import { cardFeed, suggestedCount } from '../queries.ts'
import { WaitingAt } from '../waiting/lazy-waiting.tsx'
import { AddMovie, AddMovieButton, useAdding } from './add-movie.tsx'
import { FeedBars } from './feed-bars.tsx'

const UnratedMovies = lazyPart({
  load: async () => (await import('../viewings/unrated-movies.tsx')).UnratedMovies,
  Failed: () => null,
})

type MovieSectionProps = {
  watchlistId: string
  username: string
  isMember: boolean
  isOwner: boolean
  /** The open night, or null if none is open. Undefined if not known. */
  getNightId?: (() => string | null | undefined) | undefined
  /** Movies for whose ratings the user is asked. */
  unrated?: readonly Pick<NightFilm, 'cardId' | 'title'>[] | undefined
  /** What another app shared: the form for a new movie opens with it. */
  shared?: string | undefined
  /** Asks the user before a random card is revealed, and calls back if it is to be. */
  onAskReveal?: ((reveal: () => void) => void) | undefined
}

const CARD_HASH = `#${cardElementId('')}`

/** Until it is there, the feed has the card, or not. */
const LinkedCard = lazyPart({
  load: async () => (await import('../feed/linked-card.tsx')).LinkedCard,
  Failed: () => null,
})

/** The movies of a watchlist: the box, the form that fills it, and the feed. Visitors only see the feed. */
export function MovieSection({ unrated = [], shared, onAskReveal, ...viewer }: MovieSectionProps) {
  const { watchlistId, isMember } = viewer
  const { t } = useTranslation('moviecard')
  const { heading, goToHeading } = useHeading()
  const { pages, isShown, isSteady, places } = useFeed(viewer)
  const { linkedId, others, setFarId } = useLinkedId(places.others)
  const { drawn, turn, reveal, announceAdded } = useDrawn(watchlistId)
  const decisions = useCardContext({ ...viewer, goToHeading })
  const adding = useAdding(watchlistId, shared)

  const moving = useMoving()
  const waiting = places.first.find(({ card }) => card?.status === 'REVEALED' && !moving.has(card.id))?.card
  const atThumb = useIsPhone() && isMember ? waiting : undefined
  const decided = pages?.flat().find(({ id }) => id === decisions.decision?.card.id)
  const bars = <FeedBars places={places} decisions={decisions} onShow={turn} onFocusLost={goToHeading} />
  const forCards = {
    context: decisions.context,
    drawn,
    mainId: adding.isOpen ? undefined : waiting?.id,
    atThumb,
    moveFailure: decisions.moveFailure,
    bars: decided && { cardId: decided.id, content: bars },
  }

  // Nothing is below it that the cards would push down.
  if (!isShown) return <FeedLoading />
  return (
    <div className="flex min-w-0 flex-col gap-6 max-sm:pb-24">
      {decided === undefined && bars}
      <FirstCards {...forCards} places={places.first} onFree={places.freePlace} />
      {linkedId !== undefined && (
        <LinkedCard
          watchlistId={watchlistId}
          id={linkedId}
          loaded={pages?.flat().find(({ id }) => id === linkedId)}
          isFirst={places.first.some(({ id }) => id === linkedId)}
          onFar={setFarId}
        >
          {(card) => <FarCard {...forCards} card={card} />}
        </LinkedCard>
      )}
      {isMember && (
        <BoxPanel
          watchlistId={watchlistId}
          reveal={reveal}
          onReveal={() => (onAskReveal ?? ((next) => next()))(() => reveal.mutate())}
          isSmall={places.first.length > 0}
          isDeciding={atThumb !== undefined}
          isQuiet={adding.isOpen || waiting !== undefined}
          onAdd={() => adding.open(false)}
        />
      )}
      {unrated.length > 0 && <UnratedMovies watchlistId={watchlistId} movies={unrated} onFocusLost={goToHeading} />}
      <div className="flex flex-col gap-4">
        <div className="flex min-h-10 flex-wrap items-center justify-between gap-3 pointer-coarse:min-h-11">
          <h2 ref={heading} tabIndex={-1} className="text-2xl focus:outline-none">
            {t('feed.title')}
          </h2>
          {isSteady && <AddMovieButton adding={adding} />}
        </div>
        {isMember && adding.isOpen && <AddMovie watchlistId={watchlistId} adding={adding} onAdded={announceAdded} />}
        <WaitingAt place={watchlistId} kind="movie" />
        {atThumb !== undefined && (
          <ThumbMoves key={atThumb.id} card={atThumb} onMove={(status) => decisions.context.onMove(atThumb, status)} />
        )}
        <CardFeed {...forCards} watchlistId={watchlistId} pages={others} linkedId={linkedId} isEmpty={isEmpty(pages)} />
      </div>
    </div>
  )
}

function isEmpty(pages: readonly (readonly Card[])[] | undefined): boolean {
  return pages?.every((cards) => cards.length === 0) === true
}

/** The card that the link to this page names, and the pages without it if it is shown above the box. */
function useLinkedId<C extends Card>(pages: readonly (readonly C[])[]) {
  const { hash } = useLocation()
  const linkedId = hash.startsWith(CARD_HASH) ? hash.slice(CARD_HASH.length) : undefined
  const [farId, setFarId] = useState<string>()
  const hidden = farId === linkedId ? farId : undefined
  const others = useMemo(
    () => (hidden === undefined ? pages : pages.map((cards) => cards.filter(({ id }) => id !== hidden))),
    [pages, hidden],
  )
  return { linkedId, others, setFarId }
}

/** The cards of the feed in their places. What others do shows at once, and is announced. */
function useFeed({ watchlistId, username, isMember }: { watchlistId: string; username: string; isMember: boolean }) {
  const { data, isPending } = useInfiniteQuery(cardFeed(watchlistId))
  const { isPending: isCounting } = useQuery({ ...suggestedCount(watchlistId), enabled: isMember })
  const pages = useMemo(() => data && shownPages(data), [data])
  const isShown = useGentleStart(!isPending, { afterAppStart: true })
  const places = usePlaces(pages, username)
  const textOf = useAnnouncementOf()
  useLiveCards(watchlistId, username, (news) => {
    const text = textOf(news)
    if (text !== undefined) announce(text)
    if (text === undefined || (news.kind !== 'put-back' && news.kind !== 'deleted')) return
    const { id, statusChangedAt } = news.before
    const card = document.querySelector<HTMLElement>(`#${CSS.escape(cardElementId(id))}`)
    if (card !== null) places.keepPlace(id, { text, height: card.offsetHeight, statusChangedAt })
  })
  // An empty box is higher. Without its count, a button below would move when a user is about to press it.
  return { pages, isShown, isSteady: isMember && !isCounting, places }
}

/** The cards that turn over, because they were drawn or added to the feed while the screen is open, by time. */
function useDrawn(watchlistId: string) {
  const { t } = useTranslation('moviecard')
  const [drawn, setDrawn] = useState<Readonly<Record<string, number>>>({})
  const turn = (cardId: string) => setDrawn((before) => ({ ...before, [cardId]: performance.now() }))
  const reveal = useRevealCard(watchlistId, (card) => {
    turn(card.id)
    announce(t('card.revealed', { title: card.title }))
  })
  const announceAdded = ({ id, title, status }: Card) => {
    if (isInTheBox(status)) return announce(t('added.toBox', { title }))
    turn(id)
    return announce(t('added.toFeed', { title }))
  }
  return { drawn, turn, reveal, announceAdded }
}

/** The heading, which takes the focus from elements that are about to go. */
function useHeading() {
  const heading = useRef<HTMLHeadingElement>(null)
  const goToHeading = useCallback(() => {
    heading.current?.focus({ preventScroll: true })
    // An open dialog keeps the focus.
    if (document.activeElement !== heading.current) focusSoon(heading, { preventScroll: true })
  }, [])
  return { heading, goToHeading }
}
