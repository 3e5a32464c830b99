import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { ExternalFailure, linkExternal } from '#web/api/external-sign-in.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { AuthHeading } from './auth-heading.tsx'

const PROBLEMS = ['already_linked', 'flow_over'] as const

type ExternalLinkProps = {
  provider: string
  username: string
  /** What the provider calls who came back. */
  person: string
  signOut: () => Promise<void>
  onDone: () => void
}

/** Asks whose account this is, who has just signed in, whether to link it to who came back from the provider. */
export function ExternalLink({ provider, username, person, signOut, onDone }: ExternalLinkProps) {
  const { t } = useTranslation('auth')
  const [problem, setProblem] = useState<(typeof PROBLEMS)[number] | 'unreachable'>()
  const [isBusy, setBusy] = useState(false)

  async function link() {
    setBusy(true)
    setProblem(undefined)
    try {
      await linkExternal()
      onDone()
    } catch (error) {
      const code = error instanceof ExternalFailure ? error.code : 'unreachable'
      // Signed out, the screen leads to the login screen and back.
      if (code === 'sign_in_again') await signOut()
      else setProblem(PROBLEMS.find((known) => known === code) ?? 'unreachable')
    }
    setBusy(false)
  }

  return (
    <>
      <AuthHeading title={t('external.link.title', { provider })}>
        {t('external.link.question', { provider, username, person })}
      </AuthHeading>
      {problem !== undefined && <Banner tone="error">{t(`external.problems.${problem}`)}</Banner>}
      <Button tone="primary" size="large" busy={isBusy} onClick={link}>
        {t('external.link.confirm')}
      </Button>
      <Button tone="quiet" size="large" disabled={isBusy} onClick={onDone}>
        {t('external.link.cancel')}
      </Button>
    </>
  )
}
