import '#web/i18n/security-texts.ts'
import { useId, useState } from 'react'

import { AppSecret } from '#web/account/app-secret.tsx'
import { CodeField, withoutSpaces } from '#web/account/code-field.tsx'
import type { CodeSource } from '#web/account/identity.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { ChallengeForm } from './challenge-form.tsx'
import { VERIFY_RULES } from './rules.ts'
import { type ChallengeOutcome, useChallengeForm } from './use-challenge-form.ts'

type ChallengeCodeProps = ChallengeOutcome & {
  source: CodeSource
  /** The masked destination of the code. */
  destination: string | undefined
}

const TEXTS = { app: 'challenge.app', mail: 'challenge.mail', 'text-message': 'challenge.textMessage' } as const

/** Asks for the code of the authenticator app, a mail or a text message. A recovery code replaces that of the app. */
export function ChallengeCode({ source, destination = '', ...outcome }: ChallengeCodeProps) {
  const { t } = useTranslation('auth')
  const textId = useId()
  const [isRecovery, setRecovery] = useState(false)
  // The user often types the code at once.
  const ready = { autoFocus: true, describedBy: textId }
  const { register, errors, clearFailure, refill, ...form } = useChallengeForm({
    rules: VERIFY_RULES,
    defaultValues: { code: '' },
    answer: ({ code }) => withoutSpaces(code),
    ...outcome,
  })

  function switchKind() {
    clearFailure()
    refill('code')
    setRecovery(!isRecovery)
  }

  return (
    <ChallengeForm
      form={form}
      title={t('challenge.title')}
      text={isRecovery ? t('challenge.recovery') : t(TEXTS[source], { destination })}
      textId={textId}
      more={
        source === 'app' && (
          <Button tone="quiet" size="large" onClick={switchKind}>
            {t(isRecovery ? 'challenge.useApp' : 'challenge.useRecovery')}
          </Button>
        )
      }
    >
      {isRecovery ? (
        <TextField
          {...register('code')}
          {...ready}
          label={t('fields.recoveryCode')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          error={errors.code?.message}
        />
      ) : (
        <CodeField {...register('code')} {...ready} isOfAnyLength={source === 'mail'} error={errors.code?.message} />
      )}
    </ChallengeForm>
  )
}

type ChallengeAppSetupProps = ChallengeOutcome & { secret: string; uri: string }

/** Sets up an authenticator app, which the sign-in requires. */
export function ChallengeAppSetup({ secret, uri, ...outcome }: ChallengeAppSetupProps) {
  const { t } = useTranslation('auth')
  const { register, errors, failure, isBusy, formProps } = useChallengeForm({
    rules: VERIFY_RULES,
    defaultValues: { code: '' },
    answer: ({ code }) => withoutSpaces(code),
    ...outcome,
  })
  return (
    <ChallengeForm form={{ formProps, isBusy }} title={t('challenge.setUpTitle')} text={t('security.app.scan')}>
      <AppSecret secret={secret} uri={uri} />
      {failure !== undefined && <Banner tone="error">{failure}</Banner>}
      <CodeField {...register('code')} error={errors.code?.message} />
    </ChallengeForm>
  )
}
