import type { Card } from '@marquee/contract/entities/card'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, memo, type RefCallback, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useGentleStart } from '#web/ui/use-gentle-start.ts'

import { CardFailure, CardFailureText } from '../card-failure.tsx'
import type { CardContext, MoveFailure } from '../card/card-context.ts'
import { MovieCard } from '../card/movie-card.tsx'
import { cardFeed } from '../queries.ts'
import { useFarPages } from './far-pages.ts'
import { shownPages } from './feed-pages.ts'
import { type Drawn, RevealTurn } from './reveals.tsx'

/**
 * A card that moves up gets another key, so that React removes it and inserts it. To move it, React would move all the
 * cards that it passes.
 */
function placeOf({ id, statusChanges }: Card): string {
  return `${id} ${statusChanges.length}`
}

type CardFeedProps = {
  watchlistId: string
  context: CardContext
  /** The cards that were revealed while the screen is open, by id. */
  drawn: Readonly<Record<string, Drawn>>
  /** The card whose moves are in the bar at the bottom, if any. */
  atThumb: Card | undefined
  moveFailure: MoveFailure | undefined
}

/** The revealed cards. The next page loads as the last card comes into view. */
export function CardFeed({ watchlistId, context, drawn, atThumb, moveFailure }: CardFeedProps) {
  const { t } = useTranslation('moviecard')
  const { queryKey } = cardFeed(watchlistId)
  const feed = useInfiniteQuery(cardFeed(watchlistId))
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = feed
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const lastCard = useWhenSeen(loadMore)
  const pages = useMemo(() => (data === undefined ? [] : shownPages(data)), [data])
  const list = useRef<HTMLUListElement>(null)
  const far = useFarPages(list, pages, useQueryClient().getQueryCache().find({ queryKey }))
  const last = pages.at(-1)?.at(-1)

  // A card that was not found leaves the feed, so its failure is shown above the feed.
  const isGone = moveFailure !== undefined && isApiError(moveFailure.error, 'NOT_FOUND')
  const isShown = useGentleStart(!feed.isPending)
  useLinkedCard(isShown)

  if (!isShown) return <Loading label={t('feed.loading')} />
  return (
    <div className="flex flex-col gap-4">
      {isGone && <CardFailure title={moveFailure.card.title} action={moveFailure.action} error={moveFailure.error} />}
      {data !== undefined && last === undefined && <Empty isMember={context.isMember} />}
      <ul ref={list} aria-label={t('feed.title')} className="-mb-4 empty:hidden">
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
                key={placeOf(card)}
                ref={card === last ? lastCard : undefined}
                card={card}
                page={page}
                context={context}
                drawn={drawn[card.id]}
                isAtThumb={atThumb?.id === card.id}
                moveFailure={moveFailure?.card.id === card.id && !isGone ? moveFailure : undefined}
              />
            ))
          ),
        )}
      </ul>
      {feed.isFetchingNextPage && (
        <div className="flex justify-center py-4">
          <Spinner label={t('feed.loadingMore')} />
        </div>
      )}
      {feed.isError && !feed.isFetchingNextPage && (
        <RetryBanner onRetry={isFetchNextPageError ? fetchNextPage : feed.refetch} isRetrying={isFetching}>
          <CardFailureText action="load" error={feed.error} />
        </RetryBanner>
      )}
    </div>
  )
}

/** Moves the focus to the card that the link to this page names, if it is among the first. */
function useLinkedCard(isShown: boolean): void {
  const { key, hash } = useLocation()
  const isArrival = useNavigationType() !== 'POP'
  useEffect(() => {
    if (isShown && isArrival && hash !== '')
      document.querySelector<HTMLElement>(`#${CSS.escape(hash.slice(1))}`)?.focus()
  }, [key, hash, isShown, isArrival])
}

function Loading({ label }: { label: string }) {
  return (
    <div className="flex flex-col gap-4">
      <output className="sr-only">{label}</output>
      <CardSkeleton />
      <CardSkeleton />
    </div>
  )
}

function Empty({ isMember }: { isMember: boolean }) {
  const { t } = useTranslation('moviecard')
  return (
    <div className="rounded-panel border border-dashed border-line px-6 py-12 text-center">
      <p className="font-display text-xl font-semibold">{t('feed.empty')}</p>
      <p className="mx-auto mt-1 max-w-sm text-muted">
        {isMember ? t('feed.emptyForMembers') : t('feed.emptyForVisitors')}
      </p>
    </div>
  )
}

type FeedItemProps = {
  ref: RefCallback<HTMLElement> | undefined
  card: Card
  page: number
  context: CardContext
  isAtThumb: boolean
  drawn: Drawn | undefined
  /** Why its last move was refused. */
  moveFailure: MoveFailure | undefined
}

/** One card of the feed. Memoized, since a feed may be long. */
const FeedItem = memo(function FeedItem(props: FeedItemProps) {
  const { ref, card, page, context, isAtThumb, drawn, moveFailure } = props
  return (
    <li ref={ref} data-page={page} className="pb-4">
      <RevealTurn key={drawn?.at} drawn={drawn} onUnseen={() => context.onUnseen(card)}>
        <MovieCard card={card} context={context} isAtThumb={isAtThumb} moveFailure={moveFailure} />
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
