import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { matchPath, Navigate, Outlet, useLocation, useNavigate, useOutletContext, useParams } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { CallFailure } from '#web/api/call-failure.tsx'
import { InviteDialog } from '#web/features/club/invitations/invite-dialog.tsx'
import { isMemberOf, useOpenAsCurrent, watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import {
  watchlistFailure,
  WatchlistLoading,
  WatchlistNotFound,
} from '#web/features/club/watchlists/watchlist-states.tsx'
import { cardFeed } from '#web/features/movies/queries.ts'
import { useNextNight } from '#web/features/nights/night/night-list.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { ROUTES, to } from '#web/paths.ts'
import { useVisitorName } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { LiveRegion } from '#web/ui/live-region.tsx'
import { useGentleStart } from '#web/ui/use-gentle-start.ts'

import { PlaceTabs } from './place-tabs.tsx'
import { Screen } from './screen.tsx'
import { useLiveWatchlist } from './use-live-watchlist.ts'

/** What the places of a watchlist share. Visitors who are not members only see the box and the library. */
export type WatchlistPlace = { watchlist: Watchlist; username: string; isMember: boolean; isOwner: boolean }

export function useWatchlistPlace(): WatchlistPlace {
  return useOutletContext<WatchlistPlace>()
}

type WatchlistView =
  | { step: 'loading' }
  | { step: 'not-found' }
  | { step: 'failed'; error: unknown }
  | { step: 'shown'; watchlist: Watchlist }

/** `/watchlists/{id}` and below: the places of a watchlist, and the tabs between them. */
export function Component() {
  const { watchlistId = '' } = useParams()
  if (watchlistId.trim() === '') return <Navigate replace to={to.watchlists()} />
  // Another watchlist is another screen, so no state is carried over.
  return <WatchlistLayout key={watchlistId} watchlistId={watchlistId} />
}

function useWatchlistView(watchlistId: string): WatchlistView {
  const { data: watchlist, error } = useQuery(watchlistDetail(watchlistId, useQueryClient()))
  if (isApiError(error, 'NOT_FOUND')) return { step: 'not-found' }
  if (watchlist !== undefined) return { step: 'shown', watchlist }
  return error === null ? { step: 'loading' } : { step: 'failed', error }
}

/** Reads the first cards together with the watchlist, before anything of it is shown. */
function usePrefetchedCards(watchlistId: string): void {
  const client = useQueryClient()
  const { pathname } = useLocation()
  const isBox = matchPath(ROUTES.watchlist, pathname) !== null
  useEffect(() => {
    // The feed shows a failure.
    if (isBox) client.infiniteQuery(cardFeed(watchlistId)).catch(() => {})
  }, [client, watchlistId, isBox])
}

function WatchlistLayout({ watchlistId }: { watchlistId: string }) {
  const username = useVisitorName()
  const { pathname: place } = useLocation()
  usePrefetchedCards(watchlistId)
  const view = useWatchlistView(watchlistId)
  const isShown = useGentleStart(view.step === 'shown')
  const isMember = view.step === 'shown' && isMemberOf(view.watchlist, username)
  useOpenAsCurrent(watchlistId, isMember)
  useLiveWatchlist(watchlistId, username)
  const { night } = useNextNight(watchlistId, isMember)

  if (view.step === 'not-found') return <NotFound />
  if (view.step === 'failed') return <Failed error={view.error} />
  if (view.step === 'loading' || !isShown) return <WatchlistLoading />
  const { watchlist } = view
  const isOwner = isMember && isSameUser(watchlist.ownerId, username)
  return (
    <InviteDialog watchlistId={watchlistId} username={username} isOwner={isOwner}>
      <PlaceTabs watchlistId={watchlistId} isMember={isMember} hasNight={night !== undefined} />
      <div className="max-sm:pb-16">
        {/* Another place says nothing of this one. */}
        <LiveRegion key={place} />
        <Outlet context={{ watchlist, username, isMember, isOwner } satisfies WatchlistPlace} />
      </div>
    </InviteDialog>
  )
}

function useLeave(): () => void {
  const navigate = useNavigate()
  return useCallback(() => void navigate(to.watchlists(), { replace: true }), [navigate])
}

function NotFound() {
  const { t } = useTranslation('watchlist')
  const leave = useLeave()
  return (
    <Screen title={t('detail.title')}>
      <h1 className="sr-only">{t('detail.title')}</h1>
      <WatchlistNotFound onLeave={leave} />
    </Screen>
  )
}

function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation('watchlist')
  const leave = useLeave()
  return (
    <Screen title={t('detail.title')}>
      <h1 className="sr-only">{t('detail.title')}</h1>
      <Banner
        tone="error"
        action={
          <Button tone="quiet" size="small" onClick={leave}>
            {t('detail.back')}
          </Button>
        }
      >
        <CallFailure what={t('detail.failed')} kind={watchlistFailure('load', error)} error={error} />
      </Banner>
    </Screen>
  )
}
