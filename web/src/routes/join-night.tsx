import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { createQueryClient } from '#web/api/query-client.ts'
import { SignLayout } from '#web/features/auth-screens/sign-layout.tsx'
import { GuestPage } from '#web/features/nights/guest-page.tsx'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSession } from '#web/session/use-session.ts'

/** /join-night/{code}: a movie night for guests. It is outside the signed-in layout, so it has its own cache. */
export function Component() {
  const { code = '' } = useParams()
  const session = useSession()
  const navigate = useNavigate()
  const [client] = useState(createQueryClient)
  if (session.state === 'loading') return <Waiting />
  return (
    <QueryClientProvider client={client}>
      <SignLayout>
        <GuestPage
          key={code}
          code={code}
          username={session.state === 'signed-in' ? session.user.username : undefined}
          onMember={(watchlistId) => void navigate(to.night(watchlistId), { replace: true })}
        />
      </SignLayout>
    </QueryClientProvider>
  )
}
