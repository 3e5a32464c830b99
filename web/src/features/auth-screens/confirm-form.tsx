import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { useAuthForm } from './use-auth-form.ts'
import { useResend } from './use-resend.ts'

type ConfirmFormProps = { username: string; code: string; onVerified: () => void }

/** Confirms a sign-up with the code of a link, at the press of a button. */
export function ConfirmForm({ username, code, onVerified }: ConfirmFormProps) {
  const { t } = useTranslation('auth')
  const { resend, reset, ...resending } = useResend(username)
  const { isBusy, failure, clearFailure, formProps } = useAuthForm({
    rules: [],
    defaultValues: {},
    fallback: 'errors.verification',
    onSubmit: async (_values, { confirmAccount }) => {
      reset()
      await confirmAccount(username, code).catch((error: unknown) => {
        // The link was used before.
        if (!(error instanceof Error && error.name === 'NotAuthorizedException')) throw error
      })
      onVerified()
    },
  })

  const message = failure ?? resending.failure
  return (
    <form {...formProps} className="flex flex-col gap-4">
      {message !== undefined && <Banner tone="error">{message}</Banner>}
      {resending.isSent && message === undefined && <Banner tone="success">{t('confirm.resent')}</Banner>}
      <Button type="submit" tone="primary" size="large" busy={isBusy}>
        {t('verify.submit')}
      </Button>
      <Button
        tone="quiet"
        size="large"
        busy={resending.isSending}
        onClick={async () => {
          clearFailure()
          await resend()
        }}
      >
        {t('confirm.resend')}
      </Button>
    </form>
  )
}
