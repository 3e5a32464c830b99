import '#web/i18n/statistics-texts.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { OurYear } from '#web/features/nights/statistics/our-year.tsx'
import { isMemberOf, watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useVisitorName } from '#web/session/use-session.ts'

import { ScreenTitle } from './screen.tsx'

/** `/watchlists/{id}/statistics/{year}`: the year of the watchlist in pictures. */
export function Component() {
  const { watchlistId = '', year: yearText = '' } = useParams()
  const { t } = useTranslation('watchlist')
  const navigate = useNavigate()
  const username = useVisitorName()
  const { data: watchlist, error } = useQuery(watchlistDetail(watchlistId, useQueryClient()))
  const isForMembers = watchlist !== undefined && !isMemberOf(watchlist, username)
  if (isForMembers || isApiError(error, 'NOT_FOUND')) return <Navigate to={to.watchlist(watchlistId)} replace />
  if (!/^[12]\d{3}$/u.test(yearText)) return <Navigate to={to.statistics(watchlistId)} replace />
  const year = Number(yearText)
  const name = watchlist?.name ?? t('detail.title')
  return (
    <>
      <ScreenTitle title={`${t('year.title', { year })} · ${name}`} />
      <h1 className="sr-only">{t('year.title', { year })}</h1>
      <OurYear
        watchlistId={watchlistId}
        name={name}
        year={year}
        onClose={() => void navigate(to.statistics(watchlistId))}
      />
    </>
  )
}
