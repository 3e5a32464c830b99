import { useTranslation } from 'react-i18next'

import { CodeField, withoutSpaces } from '#web/session/code-field.tsx'
import { features } from '#web/session/features.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { VERIFY_RULES } from './rules.ts'
import { TakenEmail } from './taken-email.tsx'
import { useAuthForm } from './use-auth-form.ts'
import { useResend } from './use-resend.ts'

type VerifyFormProps = {
  email: string
  /** The account's username; its e-mail where the name is not known. */
  username: string
  onVerified: () => void
}

/** The code that proves the e-mail, and a way to get another mail. Where links are mailed there is no code to type. */
export function VerifyForm({ email, username, onVerified }: VerifyFormProps) {
  const { t } = useTranslation('auth')
  const hasLink = features().verification === 'link'
  const { resend, reset, ...resending } = useResend(username)
  const { register, errors, isBusy, failure, isEmailTaken, clearFailure, refill, formProps } = useAuthForm({
    rules: VERIFY_RULES,
    defaultValues: { code: '' },
    fallback: 'errors.verification',
    fields: { code: 'code' },
    onSubmit: async ({ code }, { confirmAccount }) => {
      reset()
      await confirmAccount(username, withoutSpaces(code))
      onVerified()
    },
  })

  const message = failure ?? resending.failure
  return (
    <form {...formProps} className="flex flex-col gap-4">
      {message !== undefined && (
        <Banner tone="error">
          <p>{message}</p>
          {isEmailTaken && <TakenEmail email={email} />}
        </Banner>
      )}
      {resending.isSent && message === undefined && (
        <Banner tone="success">{t(hasLink ? 'verify.resentLink' : 'verify.resent', { email })}</Banner>
      )}
      {!hasLink && (
        <>
          <CodeField {...register('code')} error={errors.code?.message} />
          <Button type="submit" tone="primary" size="large" busy={isBusy}>
            {t('verify.submit')}
          </Button>
        </>
      )}
      <Button
        tone="quiet"
        size="large"
        busy={resending.isSending}
        onClick={async () => {
          clearFailure()
          if ((await resend()) && !hasLink) refill('code')
        }}
      >
        {t(hasLink ? 'verify.resendLink' : 'verify.resend')}
      </Button>
    </form>
  )
}
