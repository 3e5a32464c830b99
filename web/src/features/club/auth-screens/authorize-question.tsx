import { useEffect, useEffectEvent, useState } from 'react'
import { Link } from 'react-router'

import {
  answerAuthorization,
  type AuthorizationQuestion,
  AuthorizationOver,
  readAuthorization,
} from '#web/api/authorization.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { lineLinkStyle } from '#web/ui/classes.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { useRestored } from './use-restored.ts'

const KNOWN_SCOPES = ['profile', 'email', 'phone'] as const

type AuthorizeQuestionProps = {
  /** The sealed request from the URL. */
  request: string
  username: string
  idToken: () => Promise<string | undefined>
  /** Ends the session. The next sign-in leads back here. */
  signInAgain: () => Promise<void>
  /** The same, for another account, or asks about it while `isSwitching`. */
  onSwitchAccount: () => void
  isSwitching: boolean
  /** Leaves the app for the tool. */
  onAnswered: (location: string) => void
}

/** Asks the signed-in user whether another tool may sign them in. */
export function AuthorizeQuestion({ username, onSwitchAccount, isSwitching, ...given }: AuthorizeQuestionProps) {
  const { t } = useTranslation('auth')
  const { question, failure, retry, ...actions } = useAuthorization(given)
  if (failure === 'over') return <Over />
  if (question === undefined) {
    return failure === undefined ? (
      <Spinner label={t('authorize.loading')} />
    ) : (
      <>
        <AuthHeading title={t('authorize.loading')} />
        <Unreachable />
        <Button tone="primary" size="large" onClick={retry}>
          {t('authorize.retry')}
        </Button>
      </>
    )
  }
  return (
    <Question
      question={question}
      username={username}
      hasFailed={failure !== undefined}
      answer={actions.answer}
      busy={isSwitching ? 'leave' : actions.busy}
      leave={onSwitchAccount}
    />
  )
}

type Authorization = Pick<AuthorizeQuestionProps, 'request' | 'idToken' | 'signInAgain' | 'onAnswered'>

/** The question of the tool, and what the user answers. */
function useAuthorization({ request, idToken, signInAgain, onAnswered }: Authorization) {
  const [question, setQuestion] = useState<AuthorizationQuestion>()
  const [failure, setFailure] = useState<'over' | 'unreachable'>()
  const [busy, setBusy] = useState<'allow' | 'deny'>()
  useRestored(() => setBusy(undefined))

  const ask = useEffectEvent(async () => {
    const token = await idToken()
    if (token === undefined) return undefined
    const asked = await readAuthorization(token, request)
    if (!asked.signInAgain) return asked
    // The login screen brings the user back here.
    await signInAgain()
    return undefined
  })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    ask().then(setQuestion, (error: unknown) => setFailure(failureOf(error)))
  }, [attempt])

  async function answer(isAllowed: boolean) {
    setBusy(isAllowed ? 'allow' : 'deny')
    setFailure(undefined)
    try {
      const token = await idToken()
      if (token !== undefined) onAnswered(await answerAuthorization(token, { request, isAllowed }))
    } catch (error) {
      setBusy(undefined)
      setFailure(failureOf(error))
    }
  }
  return {
    question,
    failure,
    busy,
    answer,
    retry: () => {
      setFailure(undefined)
      setAttempt(attempt + 1)
    },
  }
}

type QuestionProps = {
  busy: 'allow' | 'deny' | 'leave' | undefined
  answer: (isAllowed: boolean) => Promise<void>
  leave: () => void
  question: AuthorizationQuestion
  username: string
  hasFailed: boolean
}

function Question({ question, username, hasFailed, busy, answer, leave }: QuestionProps) {
  const { t } = useTranslation('auth')
  const client = question.clientName
  const learned = KNOWN_SCOPES.filter((scope) => question.scopes.includes(scope))
  return (
    <>
      <AuthHeading title={t('authorize.title', { client })}>
        {t('authorize.question', { client, username })}
      </AuthHeading>
      <div className="flex flex-col gap-1">
        <p>{t('authorize.learns')}</p>
        <ul className="list-disc ps-6">
          <li>{t('authorize.scopes.openid')}</li>
          {learned.map((scope) => (
            <li key={scope}>{t(`authorize.scopes.${scope}`)}</li>
          ))}
        </ul>
      </div>
      {question.sessionDays !== undefined && <p>{t('authorize.lasts', { count: question.sessionDays })}</p>}
      {hasFailed && <Unreachable />}
      <Button
        tone="primary"
        size="large"
        busy={busy === 'allow'}
        disabled={busy !== undefined}
        onClick={async () => answer(true)}
      >
        {t('authorize.allow', { client })}
      </Button>
      <Button
        tone="quiet"
        size="large"
        busy={busy === 'deny'}
        disabled={busy !== undefined}
        onClick={async () => answer(false)}
      >
        {t('authorize.deny')}
      </Button>
      <Button tone="quiet" size="large" busy={busy === 'leave'} disabled={busy !== undefined} onClick={leave}>
        {t('authorize.other')}
      </Button>
    </>
  )
}

function failureOf(error: unknown) {
  return error instanceof AuthorizationOver ? 'over' : 'unreachable'
}

function Over() {
  const { t } = useTranslation('auth')
  return (
    <>
      <AuthHeading title={t('authorize.failed')} />
      <Banner tone="error">{t('authorize.expired')}</Banner>
      <Link to={to.home()} className={lineLinkStyle}>
        {t('authorize.home')}
      </Link>
    </>
  )
}

function Unreachable() {
  const { t } = useTranslation('auth')
  return <Banner tone="error">{t('authorize.unreachable')}</Banner>
}
