import type { Card } from '@marquee/contract/entities/card'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'

import { isApiError } from '#web/api/api-error.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useGentleStart } from '#web/ui/use-gentle-start.ts'

import { CardFailure, CardFailureText } from './card-failure.tsx'
import { CardSkeleton } from './card-skeleton.tsx'
import { FeedItem } from './feed-item.tsx'
import { cardsOf } from './feed-pages.ts'
import type { CardContext } from './movie-card.tsx'
import { cardFeed } from './queries.ts'
import type { Drawn } from './reveal-turn.tsx'
import type { MoveFailure } from './use-card-context.ts'
import { useWhenSeen } from './use-when-seen.ts'

/** So many cards are drawn at once in any case; about as many as a page holds. */
const NEAR = 10

/**
 * A card that moves up is another item of the list: one taken out and one put in, where to move it would mean to React to
 * move all the cards that it passes. Each step of its history moves it.
 */
function placeOf({ id, statusChanges }: Card): string {
  return `${id} ${statusChanges.length}`
}

type CardFeedProps = {
  watchlistId: string
  context: CardContext
  /** The cards that have been drawn while the screen is open, by id. */
  drawn: Readonly<Record<string, Drawn>>
  /** The card whose moves are at the thumb, if any. */
  atThumb: Card | undefined
  moveFailure: MoveFailure | undefined
}

/** The revealed cards, more of them as the last one comes into view. */
export function CardFeed({ watchlistId, context, drawn, atThumb, moveFailure }: CardFeedProps) {
  const { t } = useTranslation('moviecard')
  const feed = useInfiniteQuery(cardFeed(watchlistId))
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = feed
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const lastCard = useWhenSeen(loadMore)
  const cards = useMemo(() => (data === undefined ? [] : cardsOf(data)), [data])

  // A card that was not found leaves the feed, so its failure is shown above the feed.
  const isGone = moveFailure !== undefined && isApiError(moveFailure.error, 'NOT_FOUND')
  const isShown = useGentleStart(!feed.isPending)

  if (!isShown) return <Loading label={t('feed.loading')} />
  return (
    <div className="flex flex-col gap-4">
      {isGone && <CardFailure title={moveFailure.card.title} action={moveFailure.action} error={moveFailure.error} />}
      {data !== undefined && cards.length === 0 && <Empty isMember={context.isMember} />}
      <ul aria-label={t('feed.title')} className="-mb-4 empty:hidden">
        {cards.map((card, index) => (
          <FeedItem
            key={placeOf(card)}
            ref={index === cards.length - 1 ? lastCard : undefined}
            card={card}
            context={context}
            isFar={index >= NEAR}
            drawn={drawn[card.id]}
            isAtThumb={atThumb?.id === card.id}
            moveFailure={moveFailure?.card.id === card.id && !isGone ? moveFailure : undefined}
          />
        ))}
      </ul>
      {feed.isFetchingNextPage && (
        <div className="flex justify-center py-4">
          <Spinner label={t('feed.loadingMore')} />
        </div>
      )}
      {feed.isError && !feed.isFetchingNextPage && (
        <Banner
          tone="error"
          action={
            <Button
              tone="quiet"
              size="small"
              busy={isFetching}
              onClick={() => void (isFetchNextPageError ? fetchNextPage() : feed.refetch())}
            >
              {t('feed.retry')}
            </Button>
          }
        >
          <CardFailureText action="load" error={feed.error} />
        </Banner>
      )}
    </div>
  )
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
