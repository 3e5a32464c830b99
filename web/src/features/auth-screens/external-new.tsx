import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { type ExternalEntry, ExternalFailure, signUpExternally } from '#web/api/external-sign-in.ts'
import { to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { AuthHeading } from './auth-heading.tsx'

const NAME_PROBLEMS: readonly string[] = ['name_invalid', 'name_taken']
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
  const field = useRef<HTMLInputElement>(null)
  const failure = problem === undefined ? undefined : t(`external.problems.${problem}`, { email })
  const isOfName = problem !== undefined && NAME_PROBLEMS.includes(problem)

  async function make() {
    setBusy(true)
    setProblem(undefined)
    try {
      await onEntry(await signUpExternally(typed))
    } catch (error) {
      const code = error instanceof ExternalFailure ? error.code : 'unreachable'
      setProblem(PROBLEMS.find((known) => known === code) ?? 'unreachable')
      if (NAME_PROBLEMS.includes(code)) field.current?.focus()
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
          {failure !== undefined && !isOfName && <Banner tone="error">{failure}</Banner>}
          <TextField
            ref={field}
            name="name"
            label={t('fields.name')}
            hint={t('hints.name')}
            autoComplete="nickname"
            required
            value={typed}
            error={isOfName ? failure : undefined}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" tone="primary" size="large" busy={isBusy}>
            {t('external.new.make')}
          </Button>
        </form>
      )}
      <p>{t('external.new.haveAccount', { provider })}</p>
      <Link
        to={to.login(to.external())}
        state={{ message: t('external.new.linkNotice', { provider }), messageType: 'info' }}
        className={buttonStyle('quiet', 'large')}
      >
        {t('external.new.link')}
      </Link>
    </>
  )
}
