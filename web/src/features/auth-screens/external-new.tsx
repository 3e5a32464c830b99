import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { type ExternalEntry, ExternalFailure, signUpExternally } from '#web/api/external-sign-in.ts'
import { to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { AuthHeading } from './auth-heading.tsx'

const PROBLEMS = ['name_invalid', 'name_taken', 'email_taken', 'flow_over'] as const

type ExternalNewProps = {
  provider: string
  name: string
  /** Proven by the provider; empty where it has proven none. */
  email: string
  onEntry: (entry: ExternalEntry) => Promise<void>
}

/** Somebody the provider knows and this installation does not: they make an account, or link the one they have. */
export function ExternalNew({ provider, name, email, onEntry }: ExternalNewProps) {
  const { t } = useTranslation('auth')
  const [typed, setTyped] = useState(name)
  const [problem, setProblem] = useState<(typeof PROBLEMS)[number] | 'unreachable'>()
  const [isBusy, setBusy] = useState(false)

  async function make() {
    setBusy(true)
    setProblem(undefined)
    try {
      await onEntry(await signUpExternally(typed))
    } catch (error) {
      const code = error instanceof ExternalFailure ? error.code : 'unreachable'
      setProblem(PROBLEMS.find((known) => known === code) ?? 'unreachable')
    }
    setBusy(false)
  }

  return (
    <>
      <AuthHeading title={t('external.new.title')}>
        {email === '' ? t('external.new.noEmail', { provider }) : t('external.new.explain', { provider, email })}
      </AuthHeading>
      {email !== '' && (
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            void make()
          }}
        >
          {problem !== undefined && <Banner tone="error">{t(`external.problems.${problem}`, { email })}</Banner>}
          <TextField
            name="name"
            label={t('fields.name')}
            hint={t('hints.name')}
            autoComplete="nickname"
            required
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" tone="primary" size="large" busy={isBusy}>
            {t('external.new.make')}
          </Button>
        </form>
      )}
      <p>{t('external.new.haveAccount', { provider })}</p>
      <Link to={to.login(to.external())} className={buttonStyle('quiet', 'large')}>
        {t('external.new.link')}
      </Link>
    </>
  )
}
