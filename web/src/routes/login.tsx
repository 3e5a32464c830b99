import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/auth-screens/auth-heading.tsx'
import { ExternalButton } from '#web/features/auth-screens/external-button.tsx'
import { HostedButton } from '#web/features/auth-screens/hosted-button.tsx'
import { SignInChallenge } from '#web/features/auth-screens/lazy-challenge.tsx'
import { LoginForm } from '#web/features/auth-screens/login-form.tsx'
import { to } from '#web/paths.ts'
import { identityFailure } from '#web/session/identity-failure.ts'
import { loadIdentity } from '#web/session/identity-loader.ts'
import type { Challenge, SignInStep } from '#web/session/identity.ts'
import { useRedirectParameter } from '#web/session/redirect-parameter.ts'
import { useSession } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { linkStyle } from '#web/ui/link.ts'

import { type Notice, noticeOf } from './navigation-state.ts'

/** /auth/login. The guard around it leads a signed-in user to the redirect or home. */
export function Component() {
  const { t } = useTranslation('auth')
  const { refresh } = useSession()
  const navigate = useNavigate()
  const redirect = useRedirectParameter()
  const { state } = useLocation() as { state: unknown }
  const notice = noticeOf(state)

  const [held, setHeld] = useState<{ challenge: Challenge; email: string }>()
  const [startedOver, setStartedOver] = useState<'asked' | 'too-late'>()

  async function goOn(step: SignInStep, email: string) {
    if (typeof step === 'object') return setHeld({ challenge: step, email })
    switch (step) {
      case 'done':
        return refresh()
      case 'confirm-sign-up':
        return navigate(to.verify(redirect), { state: { email } })
      case 'reset-password':
        return navigate(to.resetPassword(redirect), { state: { email, ...(await sendRequiredReset(email)) } })
    }
  }

  /** Nobody asked for a code who only meant to sign in: it is sent here, and the next screen says what came of it. */
  async function sendRequiredReset(email: string): Promise<Notice> {
    const { sendResetCode } = await loadIdentity()
    try {
      await sendResetCode(email)
      return { message: t('resetPassword.required', { email }), messageType: 'info' }
    } catch (error) {
      const reason = identityFailure(error, t('errors.sendReset')).message
      return { message: t('resetPassword.requiredNotSent', { reason }), messageType: 'error' }
    }
  }

  const banner =
    startedOver === 'too-late' ? (
      <Banner tone="error">{t('challenge.tooLate')}</Banner>
    ) : (
      startedOver === undefined && notice && <Banner tone={notice.messageType}>{notice.message}</Banner>
    )

  if (held !== undefined) {
    return (
      <SignInChallenge
        challenge={held.challenge}
        account={held.email}
        onStep={async (step) => goOn(step, held.email)}
        onStartOver={(reason) => {
          setHeld(undefined)
          setStartedOver(reason)
        }}
      />
    )
  }
  return (
    <>
      <AuthHeading title={t('login.title')} />
      <LoginForm notice={banner} onStep={goOn} />
      <ExternalButton redirect={redirect} />
      <HostedButton redirect={redirect} />
      <nav className="flex flex-col gap-3">
        <Link to={to.forgotPassword(redirect)} className={`${linkStyle} self-start`}>
          {t('login.forgotPassword')}
        </Link>
        <p>
          {t('login.noAccount')}{' '}
          <Link to={to.signup(redirect)} className={linkStyle}>
            {t('login.signup')}
          </Link>
        </p>
      </nav>
    </>
  )
}
