import { useNavigate, useSearchParams } from 'react-router'

import { SignLayout } from '#web/features/club/auth-screens/sign-layout.tsx'
import { SetupPage } from '#web/features/club/auth-screens/setup-page.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'

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
          onCreated={(email) =>
            void navigate(to.login(), { state: { email, message: t('signup.done'), messageType: 'success' } })
          }
        />
      </SignLayout>
    </OwnCache>
  )
}
