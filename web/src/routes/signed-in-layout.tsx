import '#web/i18n/signed-in-texts.ts'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Outlet, useNavigate } from 'react-router'

import { call } from '#web/api/call.ts'
import { useConnection } from '#web/api/connection.ts'
import { useOwnEvents } from '#web/api/live.ts'
import { catchUp } from '#web/api/own-changes.ts'
import { createQueryClient } from '#web/api/query-client.ts'
import { Inbox } from '#web/features/club/invitations/inbox.tsx'
import { invitationKeys } from '#web/features/club/invitations/queries.ts'
import { Bell } from '#web/features/news/notifications/bell.tsx'
import { notificationKeys } from '#web/features/news/notifications/queries.ts'
import { GuestBar, TopBar } from '#web/features/club/top-bar/top-bar.tsx'
import { useAddJoined } from '#web/features/club/watchlists/mutations.ts'
import { currentWatchlist, watchlistList } from '#web/features/club/watchlists/queries.ts'
import { chooseLanguage, language } from '#web/i18n/language.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { personProfile } from '#web/people/queries.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession, useSignedInUser } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'

import { useArrivalFocus } from './use-arrival-focus.ts'
import { useScrollRestoration } from './use-scroll-restoration.ts'
import { useSignOut } from './use-sign-out.ts'
import { withPush } from './with-push.ts'

const CONTENT_ID = 'content'

/**
 * The layout of signed-in screens, and their cache of server data. The guard above mounts it again for each user, so users
 * do not share a cache. Guests see only the watchlist of their link.
 */
export function Component() {
  const [queryClient] = useState(createQueryClient)
  const { state } = useSession()
  return (
    <QueryClientProvider client={queryClient}>
      {state === 'signed-in' ? <SignedInFrame /> : <Frame bar={<GuestBar />} />}
    </QueryClientProvider>
  )
}

/** A list that could not be loaded counts as empty here. */
function SignedInFrame() {
  const { username, loginId } = useSignedInUser()
  const navigate = useNavigate()
  const { data: watchlists = [] } = useQuery(watchlistList())
  const { data: currentId = null } = useQuery(currentWatchlist())
  const addJoined = useAddJoined()
  useLanguageOf(username)
  useLiveCounts()

  const { isLeaving, leave } = useSignOut()
  useEffect(() => void withPush('resumePush'), [])

  // Ending the session may take a while.
  if (isLeaving) return <Waiting />
  return (
    <Frame
      bar={
        <TopBar
          watchlists={watchlists}
          currentId={currentId}
          onSwitch={(watchlistId) => void navigate(to.watchlist(watchlistId))}
          username={username}
          loginId={loginId}
          onSignOut={() => leave()}
          inbox={
            <>
              <Inbox
                onJoined={(watchlist) => {
                  addJoined(watchlist)
                  void navigate(to.watchlist(watchlist.id))
                }}
              />
              <Bell />
            </>
          }
        />
      }
    />
  )
}

/**
 * Shows the app in the language that the user chose on any of their devices. For a user without a choice, the first browser
 * in another language than English makes it, so that their mails and push messages are in that language.
 */
function useLanguageOf(username: string): void {
  // The top bar reads this profile too, for the avatar.
  const { data: profile } = useQuery(personProfile(username))
  useEffect(() => {
    if (profile === undefined) return
    if (profile.language !== undefined) {
      if (profile.language !== language) chooseLanguage(profile.language)
    } else if (language !== 'en') {
      // If this fails, the next visit tries again.
      call(ENDPOINTS.chooseLanguage, { body: { language } }).catch(() => undefined)
    }
  }, [profile])
}

/** Keeps the invitations and notifications of the top bar up to date. */
function useLiveCounts(): void {
  const client = useQueryClient()
  const keys = [invitationKeys.received(), notificationKeys.all()]
  useOwnEvents({
    onEvent: () => keys.forEach((queryKey) => void client.invalidateQueries({ queryKey })),
    onOpen: (askedAt) => keys.forEach((queryKey) => void catchUp(client, queryKey, askedAt)),
  })
}

function Frame({ bar }: { bar: ReactNode }) {
  const { t } = useTranslation()
  const content = useRef<HTMLElement>(null)
  useArrivalFocus(content)
  useScrollRestoration()
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
      <main ref={content} id={CONTENT_ID} tabIndex={-1} className="focus:outline-none">
        <Outlet />
      </main>
    </>
  )
}

/** Says that there is no connection, and that nothing is lost. */
function OfflineBanner() {
  const { t } = useTranslation()
  const connection = useConnection()
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
