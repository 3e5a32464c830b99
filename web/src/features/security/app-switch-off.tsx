import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { identityFailure } from '#web/session/identity-failure.ts'
import { turnAppOff } from '#web/session/account-security.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

import { useAccountChange } from './queries.ts'

/** Turns the authenticator app off, after a question. */
export function AppSwitchOff() {
  const { t } = useTranslation('auth')
  const [isAsking, setAsking] = useState(false)
  const turnOff = useAccountChange(turnAppOff)
  return (
    <>
      <Button tone="quiet" className="self-start" onClick={() => setAsking(true)}>
        {t('security.app.turnOff')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('security.app.turnOffTitle')}
        description={t('security.app.turnOffText')}
        confirmLabel={t('security.app.turnOff')}
        cancelLabel={t('security.cancel')}
        isBusy={turnOff.isPending}
        failure={turnOff.isError ? identityFailure(turnOff.error, t('errors.security')).message : undefined}
        onConfirm={() => turnOff.mutate()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
