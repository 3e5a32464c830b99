import { type ComponentProps, useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'

import { InviteSection } from '#web/features/club/invitations/invite-section.tsx'
import { InfoPanel } from '#web/features/club/watchlists/info-panel.tsx'
import { Country, Members } from '#web/features/movies/card/card-context.ts'
import { MovieSection } from '#web/features/movies/section/movie-section.tsx'
import { useNextNight } from '#web/features/nights/night/night-list.ts'
import { NightStrip } from '#web/features/nights/night/lazy-strip.tsx'
import { to, WEBHOOKS_ID } from '#web/paths.ts'

import { ScreenTitle } from './screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

const NO_MEMBERS: NonNullable<ReturnType<typeof useWatchlistPlace>['watchlist']['members']> = []

/** What another app shared, or nothing for an empty form. The history forgets it, so that a reload does not repeat it. */
function useSharedText(): string | undefined {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { shared?: unknown } | null }
  const arriving = state?.shared
  const [shared] = useState(typeof arriving === 'string' ? arriving : undefined)
  useEffect(() => {
    if (arriving !== undefined) void navigate('.', { replace: true, state: null })
  }, [arriving, navigate])
  return shared
}

/** `/watchlists/{id}`: the panel of the watchlist beside the box and the feed. */
export function Component() {
  const { hash } = useLocation()
  const { watchlist, username, isMember, isOwner } = useWatchlistPlace()
  const { id, members } = watchlist
  const { night, getOpenId, unrated } = useNextNight(id, isMember)
  const shared = useSharedText()
  const [asked, setAsked] = useState<ComponentProps<typeof NightStrip>['asked']>()
  // Where the webhooks were before the settings had a page.
  if (hash === `#${WEBHOOKS_ID}`) return <Navigate replace to={`${to.watchlistSettings(id)}${hash}`} />
  return (
    <div className="mx-auto grid w-full max-w-[68.75rem] gap-4 px-4 py-4 sm:px-6 sm:py-6 lg:grid-cols-[300px_minmax(0,760px)] lg:gap-6">
      <ScreenTitle title={watchlist.name} />
      <div className="min-w-0">
        <InfoPanel watchlist={watchlist} username={username} isMember={isMember}>
          <InviteSection watchlistId={id} />
        </InfoPanel>
      </div>
      <Members value={members ?? NO_MEMBERS}>
        <Country value={watchlist.country}>
          <div className="flex min-w-0 flex-col gap-6">
            {night !== undefined && (
              <NightStrip night={night} username={username} asked={asked} onAnswered={() => setAsked(undefined)} />
            )}
            <MovieSection
              watchlistId={id}
              username={username}
              shared={shared}
              unrated={unrated}
              isMember={isMember}
              isOwner={isOwner}
              getNightId={getOpenId}
              onAskReveal={night?.state === 'open' ? (reveal) => setAsked({ reveal, night }) : undefined}
            />
          </div>
        </Country>
      </Members>
    </div>
  )
}
