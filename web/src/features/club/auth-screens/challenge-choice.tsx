import { Fingerprint, KeyRound, Mail, MessageSquare, Smartphone } from 'lucide-react'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { loadIdentity } from '#web/session/session.ts'
import { passkeyFailure, useIdentityMessage } from '#web/account/failures.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { AuthHeading } from './auth-heading.tsx'
import type { AuthKey } from './rules.ts'
import { type ChallengeOutcome, tooLate } from './use-challenge-form.ts'

const WAYS = {
  app: { text: 'challenge.chooseApp', icon: <Smartphone aria-hidden /> },
  mail: { text: 'challenge.chooseMail', icon: <Mail aria-hidden /> },
  'text-message': { text: 'challenge.chooseTextMessage', icon: <MessageSquare aria-hidden /> },
  password: { text: 'fields.password', icon: <KeyRound aria-hidden /> },
  passkey: { text: 'challenge.choosePasskey', icon: <Fingerprint aria-hidden /> },
} as const

type Way = keyof typeof WAYS

type ChallengeChoiceProps<W extends Way> = ChallengeOutcome & {
  text: AuthKey
  ways: readonly W[]
  /** Their names at the identity service. */
  names: Readonly<Record<W, string>>
}

/** Asks for the next factor of the sign-in. */
export function ChallengeChoice<W extends Way>({ text, ways, names, onStep, onOver }: ChallengeChoiceProps<W>) {
  const { t } = useTranslation('auth')
  const messageOf = useIdentityMessage()
  const [chosen, setChosen] = useState<W>()
  const [failure, setFailure] = useState<string>()

  async function choose(way: W) {
    setChosen(way)
    setFailure(undefined)
    try {
      const { answerChallenge } = await loadIdentity()
      await onStep(await answerChallenge(names[way]))
    } catch (error) {
      const reason = tooLate(error)
      const ofBrowser = passkeyFailure(error)
      if (reason !== undefined) onOver(reason)
      else setFailure(ofBrowser ? t(ofBrowser.text) : messageOf(error, 'errors.login'))
    }
    setChosen(undefined)
  }

  return (
    <>
      <AuthHeading title={t('challenge.title')}>{t(text)}</AuthHeading>
      {failure !== undefined && <Banner tone="error">{failure}</Banner>}
      <div className="flex flex-col gap-3">
        {ways.map((way) => (
          <Button
            key={way}
            tone="quiet"
            size="large"
            icon={WAYS[way].icon}
            busy={chosen === way}
            disabled={chosen !== undefined}
            onClick={async () => choose(way)}
          >
            {t(WAYS[way].text)}
          </Button>
        ))}
      </div>
    </>
  )
}
