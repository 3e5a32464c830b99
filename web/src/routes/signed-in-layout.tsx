import '#web/i18n/signed-in-texts.ts'
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { matchPath, Outlet, useLocation, useNavigate } from 'react-router'

import { useConnection } from '#web/api/connection.ts'
import { useOwnEvents } from '#web/api/live.ts'
import { catchUp } from '#web/api/own-changes.ts'
import { invitationKeys } from '#web/features/club/invitations/queries.ts'
import { Bell } from '#web/features/news/notifications/bell.tsx'
import { notificationKeys, readShownNotifications } from '#web/features/news/notifications/queries.ts'
import { useSeenPage } from '#web/features/news/notifications/seen-live.ts'
import { GuestBar, TopBar } from '#web/features/club/top-bar/top-bar.tsx'
import { currentWatchlist, watchlistDetail, watchlistList } from '#web/features/club/watchlists/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { ROUTES, to } from '#web/paths.ts'
import { useKeeping, useKeptSince } from '#web/offline/use-device-copy.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession, useSignedInUser } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { BriefSuccess } from '#web/ui/brief-success.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

import { useLanguageOf } from './account-language.ts'
import { clientOf, endFirstScreen } from './first-screen.ts'
import { useArrivalFocus } from './use-arrival-focus.ts'
import { useScrollRestoration } from './use-scroll-restoration.ts'
import { useSignOut } from './use-sign-out.tsx'
import { withPush } from './with-push.ts'

const WaitingPart = lazyPart({
  load: async () => (await import('./waiting-part.tsx')).WaitingPart,
  Failed: () => null,
})

const CONTENT_ID = 'content'

const AgeLine = lazyPart({
  load: async () => (await import('#web/offline/age-line.tsx')).AgeLine,
  Failed: () => null,
})

const LanguageQuestion = lazyPart({
  load: async () => (await import('./language-question.tsx')).LanguageQuestion,
  Failed: () => null,
})

/**
 * The layout of signed-in screens, and their cache of server data. The guard above mounts it again for each user, so users
 * do not share a cache. Guests see only the watchlist of their link.
 */
export function Component() {
  const session = useSession()
  const isSignedIn = session.state === 'signed-in'
  const [queryClient] = useState(() => clientOf(isSignedIn ? session.user.userId : undefined))
  useEffect(endFirstScreen, [])
  return (
    <QueryClientProvider client={queryClient}>
      {isSignedIn ? <SignedInFrame /> : <Frame bar={<GuestBar />} />}
    </QueryClientProvider>
  )
}

/** A list that could not be loaded counts as empty here. */
function SignedInFrame() {
  const { userId, username, loginId } = useSignedInUser()
  const navigate = useNavigate()
  const { data: watchlists = [] } = useQuery(watchlistList())
  const { data: currentId = null } = useQuery(currentWatchlist())
  const open = useOpenWatchlist()
  const wanted = useLanguageOf(username)
  useLiveCounts()
  useKeeping(useQueryClient(), userId)

  const { step, ask, question } = useSignOut()
  const isQuiet = useQuiet()
  // Without a connection the screen would show what waits as not done.
  const isCut = useConnection() !== 'online'
  useEffect(() => void withPush('resumePush'), [])

  // Ending the session may take a while.
  if (step === 'leaving') return <Waiting />
  return (
    <Frame
      question={
        <>
          {(isQuiet || isCut) && <WaitingPart />}
          {question}
          {wanted !== undefined && <LanguageQuestion wanted={wanted} />}
        </>
      }
      bar={
        <TopBar
          watchlists={watchlists}
          currentId={open?.id ?? currentId}
          visited={open}
          onSwitch={(watchlistId) => void navigate(to.watchlist(watchlistId))}
          username={username}
          loginId={loginId}
          onSignOut={ask}
          bell={<Bell />}
        />
      }
    />
  )
}

/** The first screen is there by then, also in browsers that do not say when they are idle. */
const QUIET_MS = 2_000

/** What a first screen does not need loads after it. */
function useQuiet(): boolean {
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return isQuiet
}

/** The watchlist of the screen, once it is known. */
function useOpenWatchlist() {
  const { pathname } = useLocation()
  const id = matchPath('/watchlists/:watchlistId/*', pathname)?.params.watchlistId ?? ''
  // The screen reads it.
  return useQuery({ ...watchlistDetail(id, useQueryClient()), enabled: false }).data
}

/** Keeps the invitations and notifications of the top bar up to date. */
function useLiveCounts(): void {
  const client = useQueryClient()
  const { pathname } = useLocation()
  const place = matchPath(ROUTES.watchlist, pathname) ?? matchPath(ROUTES.night, pathname)
  const seenPage = useSeenPage(place?.params.watchlistId)
  const keys = [invitationKeys.received(), notificationKeys.all()]
  useOwnEvents({
    onEvent: () => {
      void client.invalidateQueries({ queryKey: invitationKeys.received() })
      void readShownNotifications(client, seenPage())
    },
    onOpen: (moment) => keys.forEach((queryKey) => void catchUp(client, queryKey, moment)),
  })
}

function Frame({ bar, question }: { bar: ReactNode; question?: ReactNode }) {
  const { t } = useTranslation('watchlist')
  const content = useRef<HTMLElement>(null)
  useArrivalFocus(content)
  useScrollRestoration()
  const { key, state } = useLocation() as { key: string; state: { done?: unknown } | null }
  const [endedAt, setEndedAt] = useState<string>()
  const done = key === endedAt ? undefined : state?.done
  return (
    <>
      <a
        href={`#${CONTENT_ID}`}
        className="sr-only rounded-control bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:start-2 focus:z-50"
      >
        {t('topBar.skip')}
      </a>
      {bar}
      <OfflineBanner />
      {question}
      {typeof done === 'string' && (
        <div data-passing className="mx-auto w-full max-w-[68.75rem] px-4 pt-4 sm:px-6">
          <BriefSuccess key={key} onEnd={() => setEndedAt(key)}>
            {done}
          </BriefSuccess>
        </div>
      )}
      <main ref={content} id={CONTENT_ID} tabIndex={-1} className="focus:outline-none">
        <Outlet />
      </main>
    </>
  )
}

/** Says that there is no connection: how old the screen is if this device has kept it, or else that nothing is lost. */
function OfflineBanner() {
  const { t } = useTranslation('watchlist')
  const connection = useConnection()
  const keptSince = useKeptSince()
  if (keptSince !== undefined) return <AgeLine since={keptSince} />
  if (connection === 'online') return null
  return (
    <div className="sticky top-14 z-30 mx-auto w-full max-w-[68.75rem] px-4 pt-2 sm:px-6">
      <Banner tone="info">
        <p className="font-semibold text-text">{t(`connection.${connection}`)}</p>
        <p className="text-sm">{t('connection.nothingLost')}</p>
      </Banner>
    </div>
  )
}
