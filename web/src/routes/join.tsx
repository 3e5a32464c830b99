import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'

import { SignLayout } from '#web/features/club/auth-screens/sign-layout.tsx'
import { JoinPage } from '#web/features/club/join-links/join-page.tsx'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession } from '#web/session/use-session.ts'

import { OwnCache } from './own-cache.tsx'

/** /join/{token}: for visitors and users. */
export function Component() {
  const { token = '' } = useParams()
  const session = useSession()
  const navigate = useNavigate()
  const email = useMailedAddress()
  if (session.state === 'loading') return <Waiting />
  return (
    <OwnCache>
      <SignLayout>
        <JoinPage
          key={token}
          token={token}
          username={session.state === 'signed-in' ? session.user.username : undefined}
          email={email}
          onJoined={(watchlistId) => void navigate(to.watchlist(watchlistId), { replace: true })}
        />
      </SignLayout>
    </OwnCache>
  )
}

/**
 * The address that the link was mailed to. The mail puts it into the fragment, which no server sees. It leaves the URL, so
 * that a link that is passed on does not have it.
 */
function useMailedAddress(): string | undefined {
  const navigate = useNavigate()
  const { state, hash } = useLocation() as { state: unknown; hash: string }
  const [email] = useState(new URLSearchParams(hash.slice(1)).get('email') ?? undefined)
  useEffect(() => {
    if (hash !== '') void navigate({}, { replace: true, state })
  }, [hash, navigate, state])
  return email
}
