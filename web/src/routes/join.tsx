import { useNavigate, useParams } from 'react-router'

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
  if (session.state === 'loading') return <Waiting />
  return (
    <OwnCache>
      <SignLayout>
        <JoinPage
          key={token}
          token={token}
          username={session.state === 'signed-in' ? session.user.username : undefined}
          onJoined={(watchlistId) => void navigate(to.watchlist(watchlistId), { replace: true })}
        />
      </SignLayout>
    </OwnCache>
  )
}
