import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { OddsPanel } from '#web/features/draws/lazy-odds.tsx'
import { Members } from '#web/features/movies/card/card-context.ts'
import { MovieSection } from '#web/features/movies/movie-section.tsx'
import { cardFeed } from '#web/features/movies/queries.ts'
import { InviteSection } from '#web/features/club/invitations/invite-section.tsx'
import { LinkSection } from '#web/features/club/join-links/link-section.tsx'
import { useNightNews } from '#web/features/nights/night/night-list.ts'
import { WebhookSection } from '#web/features/news/webhooks/webhook-section.tsx'
import { InfoPanel } from '#web/features/club/watchlists/info-panel.tsx'
import { isMemberOf, useOpenAsCurrent, watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import { WatchlistError, WatchlistLoading, WatchlistNotFound } from '#web/features/club/watchlists/watchlist-states.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useVisitorName } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { useGentleStart } from '#web/ui/use-gentle-start.ts'

import { Screen, ScreenTitle } from './screen.tsx'
import { useLiveWatchlist } from './use-live-watchlist.ts'

type WatchlistView =
  | { step: 'loading' }
  | { step: 'not-found' }
  | { step: 'failed'; error: unknown }
  | { step: 'shown'; watchlist: Watchlist }

const NO_MEMBERS: NonNullable<Watchlist['members']> = []

/** `/watchlists/{id}`: the panel of the watchlist beside its movies. */
export function Component() {
  const { watchlistId = '' } = useParams()
  if (watchlistId.trim() === '') return <Navigate replace to={to.watchlists()} />
  // Another watchlist is another screen, so no state is carried over.
  return <WatchlistScreen key={watchlistId} watchlistId={watchlistId} />
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
  useEffect(() => {
    // The feed shows a failure.
    client.infiniteQuery(cardFeed(watchlistId)).catch(() => {})
  }, [client, watchlistId])
}

/** What another app shared. The history forgets it, so that a reload does not repeat it. */
function useSharedText(): string | undefined {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { shared?: unknown } | null }
  const arriving = state?.shared
  const [shared] = useState(typeof arriving === 'string' && arriving !== '' ? arriving : undefined)
  useEffect(() => {
    if (arriving !== undefined) void navigate('.', { replace: true, state: null })
  }, [arriving, navigate])
  return shared
}

function WatchlistScreen({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const username = useVisitorName()
  const navigate = useNavigate()
  const leave = useCallback(() => void navigate(to.watchlists(), { replace: true }), [navigate])
  const goHome = useCallback(() => void navigate(to.home(), { replace: true }), [navigate])
  usePrefetchedCards(watchlistId)
  const view = useWatchlistView(watchlistId)
  const isShown = useGentleStart(view.step === 'shown')
  const isMember = view.step === 'shown' && isMemberOf(view.watchlist, username)
  useOpenAsCurrent(watchlistId, isMember)
  useLiveWatchlist(watchlistId, username)
  const { isNightOpen, unrated } = useNightNews(watchlistId, isMember)
  const shared = useSharedText()

  switch (view.step) {
    case 'loading':
      return <WatchlistLoading />
    case 'not-found':
      return (
        <Screen title={t('detail.title')}>
          <h1 className="sr-only">{t('detail.title')}</h1>
          <WatchlistNotFound onLeave={leave} />
        </Screen>
      )
    case 'failed':
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
            <WatchlistError what={t('detail.failed')} action="load" error={view.error} />
          </Banner>
        </Screen>
      )
    case 'shown': {
      if (!isShown) return <WatchlistLoading />
      const { watchlist } = view
      const isOwner = isSameUser(watchlist.ownerId, username)
      return (
        <div className="mx-auto grid w-full max-w-[68.75rem] gap-4 px-4 py-4 sm:px-6 sm:py-6 lg:grid-cols-[300px_minmax(0,760px)] lg:gap-6">
          <ScreenTitle title={watchlist.name} />
          <div className="min-w-0 lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto">
            <InfoPanel
              watchlist={watchlist}
              username={username}
              isMember={isMember}
              isNightOpen={isNightOpen}
              invitations={
                <>
                  <InviteSection watchlistId={watchlist.id} />
                  <LinkSection watchlistId={watchlist.id} username={username} isOwner={isOwner} />
                  {isOwner && <WebhookSection watchlistId={watchlist.id} />}
                </>
              }
              onGone={goHome}
            />
          </div>
          <Members value={watchlist.members ?? NO_MEMBERS}>
            <MovieSection
              watchlistId={watchlist.id}
              username={username}
              shared={shared}
              unrated={unrated}
              isMember={isMember}
              isOwner={isMember && isOwner}
              odds={<OddsPanel watchlistId={watchlist.id} isOwner={isMember && isOwner} />}
            />
          </Members>
        </div>
      )
    }
  }
}
