import { type ReactNode, useId } from 'react'

import { features } from '#web/config.ts'
import type { SignInStep } from '#web/account/identity.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { PasskeyButton } from './login-buttons.tsx'
import { LOGIN_RULES } from './rules.ts'
import { useAuthForm } from './use-auth-form.ts'

type LoginFormProps = {
  /** A message from the previous screen. It disappears with the first attempt. */
  notice?: ReactNode
  /** The address, if it is known. Then only the password is missing. */
  email?: string | undefined
  /** Gets the next step of the sign-in. Its errors are shown like those of the sign-in. */
  onStep: (step: SignInStep, email: string) => Promise<void>
}

/** E-mail and password. A refusal of the service is shown under the e-mail. */
export function LoginForm({ notice, email: knownEmail = '', onStep }: LoginFormProps) {
  const { t } = useTranslation('auth')
  const noticeId = useId()
  const { register, errors, isBusy, isTried, failure, formProps, submitField } = useAuthForm({
    rules: LOGIN_RULES,
    defaultValues: { email: knownEmail, password: '' },
    fallback: 'errors.login',
    fields: { name: 'email', email: 'email' },
    onSubmit: async ({ email, password }, { signIn }) => {
      await onStep(await signIn({ email, password }), email)
    },
  })
  const isNoticeShown = !isTried && notice !== undefined

  return (
    <form {...formProps} className="flex flex-col gap-4">
      {isNoticeShown && <div id={noticeId}>{notice}</div>}
      <TextField
        {...register('email')}
        label={t('fields.email')}
        type="email"
        autoComplete="username"
        required
        error={errors.email?.message ?? failure}
      />
      <PasswordField
        {...register('password')}
        label={t('fields.password')}
        showLabel={t('fields.showPassword')}
        hideLabel={t('fields.hidePassword')}
        autoComplete="current-password"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field that is left to fill in
        autoFocus={knownEmail !== ''}
        describedBy={isNoticeShown ? noticeId : undefined}
        required
        error={errors.password?.message}
      />
      <Button type="submit" tone="primary" size="large" busy={isBusy}>
        {t('login.submit')}
      </Button>
      {features().passkeys && 'PublicKeyCredential' in globalThis && (
        <PasskeyButton
          isOff={isBusy}
          onUse={async (signInWithPasskey) =>
            submitField('email', async (email) => {
              const step = await signInWithPasskey(email)
              if (step !== undefined) await onStep(step, email)
            })
          }
        />
      )}
    </form>
  )
}
