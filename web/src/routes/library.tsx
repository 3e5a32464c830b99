import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useTranslation } from '#web/i18n/texts.ts'
import { Link, Navigate, useParams } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { LibrarySection } from '#web/features/movies/library/library-section.tsx'
import { isMemberOf, watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import { to } from '#web/paths.ts'
import { useVisitorName } from '#web/session/use-session.ts'
import { buttonStyle } from '#web/ui/button.tsx'

import { BackLink } from './back-link.tsx'
import { ScreenTitle } from './screen.tsx'

/** `/watchlists/{id}/library`: all movies of the watchlist that are not in the box. */
export function Component() {
  const { watchlistId = '' } = useParams()
  // Another watchlist is another screen, so no state is carried over.
  return <LibraryScreen key={watchlistId} watchlistId={watchlistId} />
}

function LibraryScreen({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const username = useVisitorName()
  const { data: watchlist, error } = useQuery(watchlistDetail(watchlistId, useQueryClient()))
  // The page of the watchlist says so.
  if (isApiError(error, 'NOT_FOUND')) return <Navigate to={to.watchlist(watchlistId)} replace />
  const members = watchlist?.members?.map((member) => member.username) ?? []
  const isMember = watchlist !== undefined && isMemberOf(watchlist, username)
  const name = watchlist?.name ?? t('detail.title')
  return (
    <div className="mx-auto w-full max-w-[68.75rem] px-4 py-6 sm:px-6 sm:py-8">
      <ScreenTitle title={`${t('library.title')} · ${name}`} />
      <header className="mb-5">
        <BackLink to={to.watchlist(watchlistId)}>{t('library.back', { name })}</BackLink>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-3xl sm:text-4xl">{t('library.title')}</h1>
          {isMember && (
            <Link to={to.statistics(watchlistId)} className={buttonStyle('quiet')}>
              <ChartColumn aria-hidden />
              {t('detail.statistics')}
            </Link>
          )}
        </div>
      </header>
      <LibrarySection watchlistId={watchlistId} members={members} isMember={isMember} />
    </div>
  )
}
