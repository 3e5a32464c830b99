import '#web/i18n/night-texts.ts'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useParams } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { NightSection } from '#web/features/nights/night/night-section.tsx'
import { nightList } from '#web/features/nights/night/night-list.ts'
import { watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useVisitorName } from '#web/session/use-session.ts'

import { BackLink } from './back-link.tsx'
import { Screen } from './screen.tsx'

/** `/watchlists/{id}/night`: the movie nights of a watchlist. */
export function Component() {
  const { watchlistId = '' } = useParams()
  // Another watchlist is another screen, so no state is carried over.
  return <NightScreen key={watchlistId} watchlistId={watchlistId} />
}

function NightScreen({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const username = useVisitorName()
  const { data: watchlist } = useQuery(watchlistDetail(watchlistId, useQueryClient()))
  const { error } = useQuery(nightList(watchlistId))
  // Only members have nights. The page of the watchlist says what is left to others.
  if (isApiError(error, 'NOT_FOUND', 'UNAUTHORIZED')) return <Navigate to={to.watchlist(watchlistId)} replace />
  return (
    <Screen title={t('night.title')}>
      <div className="flex flex-col gap-6">
        <header className="flex flex-col items-start gap-2">
          <BackLink to={to.watchlist(watchlistId)}>{watchlist?.name ?? t('detail.title')}</BackLink>
          <h1 className="text-3xl sm:text-4xl">{t('night.title')}</h1>
        </header>
        <NightSection
          watchlistId={watchlistId}
          username={username}
          isOwner={watchlist !== undefined && isSameUser(watchlist.ownerId, username)}
        />
      </div>
    </Screen>
  )
}
