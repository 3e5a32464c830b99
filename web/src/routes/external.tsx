import '#web/i18n/auth-screens-texts.ts'
import '#web/i18n/external-texts.ts'
import { Navigate, useNavigate, useSearchParams } from 'react-router'

import { EXTERNAL_REASONS, ExternalProblem, ExternalReturn } from '#web/features/club/auth-screens/external-return.tsx'
import { to } from '#web/paths.ts'
import { features } from '#web/config.ts'
import { Waiting } from '#web/session/guards.tsx'
import { redirectTarget } from '#web/session/redirect-target.ts'
import { useSession } from '#web/session/use-session.ts'

/** /auth/external: the return from the external provider. */
export function Component() {
  const session = useSession()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { externalProvider: provider } = features()
  const error = query.get('error')

  if (provider === null) return <Navigate to={to.login()} replace />
  if (error !== null) {
    const reason = EXTERNAL_REASONS.find((known) => known === error) ?? 'failed'
    return <ExternalProblem provider={provider} reason={reason} />
  }
  if (session.state === 'loading') return <Waiting />
  return (
    <ExternalReturn
      provider={provider}
      username={session.state === 'signed-in' ? session.user.username : undefined}
      signOut={async () => {
        await session.signOut()
        await navigate(to.login(to.external()), { replace: true })
      }}
      onSignedIn={async (redirect) => {
        await session.refresh()
        await navigate(redirectTarget(redirect), { replace: true })
      }}
      onOther={(step, email) => {
        const path = step === 'reset-password' ? to.resetPassword() : to.verify()
        void navigate(path, { state: { email } })
      }}
    />
  )
}
