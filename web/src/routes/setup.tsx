import { useNavigate, useSearchParams } from 'react-router'

import { SignLayout } from '#web/features/club/auth-screens/sign-layout.tsx'
import { SetupPage } from '#web/features/club/auth-screens/setup-page.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { features, setFeatures } from '#web/config.ts'
import { to } from '#web/paths.ts'
import { loadIdentity } from '#web/session/session.ts'

import { newAccount } from './navigation-state.ts'
import { OwnCache } from './own-cache.tsx'

/** /setup?code={code}: the first visit to an installation. */
export function Component() {
  const { t } = useTranslation('auth')
  const [parameters, setParameters] = useSearchParams()
  const navigate = useNavigate()
  return (
    <OwnCache>
      <SignLayout>
        <SetupPage
          code={parameters.get('code') ?? ''}
          onCode={(code) => setParameters({ code }, { replace: true })}
          onCreated={async (login) => {
            setFeatures({ ...features(), needsSetup: false })
            // If this fails, the login screen asks for the password.
            const identity = await loadIdentity().catch(() => undefined)
            identity?.keepLogin(login)
            await navigate(to.login(), { state: newAccount(login.email, t('signup.done'), true) })
          }}
        />
      </SignLayout>
    </OwnCache>
  )
}
