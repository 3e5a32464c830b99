import { useTranslation } from 'react-i18next'

import { AppSecret } from '#web/session/app-secret.tsx'
import { CodeField, withoutSpaces } from '#web/session/code-field.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { VERIFY_RULES } from './rules.ts'
import { type ChallengeOutcome, useChallengeForm } from './use-challenge-form.ts'

type ChallengeAppSetupProps = ChallengeOutcome & { secret: string; uri: string }

/** An authenticator app has to be set up before the sign-in can be finished. */
export function ChallengeAppSetup({ secret, uri, ...outcome }: ChallengeAppSetupProps) {
  const { t } = useTranslation('auth')
  const { register, errors, isBusy, failure, formProps } = useChallengeForm({
    rules: VERIFY_RULES,
    defaultValues: { code: '' },
    answer: ({ code }) => withoutSpaces(code),
    ...outcome,
  })
  return (
    <>
      <AuthHeading title={t('challenge.setUpTitle')}>{t('security.app.scan')}</AuthHeading>
      <form {...formProps} className="flex flex-col gap-4">
        <AppSecret secret={secret} uri={uri} />
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        <CodeField {...register('code')} error={errors.code?.message} />
        <Button type="submit" tone="primary" size="large" busy={isBusy}>
          {t('challenge.submit')}
        </Button>
      </form>
    </>
  )
}
