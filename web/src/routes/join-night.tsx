import { useNavigate, useParams } from 'react-router'

import { SignLayout } from '#web/features/club/auth-screens/sign-layout.tsx'
import { GuestPage } from '#web/features/nights/night/guest-page.tsx'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession } from '#web/session/use-session.ts'

import { OwnCache } from './own-cache.tsx'

/** /join-night/{code}: a movie night for guests. */
export function Component() {
  const { code = '' } = useParams()
  const session = useSession()
  const navigate = useNavigate()
  if (session.state === 'loading') return <Waiting />
  return (
    <OwnCache>
      <SignLayout>
        <GuestPage
          key={code}
          code={code}
          username={session.state === 'signed-in' ? session.user.username : undefined}
          onMember={(watchlistId) => void navigate(to.night(watchlistId), { replace: true })}
        />
      </SignLayout>
    </OwnCache>
  )
}
