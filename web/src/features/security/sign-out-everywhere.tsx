import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { signOutEverywhere } from '#web/session/account-security.ts'
import { identityFailure } from '#web/session/identity-failure.ts'
import { useSession } from '#web/session/use-session.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

import { useAccountChange } from './queries.ts'

/** Ends every session of the user, after a question. */
export function SignOutEverywhere() {
  const { t } = useTranslation('auth')
  const { refresh } = useSession()
  const [isAsking, setAsking] = useState(false)
  const end = useAccountChange(async () => {
    await signOutEverywhere()
    await refresh()
  })
  return (
    <>
      <Button tone="quiet" className="self-start" onClick={() => setAsking(true)}>
        {t('security.sessions.signOut')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('security.sessions.confirmTitle')}
        description={t('security.sessions.confirmText')}
        confirmLabel={t('security.sessions.signOut')}
        cancelLabel={t('security.cancel')}
        isBusy={end.isPending}
        failure={end.isError ? identityFailure(end.error, t('errors.security')).message : undefined}
        onConfirm={() => end.mutate()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
