import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { AppSecret } from '#web/session/app-secret.tsx'
import { CodeField, withoutSpaces } from '#web/session/code-field.tsx'
import { beginAppSetup, finishAppSetup } from '#web/session/account-security.ts'
import { useIdentityMessage } from '#web/session/use-identity-message.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { ChangeFailure } from './change-failure.tsx'
import { LoadFailure } from './load-failure.tsx'
import { useAccountChange } from './mutations.ts'
import { useFocusLeftBehind } from './section.tsx'

type AppSetupProps = { username: string; onTurnedOn: () => void; onClosed: () => void }

/** Shows the secret as a QR code and as text, and turns the app on with the first code of it. */
export function AppSetup({ username, onTurnedOn, onClosed }: AppSetupProps) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const messageOf = useIdentityMessage()
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
  const leaveFocus = useFocusLeftBehind()
  const turnOn = useAccountChange(async (typed: string) => {
    await finishAppSetup(typed)
    leaveFocus()
    onTurnedOn()
  })

  if (setup.isError) return <LoadFailure text={messageOf(setup.error, 'errors.security')} onRetry={setup.refetch} />
  if (setup.data === undefined) return <Skeleton className="h-80" />
  const { secret, uri } = setup.data
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!turnOn.isPending) turnOn.mutate(withoutSpaces(code))
      }}
    >
      {/* The button that opened the form is gone; the field would bring up a keyboard over the code to scan. */}
      <p ref={takeFocus} tabIndex={-1} className="focus:outline-none">
        {t('security.app.scan')}
      </p>
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

function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
