import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { AppSecret } from '#web/session/app-secret.tsx'
import { CodeField } from '#web/session/code-field.tsx'
import { beginAppSetup, finishAppSetup } from '#web/session/account-security.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { ChangeFailure } from './change-failure.tsx'
import { useAccountChange } from './queries.ts'

/** Shows the secret as a QR code and as text, and turns the app on with the first code of it. */
export function AppSetup({ username, onClosed }: { username: string; onClosed: () => void }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const product = common('productName')
  // Another secret each time the set-up is opened; the one before is void then.
  const setup = useQuery({
    queryKey: ['app-setup'],
    queryFn: async () => beginAppSetup(product, username),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: 'always',
  })
  const [code, setCode] = useState('')
  const turnOn = useAccountChange(finishAppSetup)

  if (setup.isError) return <ChangeFailure error={setup.error} />
  if (setup.data === undefined) return <Skeleton className="h-80" />
  const { secret, uri } = setup.data
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!turnOn.isPending) turnOn.mutate(code.trim())
      }}
    >
      <p>{t('security.app.scan')}</p>
      <AppSecret secret={secret} uri={uri} />
      <CodeField name="code" value={code} onChange={({ target }) => setCode(target.value)} />
      <ChangeFailure error={turnOn.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone="primary" busy={turnOn.isPending} disabled={code.trim() === ''}>
          {t('security.app.confirm')}
        </Button>
        <Button tone="quiet" disabled={turnOn.isPending} onClick={onClosed}>
          {t('security.cancel')}
        </Button>
      </div>
    </form>
  )
}
