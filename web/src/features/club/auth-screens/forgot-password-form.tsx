import type { ReactNode } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { FORGOT_PASSWORD_RULES } from './rules.ts'
import { useAuthForm } from './use-auth-form.ts'

type ForgotPasswordFormProps = {
  /** The e-mail from the previous screen, or empty. */
  email: string
  onSent: (email: string) => void
}

/** Asks for a reset code. */
export function ForgotPasswordForm({ email: knownEmail, onSent }: ForgotPasswordFormProps) {
  const { t } = useTranslation('auth')
  const { register, errors, isBusy, failure, formProps } = useAuthForm({
    rules: FORGOT_PASSWORD_RULES,
    defaultValues: { email: knownEmail },
    fallback: 'errors.sendReset',
    fields: { name: 'email', email: 'email' },
    onSubmit: async ({ email }, { sendResetCode }) => {
      await sendResetCode(email)
      onSent(email)
    },
  })

  return (
    <form {...formProps} className="flex flex-col gap-4">
      {failure !== undefined && <Banner tone="error">{failure}</Banner>}
      <TextField
        {...register('email')}
        label={t('fields.email')}
        type="email"
        autoComplete="username"
        required
        error={errors.email?.message}
      />
      <Button type="submit" tone="primary" size="large" busy={isBusy}>
        {t('forgotPassword.submit')}
      </Button>
    </form>
  )
}

type ResetCodeSentProps = { email: string; action: ReactNode }

/** The message after a reset code was requested. It does not reveal whether the account exists. */
export function ResetCodeSent({ email, action }: ResetCodeSentProps) {
  const { t } = useTranslation('auth')
  return (
    <>
      <AuthHeading title={t('forgotPassword.sentTitle')} />
      <Banner tone="success">{t('forgotPassword.sent', { email })}</Banner>
      {action}
    </>
  )
}
