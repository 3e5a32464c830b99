import { useEffect, useEffectEvent } from 'react'

import type { Challenge } from '#web/account/identity.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'

import { ChallengeAppSetup, ChallengeCode } from './challenge-code.tsx'
import { ChallengeChoice } from './challenge-choice.tsx'
import { ChallengeNewPassword, ChallengePassword } from './challenge-passwords.tsx'
import { ChallengeEmail, ChallengeQuestion } from './challenge-text.tsx'
import type { ChallengeOutcome, OverReason } from './use-challenge-form.ts'

/** The service and the browser forget a pending sign-in after this time. */
const ABANDONED_MS = 3 * 60_000

const CODES = { app: 'TOTP', mail: 'EMAIL', 'text-message': 'SMS' } as const
const FACTORS = {
  password: 'PASSWORD_SRP',
  passkey: 'WEB_AUTHN',
  mail: 'EMAIL_OTP',
  'text-message': 'SMS_OTP',
} as const

type SignInChallengeProps = {
  challenge: Challenge
  /** What the user signs in with, which names the account in an authenticator app. */
  account: string
  onStep: ChallengeOutcome['onStep']
  onStartOver: (reason: 'asked' | OverReason) => void
}

/** The challenges of a sign-in. An abandoned one starts over. */
export function SignInChallenge({ challenge, account, onStep, onStartOver }: SignInChallengeProps) {
  const { t } = useTranslation('auth')
  const giveUp = useEffectEvent(() => onStartOver('too-late'))
  useEffect(() => {
    const timer = setTimeout(giveUp, ABANDONED_MS)
    return () => clearTimeout(timer)
  }, [challenge])

  return (
    <>
      <ChallengeScreen challenge={challenge} account={account} onStep={onStep} onOver={onStartOver} />
      <Button tone="quiet" size="large" onClick={() => onStartOver('asked')}>
        {t('challenge.startOver')}
      </Button>
    </>
  )
}

type ChallengeScreenProps = ChallengeOutcome & Pick<SignInChallengeProps, 'challenge' | 'account'>

function ChallengeScreen({ challenge, account, ...outcome }: ChallengeScreenProps) {
  const { t } = useTranslation()
  switch (challenge.kind) {
    case 'code':
      return (
        <ChallengeCode
          key={challenge.source}
          source={challenge.source}
          destination={challenge.destination}
          {...outcome}
        />
      )
    case 'choice':
      return (
        <ChallengeChoice key="choice" text="challenge.choose" ways={challenge.sources} names={CODES} {...outcome} />
      )
    case 'set-up-choice':
      return <ChallengeChoice key="set-up" text="challenge.setUp" ways={challenge.sources} names={CODES} {...outcome} />
    case 'first-factor':
      return (
        <ChallengeChoice
          key="first"
          text={challenge.isWithoutPasskey ? 'challenge.noPasskey' : 'challenge.choose'}
          ways={challenge.factors}
          names={FACTORS}
          {...outcome}
        />
      )
    case 'set-up-app':
      return (
        <ChallengeAppSetup secret={challenge.secret} uri={challenge.uriFor(t('productName'), account)} {...outcome} />
      )
    case 'set-up-mail':
      return <ChallengeEmail account={account} {...outcome} />
    case 'password':
      return <ChallengePassword {...outcome} />
    case 'new-password':
      return <ChallengeNewPassword {...outcome} />
    case 'question':
      return <ChallengeQuestion key={challenge.question} challenge={challenge} {...outcome} />
  }
}
