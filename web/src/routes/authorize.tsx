import '#web/i18n/external-texts.ts'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { AuthorizeQuestion } from '#web/features/club/auth-screens/authorize-question.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useEndNotice, Waiting } from '#web/session/guards.tsx'
import { useSession } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { lineLinkStyle } from '#web/ui/classes.ts'

import { useSignOut } from './use-sign-out.tsx'

const PROBLEMS = ['client', 'redirect', 'request'] as const
type Problem = (typeof PROBLEMS)[number]

/** /auth/authorize: another tool asks to sign the user in. The request survives sign-in, sign-up and verification. */
export function Component() {
  const session = useSession()
  const noticeOf = useEndNotice()
  const { pathname, search } = useLocation()
  const [query] = useSearchParams()
  const request = query.get('request')
  const error = query.get('error')
  const { step, ask, question } = useSignOut(`${pathname}${search}`)

  if (error !== null) return <NotPossible problem={PROBLEMS.find((known) => known === error) ?? 'request'} />
  if (request === null) return <NotPossible problem="request" />
  if (step === 'leaving') return <Waiting />
  switch (session.state) {
    case 'loading':
      return <Waiting />
    case 'signed-out':
      return <Navigate to={to.login(`${pathname}${search}`)} replace state={noticeOf(session.because)} />
    case 'signed-in':
      return (
        <>
          <AuthorizeQuestion
            key={`${session.user.userId} ${request}`}
            request={request}
            username={session.user.username}
            idToken={session.idToken}
            signInAgain={session.signInAgain}
            isSwitching={step === 'asking'}
            onSwitchAccount={ask}
            onAnswered={(location) => globalThis.location.assign(location)}
          />
          {question}
        </>
      )
  }
}

function NotPossible({ problem }: { problem: Problem }) {
  const { t } = useTranslation('auth')
  return (
    <>
      <AuthHeading title={t('authorize.failed')} />
      <Banner tone="error">{t(`authorize.problems.${problem}`)}</Banner>
      <Link to={to.home()} className={lineLinkStyle}>
        {t('authorize.home')}
      </Link>
    </>
  )
}
