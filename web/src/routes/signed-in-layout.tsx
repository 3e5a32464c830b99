import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, ScrollRestoration, useNavigate } from 'react-router'

import { externalSignOut } from '#web/api/external-sign-in.ts'
import { logWarning } from '#web/api/log.ts'
import { Inbox } from '#web/features/invitations/inbox.tsx'
import { GuestBar } from '#web/features/top-bar/guest-bar.tsx'
import { TopBar } from '#web/features/top-bar/top-bar.tsx'
import { currentWatchlist, useAddJoined, watchlistList } from '#web/features/watchlists/queries.ts'
import { to } from '#web/paths.ts'
import { forgetDrafts } from '#web/session/drafts.ts'
import { takeExternalMark } from '#web/session/external-mark.ts'
import { features } from '#web/session/features.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession, useSignedInUser } from '#web/session/use-session.ts'

import { OfflineBanner } from './offline-banner.tsx'
import { useArrivalFocus } from './use-arrival-focus.ts'

const CONTENT_ID = 'content'

/** The frame of every screen behind the account screens. A guest gets as far as the watchlist whose link they have. */
export function Component() {
  const { state } = useSession()
  return state === 'signed-in' ? <SignedInFrame /> : <Frame bar={<GuestBar />} />
}

/** A list that could not be loaded counts as empty here (spec section 8). */
function SignedInFrame() {
  const { username, loginId } = useSignedInUser()
  const { t } = useTranslation('auth')
  const { signOut } = useSession()
  const { externalProvider: provider } = features()
  const navigate = useNavigate()
  const { data: watchlists = [] } = useQuery(watchlistList())
  const { data: currentId = null } = useQuery(currentWatchlist())
  const addJoined = useAddJoined()

  const [isLeaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    forgetDrafts()
    try {
      await signOut()
    } catch (error) {
      logWarning('The session could not be ended at the service', error)
    }
    if (!takeExternalMark()) return navigate(to.login())
    const page = await externalSignOut().catch(() => null)
    if (page !== null) return globalThis.location.assign(page)
    const message = t('external.signOutFailed')
    logWarning(message, provider)
    return navigate(to.login(), { state: { message, messageType: 'error' } })
  }

  // The service is told first, which may take a while: nothing can be done here meanwhile.
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
          onSignOut={() => void leave()}
          inbox={
            <Inbox
              onJoined={(watchlist) => {
                addJoined(watchlist)
                void navigate(to.watchlist(watchlist.id))
              }}
            />
          }
        />
      }
    />
  )
}

function Frame({ bar }: { bar: ReactNode }) {
  const { t } = useTranslation()
  const content = useRef<HTMLElement>(null)
  useArrivalFocus(content)
  return (
    <>
      <a
        href={`#${CONTENT_ID}`}
        className="sr-only rounded-control bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {t('topBar.skip')}
      </a>
      {bar}
      <OfflineBanner />
      <main ref={content} id={CONTENT_ID} tabIndex={-1} className="focus:outline-none">
        <Outlet />
      </main>
      <ScrollRestoration />
    </>
  )
}
