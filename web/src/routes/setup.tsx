import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

import { createQueryClient } from '#web/api/query-client.ts'
import { SignLayout } from '#web/features/auth-screens/sign-layout.tsx'
import { SetupPage } from '#web/features/auth-screens/setup-page.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'

/** /setup?code={code}: the first visit to an installation. It is outside the signed-in layout, so it has its own cache. */
export function Component() {
  const { t } = useTranslation('auth')
  const [parameters, setParameters] = useSearchParams()
  const navigate = useNavigate()
  const [client] = useState(createQueryClient)
  return (
    <QueryClientProvider client={client}>
      <SignLayout>
        <SetupPage
          code={parameters.get('code') ?? ''}
          onCode={(code) => setParameters({ code }, { replace: true })}
          onCreated={(email) =>
            void navigate(to.login(), { state: { email, message: t('signup.done'), messageType: 'success' } })
          }
        />
      </SignLayout>
    </QueryClientProvider>
  )
}
