import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { createQueryClient } from '#web/api/query-client.ts'
import { SignLayout } from '#web/features/auth-screens/sign-layout.tsx'
import { JoinPage } from '#web/features/join-links/join-page.tsx'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession } from '#web/session/use-session.ts'

/** /join/{token}: for visitors and users. It is outside the signed-in layout, so it has its own cache. */
export function Component() {
  const { token = '' } = useParams()
  const session = useSession()
  const navigate = useNavigate()
  const [client] = useState(createQueryClient)
  if (session.state === 'loading') return <Waiting />
  return (
    <QueryClientProvider client={client}>
      <SignLayout>
        <JoinPage
          key={token}
          token={token}
          username={session.state === 'signed-in' ? session.user.username : undefined}
          onJoined={(watchlistId) => void navigate(to.watchlist(watchlistId), { replace: true })}
        />
      </SignLayout>
    </QueryClientProvider>
  )
}
