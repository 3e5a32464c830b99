import '#web/i18n/draw-texts.ts'
import type { DrawSummary } from '@marquee/contract/entities/draw'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'

import { momentText } from '#web/i18n/dates.ts'
import { listText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { resultKey } from './draw-result.ts'
import { drawLog, useLiveDraws } from './queries.ts'

/** All draws of a watchlist, newest first. Each leads to its receipt. */
export function DrawLog({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('moviecard')
  const query = useInfiniteQuery(drawLog(watchlistId))
  const { data, isError, isFetching, hasNextPage, fetchNextPage } = query
  useLiveDraws(watchlistId)
  const draws = data?.pages.flatMap((page) => page.draws)
  return (
    <div className="flex flex-col gap-4">
      {draws === undefined && !isError && <Skeleton className="h-80" />}
      {draws?.length === 0 && <p className="text-muted">{t('draws.none')}</p>}
      {draws !== undefined && (
        <ol className="flex flex-col divide-y divide-line rounded-panel border border-line bg-surface empty:hidden">
          {draws.map((draw) => (
            <li key={draw.drawNumber}>
              <LogLine watchlistId={watchlistId} draw={draw} />
            </li>
          ))}
        </ol>
      )}
      {isError && <RetryBanner query={query}>{t('draws.logFailed')}</RetryBanner>}
      {hasNextPage && !isError && (
        <ShowMore className="self-start" busy={isFetching} onMore={fetchNextPage}>
          {t('draws.more')}
        </ShowMore>
      )}
    </div>
  )
}

function LogLine({ watchlistId, draw }: { watchlistId: string; draw: DrawSummary }) {
  const { t } = useTranslation('moviecard')
  const { drawNumber, cards, by, preparedAt, revealedAt, nightId, absent } = draw
  const titles = listText(cards.map(({ title }) => title ?? t('draws.backInBox')))
  return (
    <Link
      to={to.draw(watchlistId, drawNumber)}
      className="flex min-h-14 items-center gap-3 rounded-panel px-4 py-3 hover:bg-raised"
    >
      <span className="min-w-0 flex-1">
        <span className="block text-sm text-muted">{t('draws.number', { number: drawNumber })}</span>
        <span className="block font-semibold wrap-anywhere">{titles === '' ? t(resultKey(draw)) : titles}</span>
        {absent.length > 0 && (
          <span className="block text-sm wrap-anywhere">
            {t('draws.absentWhy', { names: listText([...new Set(absent.map(({ name }) => name))]) })}
          </span>
        )}
        <span className="block text-sm text-muted">
          {t(nightId === null ? 'draws.byAt' : 'draws.byInNight', {
            user: by,
            time: momentText(revealedAt ?? preparedAt),
          })}
        </span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted rtl:rotate-180" />
    </Link>
  )
}
