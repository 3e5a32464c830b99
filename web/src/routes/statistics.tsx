import '#web/i18n/statistics-texts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/texts.ts'
import { Navigate, useParams } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { StatisticsSection } from '#web/features/nights/statistics/statistics-section.tsx'
import { isMemberOf, watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import { to } from '#web/paths.ts'
import { useVisitorName } from '#web/session/use-session.ts'

import { BackLink } from './back-link.tsx'
import { ScreenTitle } from './screen.tsx'

/** `/watchlists/{id}/statistics`: what the watchlist has watched. */
export function Component() {
  const { watchlistId = '' } = useParams()
  // Another watchlist is another screen, so no state is carried over.
  return <StatisticsScreen key={watchlistId} watchlistId={watchlistId} />
}

function StatisticsScreen({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const { data: watchlist, error } = useQuery(watchlistDetail(watchlistId, useQueryClient()))
  const username = useVisitorName()
  // The page of the watchlist says that it does not exist. Those who are not members may read that page only.
  const isForMembers = watchlist !== undefined && !isMemberOf(watchlist, username)
  if (isForMembers || isApiError(error, 'NOT_FOUND')) return <Navigate to={to.watchlist(watchlistId)} replace />
  const name = watchlist?.name ?? t('detail.title')
  return (
    <div className="mx-auto w-full max-w-[68.75rem] px-4 py-6 sm:px-6 sm:py-8">
      <ScreenTitle title={`${t('statistics.title')} · ${name}`} />
      <header className="mb-5">
        <BackLink to={to.watchlist(watchlistId)}>{t('statistics.back', { name })}</BackLink>
        <h1 className="text-3xl sm:text-4xl">{t('statistics.title')}</h1>
      </header>
      <StatisticsSection watchlistId={watchlistId} />
    </div>
  )
}
