import { useId } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'

import { NewPasswordFields } from './new-password-fields.tsx'
import { CHANGE_PASSWORD_RULES } from './rules.ts'
import { useAuthForm } from './use-auth-form.ts'

type ChangePasswordFormProps = {
  /** What the user signs in with. Password managers need it. */
  loginId: string
  onChanged: () => void
}

/** Current and new password. */
export function ChangePasswordForm({ loginId, onChanged }: ChangePasswordFormProps) {
  const { t } = useTranslation('auth')
  const failureId = useId()
  const { register, errors, isBusy, failure, formProps } = useAuthForm({
    rules: CHANGE_PASSWORD_RULES,
    defaultValues: { currentPassword: '', newPassword: '', confirmPassword: '' },
    fallback: 'errors.changePassword',
    fields: { currentPassword: 'currentPassword', password: 'newPassword' },
    onSubmit: async (change, { changePassword }) => {
      await changePassword(change)
      onChanged()
    },
  })

  return (
    <form {...formProps} className="flex flex-col gap-4">
      {failure !== undefined && (
        <div id={failureId}>
          <Banner tone="error">{failure}</Banner>
        </div>
      )}
      <input type="text" autoComplete="username" value={loginId} readOnly hidden />
      <PasswordField
        {...register('currentPassword')}
        showLabel={t('fields.showPassword')}
        hideLabel={t('fields.hidePassword')}
        label={t('fields.currentPassword')}
        autoComplete="current-password"
        required
        error={errors.currentPassword?.message}
        isInvalid={errors.currentPassword !== undefined}
        describedBy={failure === undefined ? undefined : failureId}
      />
      <NewPasswordFields
        label={t('fields.newPassword')}
        password={{ ...register('newPassword'), error: errors.newPassword?.message }}
        confirmation={{ ...register('confirmPassword'), error: errors.confirmPassword?.message }}
      />
      <Button type="submit" tone="primary" size="large" busy={isBusy}>
        {t('changePassword.submit')}
      </Button>
    </form>
  )
}
