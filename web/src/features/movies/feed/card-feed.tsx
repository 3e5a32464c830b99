import type { Card } from '@marquee/contract/entities/card'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, memo, type ReactNode, type RefCallback, use, useCallback, useId, useRef } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { InviteFriends } from '#web/features/club/invitations/invite-friends.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { BehindLastScreen } from '#web/ui/last-screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { CardFailure, CardFailureText } from '../card-failure.tsx'
import { type CardContext, Members, type MoveFailure } from '../card/card-context.ts'
import { MovieCard } from './movie-card.tsx'
import { cardFeed, suggestedCount } from '../queries.ts'
import { useFarPages } from './far-pages.ts'
import type { usePlaces } from './places.ts'
import { RevealTurn } from './reveals.tsx'

/** What the cards of a feed need from the screen. */
type Shared = {
  context: CardContext
  /** When cards were revealed while the screen is open, by id (`performance.now()`). */
  drawn: Readonly<Record<string, number>>
  /** The card with the main button of the screen, if any. */
  mainId: string | undefined
  /** The card whose moves are in the bar at the bottom, if any. */
  atThumb: Card | undefined
  moveFailure: MoveFailure | undefined
  /** The bars at the bottom, in front of the card that the user has just decided: the keyboard reaches them from there. */
  bars: { cardId: string; content: ReactNode } | undefined
}

type FirstCardsProps = Shared & {
  places: ReturnType<typeof usePlaces>['first']
  onFree: (cardId: string) => void
}

/** The cards that wait for a decision, above the box. */
export function FirstCards({ places, onFree, ...shared }: FirstCardsProps) {
  const { t } = useTranslation('moviecard')
  const headingId = useId()
  if (places.length === 0) return null
  return (
    <>
      <h2 id={headingId} className="sr-only">
        {t('feed.waiting')}
      </h2>
      <ul aria-labelledby={headingId} className="-mb-4">
        {places.map(({ id, card, gone }) =>
          card === undefined ? (
            gone && (
              <li key={id} style={{ height: gone.height }} className="mb-4">
                <EmptyPlace text={gone.text} onFree={() => onFree(id)} />
              </li>
            )
          ) : (
            <FeedItem key={id} card={card} page={0} {...itemProps(card, shared)} />
          ),
        )}
      </ul>
    </>
  )
}

/** The card that the link to this page names, above the box. */
export function FarCard({ card, ...shared }: Shared & { card: Card }) {
  return <FeedItem card={card} page={0} isLinked {...itemProps(card, shared)} />
}

/** In the place of a card that another member took out of the feed. */
function EmptyPlace({ text, onFree }: { text: string; onFree: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 rounded-panel border border-dashed border-line p-4 text-center text-muted">
      <p>{text}</p>
      <Button tone="quiet" size="small" onClick={onFree}>
        {t('close')}
      </Button>
    </div>
  )
}

function itemProps(card: Card, { context, drawn, mainId, atThumb, moveFailure, bars }: Shared) {
  return {
    bars: bars?.cardId === card.id ? bars.content : undefined,
    context,
    drawnAt: drawn[card.id],
    isMain: card.id === mainId,
    isAtThumb: atThumb?.id === card.id,
    moveFailure: moveFailure?.card.id === card.id ? moveFailure : undefined,
  }
}

type CardFeedProps = Shared & {
  watchlistId: string
  pages: readonly (readonly Card[])[]
  /** The feed has no card at all. */
  isEmpty: boolean
  /** The card that the link to this page names. */
  linkedId: string | undefined
}

/** The cards of the feed, as rows that open. The next page loads as the last card comes into view. */
export function CardFeed({ watchlistId, pages, isEmpty, linkedId, ...shared }: CardFeedProps) {
  const { t } = useTranslation('moviecard')
  const { queryKey } = cardFeed(watchlistId)
  // The section has read it, and shows this once that has succeeded or failed.
  const feed = useInfiniteQuery({ ...cardFeed(watchlistId), retryOnMount: false })
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = feed
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const end = useWhenSeen(loadMore)
  const list = useRef<HTMLUListElement>(null)
  const far = useFarPages(list, pages, useQueryClient().getQueryCache().find({ queryKey }))
  const { context, moveFailure } = shared

  // A card that was not found leaves the feed, so its failure is shown above the feed.
  const isGone = moveFailure !== undefined && isApiError(moveFailure.error, 'NOT_FOUND')

  return (
    <div className="flex flex-col gap-3">
      {isGone && <CardFailure title={moveFailure.card.title} action={moveFailure.action} error={moveFailure.error} />}
      {data !== undefined && isEmpty && <Empty watchlistId={watchlistId} isMember={context.isMember} />}
      <ul ref={list} aria-label={t('feed.title')} className="-mb-3 empty:hidden">
        {pages.map((cards, page) =>
          far.has(page) ? (
            <li
              key={cards.at(0)?.id}
              aria-hidden
              data-page={page}
              data-cards={cards.map(({ id }) => id).join(' ')}
              style={{ height: far.get(page) }}
            />
          ) : (
            cards.map((card) => (
              <FeedItem
                key={card.id}
                card={card}
                page={page}
                isRow={card.status !== 'REVEALED'}
                isLinked={linkedId === card.id}
                {...itemProps(card, shared)}
              />
            ))
          ),
        )}
      </ul>
      <div ref={end} />
      {feed.isFetchingNextPage && (
        <div className="flex justify-center py-4">
          <Spinner label={t('feed.loadingMore')} />
        </div>
      )}
      {feed.isError && !feed.isFetchingNextPage && (
        <RetryBanner query={{ refetch: isFetchNextPageError ? fetchNextPage : feed.refetch, isFetching }}>
          <CardFailureText action="load" error={feed.error} />
        </RetryBanner>
      )}
    </div>
  )
}

/** Until the cards are there. */
export function FeedLoading() {
  const { t } = useTranslation('moviecard')
  return (
    <div className="flex flex-col gap-4">
      <BehindLastScreen />
      <output className="sr-only">{t('feed.loading')}</output>
      <CardSkeleton />
      <CardSkeleton />
    </div>
  )
}

function Empty({ watchlistId, isMember }: { watchlistId: string; isMember: boolean }) {
  const { t } = useTranslation('moviecard')
  const members = use(Members)
  const { data: count = 0 } = useQuery({ ...suggestedCount(watchlistId), enabled: isMember })
  // One press reveals a card to all, which a new member cannot know.
  const forMembers = count > 0 ? t('feed.boxWaits', { count }) : t('feed.emptyForMembers')
  return (
    <div className="rounded-panel border border-dashed border-line px-6 py-12 text-center">
      <p className="font-display text-xl font-semibold">{t('feed.empty')}</p>
      <p className="mx-auto mt-1 max-w-sm text-muted">{isMember ? forMembers : t('feed.emptyForVisitors')}</p>
      {isMember && members.length === 1 && (
        // On a desktop the panel beside it has the invite form.
        <div className="mt-4 lg:hidden">
          <InviteFriends />
        </div>
      )}
    </div>
  )
}

type FeedItemProps = ComponentProps<typeof MovieCard> & {
  page: number
  drawnAt: number | undefined
  bars: ReactNode
}

/** One card of the feed. Memoized, since a feed may be long. */
const FeedItem = memo(function FeedItem({ page, drawnAt, bars, ...card }: FeedItemProps) {
  return (
    <li data-page={page} className={card.isRow === true ? 'pb-3' : 'pb-4'}>
      {bars}
      <RevealTurn key={drawnAt} drawnAt={drawnAt}>
        <MovieCard {...card} />
      </RevealTurn>
    </li>
  )
})

/** The shape of a movie card before it arrives. */
function CardSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4 rounded-panel border border-line p-3 sm:flex-row sm:gap-5 sm:p-4">
      <div className="sm:w-42 sm:shrink-0 md:w-48">
        <Skeleton className="aspect-2/3 max-h-[60svh] w-full sm:max-h-none" />
      </div>
      <div className="flex flex-1 flex-col gap-3">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-8 w-3/4" />
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-5 w-2/3" />
      </div>
    </div>
  )
}

/** How far below the screen an element already counts as seen, so that a page arrives before its end is reached. */
const AHEAD = '600px'

/** A ref that calls back when its element scrolls into view, and again for each new `onSeen` while it is in view. */
function useWhenSeen(onSeen: () => void): RefCallback<HTMLElement> {
  return useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined
      const observer = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
        },
        { rootMargin: `0px 0px ${AHEAD}` },
      )
      observer.observe(element)
      return () => observer.disconnect()
    },
    [onSeen],
  )
}
