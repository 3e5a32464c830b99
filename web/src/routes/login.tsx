import { isEmail } from '@marquee/contract/rules/account'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { ExternalButton, HostedButton } from '#web/features/club/auth-screens/login-buttons.tsx'
import { SignInChallenge } from '#web/features/club/auth-screens/lazy-challenge.tsx'
import { canSignUp } from '#web/features/club/auth-screens/registration.tsx'
import { LoginForm } from '#web/features/club/auth-screens/login-form.tsx'
import type { OverReason } from '#web/features/club/auth-screens/use-challenge-form.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { features } from '#web/config.ts'
import { to } from '#web/paths.ts'
import { loadIdentity } from '#web/session/session.ts'
import type { Challenge, SignInStep } from '#web/account/identity.ts'
import { useRedirectParameter } from '#web/session/redirect-target.ts'
import { useIdentityMessage } from '#web/account/failures.ts'
import { useSession } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { lineLinkStyle, linkStyle } from '#web/ui/classes.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { type Notice, noticeOf, personState, signsInAgain, signsInByItself } from './navigation-state.ts'

const OVER_TEXTS = { 'too-late': 'challenge.tooLate', 'wrong-answer': 'challenge.wrongAnswerOver' } as const

/** /auth/login. The guard around it redirects a signed-in user. */
export function Component() {
  const { t } = useTranslation('auth')
  const redirect = useRedirectParameter()
  const { state } = useLocation() as { state: unknown }
  const notice = noticeOf(state)
  const arrivingEmail = personState(state)?.email ?? ''

  const [pending, setPending] = useState<Pending>()
  const [startedOver, setStartedOver] = useState<{ reason: 'asked' | OverReason; email: string }>()
  const continueWith = useNextStep(redirect, setPending)
  const isArriving = useNewAccount(signsInByItself(state) ? arrivingEmail : undefined, continueWith)

  if (pending !== undefined) {
    return (
      <SignInChallenge
        challenge={pending.challenge}
        account={pending.email}
        onStep={async (step) => continueWith(step, pending.email)}
        onStartOver={(reason) => {
          setPending(undefined)
          setStartedOver({ reason, email: pending.email })
        }}
      />
    )
  }
  if (isArriving) return <Spinner label={t('common:loading')} />
  /** The message above the form. */
  function noticeNow(): Notice | undefined {
    if (startedOver === undefined) return notice
    if (startedOver.reason === 'asked') return undefined
    return { message: t(OVER_TEXTS[startedOver.reason]), messageType: 'error' }
  }

  const shown = noticeNow()
  const email = startedOver?.email ?? arrivingEmail
  const knownEmail = isEmail(email) ? email : undefined
  return (
    <>
      <AuthHeading title={t('login.title')} leavesFocus={knownEmail !== undefined} />
      {features().needsSetup === true && (
        <Banner tone="info">
          {t('login.notSetUp')}{' '}
          <Link to={to.setup()} className={`${linkStyle} pointer-coarse:inline-block pointer-coarse:py-3`}>
            {t('login.setUp')}
          </Link>
        </Banner>
      )}
      <LoginForm
        notice={shown && <Banner tone={shown.messageType}>{shown.message}</Banner>}
        email={knownEmail}
        onStep={continueWith}
      />
      <ExternalButton redirect={redirect} again={signsInAgain(state)} />
      <HostedButton redirect={redirect} />
      <nav className="flex flex-col gap-3">
        <Link to={to.forgotPassword(redirect)} className={lineLinkStyle}>
          {t('login.forgotPassword')}
        </Link>
        {canSignUp(redirect) && (
          <p>
            {t('login.noAccount')}{' '}
            <Link to={to.signup(redirect)} className={linkStyle}>
              {t('login.signup')}
            </Link>
          </p>
        )}
        <p className="text-sm text-muted">
          {t('login.nightCode')}{' '}
          <Link to={to.joinNight('')} className={linkStyle}>
            {t('login.joinNight')}
          </Link>
        </p>
      </nav>
    </>
  )
}

type ContinueWith = (step: SignInStep, email: string) => Promise<void> | void

/** Signs a new account in with what its user typed on this page. Without that the form is shown. */
function useNewAccount(email: string | undefined, continueWith: ContinueWith): boolean {
  const [isArriving, setArriving] = useState(email !== undefined)
  const hasStarted = useRef(false)
  const start = useEffectEvent(async (address: string) => {
    try {
      const { signInWithKeptLogin } = await loadIdentity()
      const step = await signInWithKeptLogin(address)
      if (step !== undefined) await continueWith(step, address)
    } finally {
      setArriving(false)
    }
  })
  useEffect(() => {
    if (email === undefined || hasStarted.current) return
    hasStarted.current = true
    // The form that is shown then says what is wrong.
    start(email).catch(() => undefined)
  }, [email])
  return isArriving
}

type Pending = { challenge: Challenge; email: string }

/** Goes on with a sign-in: to its challenge, into the app, or to the screen that its account needs first. */
function useNextStep(redirect: string | undefined, onChallenge: (pending: Pending) => void) {
  const { t } = useTranslation('auth')
  const messageOf = useIdentityMessage()
  const { refresh } = useSession()
  const navigate = useNavigate()

  async function continueWith(step: SignInStep, email: string) {
    if (typeof step === 'object') return onChallenge({ challenge: step, email })
    switch (step) {
      case 'done':
        return refresh()
      case 'confirm-sign-up':
        return navigate(to.verify(redirect), { state: { email } })
      case 'reset-password':
        return navigate(to.resetPassword(redirect), { state: { email, ...(await sendRequiredReset(email)) } })
    }
  }

  /** The user has not asked for a code, so it is sent here. */
  async function sendRequiredReset(email: string): Promise<Notice> {
    const { sendResetCode } = await loadIdentity()
    try {
      await sendResetCode(email)
      return { message: t('resetPassword.required', { email }), messageType: 'info' }
    } catch (error) {
      const reason = messageOf(error, 'errors.sendReset')
      return { message: t('resetPassword.requiredNotSent', { reason }), messageType: 'error' }
    }
  }

  return continueWith
}
