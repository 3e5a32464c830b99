import { noteSignUp } from '#web/i18n/language-notes.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { NameAndPasswordFields } from './name-and-password-fields.tsx'
import { SIGNUP_RULES } from './rules.ts'
import { TakenEmail } from './taken-email.tsx'
import { useAuthForm } from './use-auth-form.ts'

type SignupFormProps = {
  /** Where the user goes after signing in. */
  redirect: string | undefined
  /** The address that an invitation was mailed to. */
  email?: string | undefined
  onSignedUp: (state: 'code-sent' | 'confirmed', person: { email: string; name: string }) => void
}

/**
 * Creates an account. A refusal is shown at its field, otherwise below the e-mail. Only a field whose value is wrong is
 * marked.
 */
export function SignupForm({ redirect, email = '', onSignedUp }: SignupFormProps) {
  const { t } = useTranslation('auth')
  const { register, getValues, errors, isBusy, failure, isEmailTaken, formProps } = useAuthForm({
    rules: SIGNUP_RULES,
    defaultValues: { email, name: '', password: '', confirmPassword: '' },
    fallback: 'errors.signup',
    fields: { name: 'name', email: 'email', password: 'password' },
    onSubmit: async (person, { signUp }) => {
      const state = await signUp({ ...person, redirect })
      noteSignUp(person.name.trim())
      onSignedUp(state, { email: person.email, name: person.name.trim() })
    },
  })

  /** About the name, but the message has its place below the e-mail. */
  const note = errors.name?.type === 'refused' ? failure : undefined
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <TextField
        {...register('email')}
        label={t('fields.email')}
        type="email"
        autoComplete="username"
        required
        error={errors.email?.message ?? (note === undefined ? failure : undefined)}
        hint={note}
        isInvalid={errors.email !== undefined || isEmailTaken}
      />
      {isEmailTaken && <TakenEmail email={getValues('email')} />}
      <NameAndPasswordFields register={register} errors={errors} />
      <Button type="submit" tone="primary" size="large" busy={isBusy}>
        {t('signup.submit')}
      </Button>
    </form>
  )
}
