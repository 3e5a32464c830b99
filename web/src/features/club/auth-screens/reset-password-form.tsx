import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { CodeField, withoutSpaces } from '#web/account/code-field.tsx'

import { NewPasswordFields } from './new-password-fields.tsx'
import { RESET_PASSWORD_RULES } from './rules.ts'
import { useAuthForm } from './use-auth-form.ts'

type ResetPasswordFormProps = {
  /** The e-mail or the username. */
  email: string
  /** The code, if it was in the link. */
  code: string
  onReset: () => void
}

/** Sets a new password with the code from the mail. */
export function ResetPasswordForm({ email, code: knownCode, onReset }: ResetPasswordFormProps) {
  const { t } = useTranslation('auth')
  const { register, errors, isBusy, failure, formProps } = useAuthForm({
    rules: RESET_PASSWORD_RULES,
    defaultValues: { email, code: knownCode, newPassword: '', confirmPassword: '' },
    fallback: 'errors.reset',
    fields: { code: 'code', password: 'newPassword' },
    onSubmit: async ({ code, newPassword }, { resetWithCode }) => {
      await resetWithCode({ email, code: withoutSpaces(code), newPassword })
      onReset()
    },
  })

  return (
    <form {...formProps} className="flex flex-col gap-4">
      {failure !== undefined && <Banner tone="error">{failure}</Banner>}
      <TextField
        {...register('email')}
        label={t('fields.email')}
        type={email.includes('@') ? 'email' : 'text'}
        autoComplete="username"
        readOnly
        required
      />
      <CodeField {...register('code')} error={errors.code?.message} />
      <NewPasswordFields
        label={t('fields.newPassword')}
        password={{ ...register('newPassword'), error: errors.newPassword?.message }}
        confirmation={{ ...register('confirmPassword'), error: errors.confirmPassword?.message }}
      />
      <Button type="submit" tone="primary" size="large" busy={isBusy}>
        {t('resetPassword.submit')}
      </Button>
    </form>
  )
}
