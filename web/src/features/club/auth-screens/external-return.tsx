import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { Challenge, SignInStep } from '#web/account/identity.ts'
import { claimExternal, type ExternalClaim, type ExternalEntry, ExternalFailure } from '#web/api/external-sign-in.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { markExternal } from '#web/session/hosted-sign-in.ts'
import { to } from '#web/paths.ts'
import { loadIdentity } from '#web/session/session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { lineLinkStyle } from '#web/ui/classes.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { ExternalLink, ExternalNew } from './external-account.tsx'
import { SignInChallenge } from './lazy-challenge.tsx'

type ExternalReturnProps = {
  provider: string
  /** The signed-in user, if any. */
  username: string | undefined
  signOut: () => Promise<void>
  /** Signed in. `redirect` is not validated yet. */
  onSignedIn: (redirect: string) => Promise<void>
  /** The outcomes of a sign-in besides challenges. */
  onOther: (step: 'confirm-sign-up' | 'reset-password', username: string) => void
}

type New = Extract<ExternalClaim, { kind: 'new' }>
type Stage =
  | { at: 'waiting' }
  | { at: 'problem'; reason: ExternalReason }
  | { at: 'new'; claim: New }
  | { at: 'link'; claim: New; username: string }
  | { at: 'challenge'; challenge: Challenge; username: string; redirect: string }

/** The return from the external provider: signs the user in, or offers to create or link an account. */
export function ExternalReturn(props: ExternalReturnProps) {
  const { provider, signOut, onSignedIn } = props
  const { t } = useTranslation('auth')
  const { stage, setStage, enter, continueSignIn } = useStage(props)
  switch (stage.at) {
    case 'waiting':
      return <Spinner label={t('external.waiting', { provider })} />
    case 'problem':
      return <ExternalProblem provider={provider} reason={stage.reason} />
    case 'new':
      return (
        <ExternalNew
          provider={provider}
          name={stage.claim.name}
          email={stage.claim.email}
          onEntry={async (entry) => enter(entry, stage.claim.redirect)}
        />
      )
    case 'link':
      return (
        <ExternalLink
          provider={provider}
          username={stage.username}
          person={stage.claim.email || stage.claim.name}
          signOut={signOut}
          onDone={() => void onSignedIn(stage.claim.redirect)}
        />
      )
    case 'challenge':
      return (
        <SignInChallenge
          challenge={stage.challenge}
          account={stage.username}
          onStep={async (step) => continueSignIn(step, stage.username, stage.redirect)}
          onStartOver={() => setStage({ at: 'problem', reason: 'over' })}
        />
      )
  }
}

/** Claims what the provider answered, and follows the sign-in. */
function useStage({ username, onSignedIn, onOther }: ExternalReturnProps) {
  const [stage, setStage] = useState<Stage>({ at: 'waiting' })
  const hasClaimed = useRef(false)

  const continueSignIn = async (step: SignInStep, name: string, redirect: string): Promise<void> => {
    if (typeof step === 'object') return setStage({ at: 'challenge', challenge: step, username: name, redirect })
    if (step !== 'done') return onOther(step, name)
    markExternal()
    return onSignedIn(redirect)
  }
  const enter = async ({ username: name, ticket }: ExternalEntry, redirect: string): Promise<void> => {
    const { signInWithTicket } = await loadIdentity()
    await continueSignIn(await signInWithTicket(name, ticket), name, redirect)
  }
  const claim = useEffectEvent(async (): Promise<void> => {
    const claimed = await claimExternal()
    if (claimed.kind === 'new') {
      setStage(username === undefined ? { at: 'new', claim: claimed } : { at: 'link', claim: claimed, username })
    } else if (username === undefined) await enter(claimed, claimed.redirect)
    else if (username === claimed.username) await onSignedIn(claimed.redirect)
    else setStage({ at: 'problem', reason: 'other' })
  })
  useEffect(() => {
    // The answer of the provider can be read once.
    if (hasClaimed.current) return
    hasClaimed.current = true
    claim().catch((error: unknown) => {
      const isOver = error instanceof ExternalFailure && error.code === 'flow_over'
      setStage({ at: 'problem', reason: isOver ? 'over' : 'failed' })
    })
  }, [])

  return { stage, setStage, enter, continueSignIn }
}

export const EXTERNAL_REASONS = ['unreachable', 'failed', 'over', 'other'] as const
type ExternalReason = (typeof EXTERNAL_REASONS)[number]

/** A failed sign-in with the external provider, with a link to the login screen. */
export function ExternalProblem({ provider, reason }: { provider: string; reason: ExternalReason }) {
  const { t } = useTranslation('auth')
  return (
    <>
      <AuthHeading title={t('external.signIn', { provider })} />
      <Banner tone="error">{t(`external.reasons.${reason}`, { provider })}</Banner>
      <Link to={to.login()} className={lineLinkStyle}>
        {t('external.toLogin')}
      </Link>
    </>
  )
}
