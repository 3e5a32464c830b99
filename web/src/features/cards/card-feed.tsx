import type { Card } from '@marquee/contract/entities/card'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { CardSkeleton } from './card-skeleton.tsx'
import { cardsOf } from './feed-pages.ts'
import { MovieCard } from './movie-card.tsx'
import { cardFeed } from './queries.ts'
import { RevealTurn } from './reveal-turn.tsx'
import { useWhenSeen } from './use-when-seen.ts'

type CardFeedProps = {
  watchlistId: string
  isMember: boolean
  /** The card that has just been drawn, if any: it turns over. */
  newCardId: string | undefined
  onMoved: (card: Card) => void
}

/** The revealed cards, more of them as the last one comes into view (spec section 2, "Card feed"). */
export function CardFeed({ watchlistId, isMember, newCardId, onMoved }: CardFeedProps) {
  const { t } = useTranslation('moviecard')
  const feed = useInfiniteQuery(cardFeed(watchlistId))
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = feed
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  const lastCard = useWhenSeen(loadMore)

  if (feed.isPending) return <Loading label={t('feed.loading')} />
  const cards = feed.data === undefined ? [] : cardsOf(feed.data)
  return (
    <div className="flex flex-col gap-4">
      {feed.data !== undefined && cards.length === 0 && <Empty isMember={isMember} />}
      <ul aria-label={t('feed.title')} className="flex flex-col gap-4 empty:hidden">
        {cards.map((card, index) => (
          <li key={card.id} ref={index === cards.length - 1 ? lastCard : undefined}>
            <RevealTurn isNew={card.id === newCardId}>
              <MovieCard card={card} isMember={isMember} onMoved={onMoved} />
            </RevealTurn>
          </li>
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
          {t('errors.loadFailed')}
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
