import '#web/i18n/signed-in-texts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { createQueryClient } from '#web/api/query-client.ts'
import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { SignLayout } from '#web/features/club/auth-screens/sign-layout.tsx'
import { AcceptInvitation, NoInvitation } from '#web/features/club/invitations/accept-invitation.tsx'
import { currentWatchlist } from '#web/features/club/watchlists/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession } from '#web/session/use-session.ts'
import { buttonStyle } from '#web/ui/button.tsx'

import { useSignOut } from './use-sign-out.tsx'

/** The screen depends on who is signed in. The link survives sign-in, sign-up and verification. */
function Invitation() {
  const { t } = useTranslation()
  const session = useSession()
  const { pathname, search } = useLocation()
  const [query] = useSearchParams()
  const token = query.get('token')?.trim() ?? ''
  const { step, ask, question } = useSignOut(`${pathname}${search}`)
  if (step === 'leaving') return <Waiting />

  switch (session.state) {
    case 'loading':
      return <Waiting />
    case 'signed-out':
      return (
        <>
          <p className="text-lg">{t('invitation.loginNeeded')}</p>
          <Link to={to.login(`${pathname}${search}`)} className={buttonStyle('primary', 'large')}>
            {t('invitation.login')}
          </Link>
        </>
      )
    case 'signed-in':
      if (token === '') return <NoInvitation />
      return (
        <>
          <SignedInInvitation
            key={`${session.user.userId} ${token}`}
            token={token}
            username={session.user.username}
            refreshSession={session.refresh}
            isSwitching={step === 'asking'}
            onSwitchAccount={ask}
          />
          {question}
        </>
      )
  }
}

type SignedInInvitationProps = {
  token: string
  username: string
  refreshSession: () => Promise<void>
  isSwitching: boolean
  onSwitchAccount: () => void
}

/**
 * This screen is outside the signed-in layout, so it has its own cache. Reading the current watchlist also reads the
 * list, and makes the first watchlist current.
 */
function SignedInInvitation({ refreshSession, ...invitation }: SignedInInvitationProps) {
  const [client] = useState(createQueryClient)
  const navigate = useNavigate()
  const leave = useCallback(
    (watchlistId: string) => void navigate(to.watchlist(watchlistId), { replace: true }),
    [navigate],
  )
  const refresh = async () => {
    await refreshSession()
    await client.query({ ...currentWatchlist(), staleTime: 0 })
  }
  return (
    <QueryClientProvider client={client}>
      <AcceptInvitation {...invitation} refresh={refresh} onLeave={leave} />
    </QueryClientProvider>
  )
}

/** /watchlists/invitation/accept */
export function Component() {
  const { t } = useTranslation()
  return (
    <SignLayout>
      <AuthHeading title={t('invitation.title')} />
      <Invitation />
    </SignLayout>
  )
}
