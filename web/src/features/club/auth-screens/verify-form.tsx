import { useEffect, useEffectEvent, useState } from 'react'

import { onConfirmed, announceConfirmed } from '#web/account/confirmed-account.ts'
import { useIdentityMessage } from '#web/account/failures.ts'
import { CodeField, withoutSpaces } from '#web/account/code-field.tsx'
import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { loadIdentity } from '#web/session/session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { VERIFY_RULES } from './rules.ts'
import { TakenEmail } from './taken-email.tsx'
import { useAuthForm } from './use-auth-form.ts'

type VerifyFormProps = {
  email: string
  /** The username, or the e-mail if the username is unknown. */
  username: string
  /** Where the user goes after signing in. */
  redirect: string | undefined
  onVerified: () => void
}

/**
 * Asks for the code that confirms the e-mail, and can send another mail. If links are mailed, there is no code to type: the
 * form is done when the link is opened in another tab of this browser.
 */
export function VerifyForm({ email, username, redirect, onVerified }: VerifyFormProps) {
  const { t } = useTranslation('auth')
  const hasLink = features().verification === 'link'
  const { resend, reset, ...resending } = useResend(username, redirect)
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

  const isOwn = (confirmed: string) => username === email || confirmed.toLowerCase() === username.toLowerCase()
  const noteConfirmed = useEffectEvent((confirmed: string) => {
    if (isOwn(confirmed)) onVerified()
  })
  useEffect(() => onConfirmed(noteConfirmed), [])

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

type ConfirmFormProps = { username: string; code: string; redirect: string | undefined; onVerified: () => void }

/** Confirms a sign-up with the code of a link, at the press of a button. */
export function ConfirmForm({ username, code, redirect, onVerified }: ConfirmFormProps) {
  const { t } = useTranslation('auth')
  const { resend, reset, ...resending } = useResend(username, redirect)
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
      announceConfirmed(username)
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

type Resending = { step: 'idle' | 'sending' | 'sent' } | { step: 'failed'; message: string }

/** Sends the mail that confirms a sign-up again. */
function useResend(username: string, redirect: string | undefined) {
  const messageOf = useIdentityMessage()
  const [resending, setResending] = useState<Resending>({ step: 'idle' })

  return {
    isSending: resending.step === 'sending',
    isSent: resending.step === 'sent',
    failure: resending.step === 'failed' ? resending.message : undefined,
    reset: () => setResending({ step: 'idle' }),
    resend: async (): Promise<boolean> => {
      setResending({ step: 'sending' })
      try {
        const { resendCode } = await loadIdentity()
        await resendCode(username, redirect)
        setResending({ step: 'sent' })
        return true
      } catch (error) {
        setResending({ step: 'failed', message: messageOf(error, 'errors.resend') })
        return false
      }
    },
  }
}
