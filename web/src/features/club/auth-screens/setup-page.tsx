import '#web/i18n/setup-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { Link } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailure } from '#web/api/call-failure.tsx'
import { to } from '#web/paths.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { AuthHeading } from './auth-heading.tsx'
import { FirstAccountForm } from './first-account-form.tsx'
import { setupCheck } from './queries.ts'

type SetupPageProps = {
  /** The code of the page's URL; empty without one. */
  code: string
  onCode: (code: string) => void
  /** The account is there, and can sign in with this. */
  onCreated: (login: { email: string; password: string }) => Promise<void>
}

/** The first visit to an installation: creates the first account. Says so if there is one already. */
export function SetupPage(props: SetupPageProps) {
  const { t } = useTranslation('auth')
  if (features().accountService) return <OwnAccounts {...props} />
  return (
    <>
      <AuthHeading title={t('setup.title')}>{t('setup.elsewhere')}</AuthHeading>
      <Link to={to.signup()} className={buttonStyle('primary', 'large')}>
        {t('signup.submit')}
      </Link>
    </>
  )
}

function OwnAccounts({ code, onCode, onCreated }: SetupPageProps) {
  const { t } = useTranslation('auth')
  const query = useQuery(setupCheck(code))
  const { isSuccess, error } = query
  if (isApiError(error, 'NOT_FOUND')) return <SetUp />
  if (isApiError(error, 'UNAUTHORIZED')) return <CodeForm isWrong={code !== ''} onCode={onCode} />
  if (error !== null) {
    return (
      <RetryBanner query={query}>
        <CallFailure what={t('setup.loadFailed')} kind="FETCH_ERROR" error={error} />
      </RetryBanner>
    )
  }
  if (!isSuccess) return <Spinner label={t('setup.loading')} />
  return <FirstAccountForm code={code} onCreated={onCreated} />
}

function SetUp() {
  const { t } = useTranslation('auth')
  return (
    <>
      <AuthHeading title={t('setup.doneTitle')}>{t('setup.done')}</AuthHeading>
      <Link to={to.login()} className={buttonStyle('primary', 'large')}>
        {t('signup.login')}
      </Link>
    </>
  )
}

function CodeForm({ isWrong, onCode }: { isWrong: boolean; onCode: (code: string) => void }) {
  const { t } = useTranslation('auth')
  const [typed, setTyped] = useState('')
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') onCode(typed.trim())
  }
  return (
    <>
      <AuthHeading title={t('setup.title')}>{t('setup.codeNeeded')}</AuthHeading>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          name="code"
          label={t('setup.code')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={isWrong ? t('setup.wrongCode') : undefined}
        />
        <Button type="submit" tone="primary" size="large">
          {t('challenge.submit')}
        </Button>
      </form>
    </>
  )
}
