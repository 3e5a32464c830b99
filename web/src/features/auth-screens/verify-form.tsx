import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { loadIdentity } from '#web/session/identity-loader.ts'
import { useIdentityMessage } from '#web/session/use-identity-message.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { CodeField, withoutSpaces } from '#web/session/code-field.tsx'
import { VERIFY_RULES } from './rules.ts'
import { TakenEmail } from './taken-email.tsx'
import { useAuthForm } from './use-auth-form.ts'

type VerifyFormProps = {
  email: string
  /** The account's username; its e-mail where the name is not known. */
  username: string
  onVerified: () => void
}

type Resending = { step: 'idle' | 'sending' | 'sent' } | { step: 'failed'; message: string }

/** The code that proves the e-mail, and a way to get another one. */
export function VerifyForm({ email, username, onVerified }: VerifyFormProps) {
  const { t } = useTranslation('auth')
  const messageOf = useIdentityMessage()
  const [resending, setResending] = useState<Resending>({ step: 'idle' })
  const { register, errors, isBusy, failure, isEmailTaken, clearFailure, refill, formProps } = useAuthForm({
    rules: VERIFY_RULES,
    defaultValues: { code: '' },
    fallback: 'errors.verification',
    fields: { code: 'code' },
    onSubmit: async ({ code }, { confirmAccount }) => {
      setResending({ step: 'idle' })
      await confirmAccount(username, withoutSpaces(code))
      onVerified()
    },
  })

  async function resend() {
    clearFailure()
    setResending({ step: 'sending' })
    try {
      const { resendCode } = await loadIdentity()
      await resendCode(username)
      setResending({ step: 'sent' })
      refill('code')
    } catch (error) {
      setResending({ step: 'failed', message: messageOf(error, 'errors.resend') })
    }
  }

  const message = failure ?? (resending.step === 'failed' ? resending.message : undefined)
  return (
    <form {...formProps} className="flex flex-col gap-4">
      {message !== undefined && (
        <Banner tone="error">
          <p>{message}</p>
          {isEmailTaken && <TakenEmail email={email} />}
        </Banner>
      )}
      {resending.step === 'sent' && message === undefined && (
        <Banner tone="success">{t('verify.resent', { email })}</Banner>
      )}
      <CodeField {...register('code')} error={errors.code?.message} />
      <Button type="submit" tone="primary" size="large" busy={isBusy}>
        {t('verify.submit')}
      </Button>
      <Button tone="quiet" size="large" busy={resending.step === 'sending'} onClick={resend}>
        {t('verify.resend')}
      </Button>
    </form>
  )
}
