import { Link } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useReason } from '#web/api/use-reason.ts'
import { to } from '#web/paths.ts'
import { Banner, FailureText } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { linkStyle } from '#web/ui/classes.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { useForm } from '#web/ui/use-form.ts'

import { AuthHeading } from './auth-heading.tsx'
import { useCreateFirstAccount, useSendTestMail } from './mutations.ts'
import { NameAndPasswordFields } from './name-and-password-fields.tsx'
import { canSignUp } from './registration.tsx'
import { resolverOf, SIGNUP_RULES, type SignupValues } from './rules.ts'

type FirstAccountFormProps = {
  code: string
  onCreated: (login: { email: string; password: string }) => Promise<void>
}

/** The first account. A mail to its address shows whether the installation can send mail. */
export function FirstAccountForm({ code, onCreated }: FirstAccountFormProps) {
  const { t } = useTranslation('auth')
  const testMail = useSendTestMail(code)
  const account = useCreateFirstAccount(code)
  const form = useForm<SignupValues>({
    defaultValues: { email: '', name: '', password: '', confirmPassword: '' },
    resolver: resolverOf(SIGNUP_RULES, t),
  })
  const { errors } = form.formState
  const sendTestMail = async () => {
    if (await form.trigger('email', { shouldFocus: true })) testMail.mutate(form.getValues('email').trim())
  }
  const submit = form.handleSubmit(({ email, name: username, password }) =>
    account.mutate(
      { email: email.trim(), username, password },
      { onSuccess: () => void onCreated({ email: email.trim(), password }) },
    ),
  )

  return (
    <>
      <AuthHeading title={t('setup.title')}>{t('setup.intro')}</AuthHeading>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <TextField
          {...form.register('email')}
          label={t('fields.email')}
          type="email"
          autoComplete="username"
          required
          error={errors.email?.message}
        />
        <Button tone="quiet" busy={testMail.isPending} onClick={() => void sendTestMail()}>
          {t('setup.testMail')}
        </Button>
        <TestMailResult {...testMail} />
        <NameAndPasswordFields register={form.register} errors={errors} />
        <CallFailureBanner what={t('setup.createFailed')} error={account.error} />
        <Button type="submit" tone="primary" size="large" busy={account.isPending}>
          {t('setup.create')}
        </Button>
      </form>
      {canSignUp(undefined) && (
        <p>
          <Link to={to.signup()} className={linkStyle}>
            {t('setup.skip')}
          </Link>
        </p>
      )}
    </>
  )
}

type TestMailResultProps = Pick<ReturnType<typeof useSendTestMail>, 'data' | 'error' | 'variables'>

function TestMailResult({ data, error, variables: email }: TestMailResultProps) {
  const { t } = useTranslation('auth')
  const reason = useReason()
  if (data?.outcome === 'accepted') return <Banner tone="success">{t('setup.mailAccepted', { email })}</Banner>
  if (data?.outcome === 'kept') return <Banner tone="info">{t('setup.mailKept')}</Banner>
  if (!data && error === null) return null
  return (
    <Banner tone="error">
      <FailureText what={t('setup.mailFailed')} why={data?.reason ?? reason(error)} />
    </Banner>
  )
}
