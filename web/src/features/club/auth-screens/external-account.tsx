import { useRef, useState } from 'react'
import { Link } from 'react-router'

import { type ExternalEntry, ExternalFailure, signUpExternally, linkExternal } from '#web/api/external-sign-in.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { AuthHeading } from './auth-heading.tsx'

const NAME_PROBLEMS: readonly string[] = ['name_invalid', 'name_taken']
const NEW_PROBLEMS = [
  'name_invalid',
  'name_taken',
  'email_taken',
  'flow_over',
  'sign_up_closed',
  'not_invited',
] as const

type ExternalNewProps = {
  provider: string
  name: string
  /** Verified by the provider. Empty if it has verified none. */
  email: string
  onEntry: (entry: ExternalEntry) => Promise<void>
}

/** A user of the provider who has no account here creates one, or links the one they have. */
export function ExternalNew({ provider, ...user }: ExternalNewProps) {
  const { email } = user
  const { t } = useTranslation('auth')
  return (
    <>
      <AuthHeading title={t('external.new.title')}>
        {email === '' ? t('external.new.noEmail', { provider }) : t('external.new.explain', { provider, email })}
      </AuthHeading>
      {email !== '' && <NewAccountForm {...user} />}
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

function NewAccountForm({ name, email, onEntry }: Omit<ExternalNewProps, 'provider'>) {
  const { t } = useTranslation('auth')
  const [typed, setTyped] = useState(name)
  const [problem, setProblem] = useState<(typeof NEW_PROBLEMS)[number] | 'unreachable'>()
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
      setProblem(NEW_PROBLEMS.find((known) => known === code) ?? 'unreachable')
      if (NAME_PROBLEMS.includes(code)) field.current?.focus()
    }
    setBusy(false)
  }

  return (
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
  )
}

const LINK_PROBLEMS = ['already_linked', 'flow_over'] as const

type ExternalLinkProps = {
  provider: string
  username: string
  /** The name of the user at the provider. */
  person: string
  signOut: () => Promise<void>
  onDone: () => void
}

/** Asks the signed-in user whether to link the account to their account at the provider. */
export function ExternalLink({ provider, username, person, signOut, onDone }: ExternalLinkProps) {
  const { t } = useTranslation('auth')
  const [problem, setProblem] = useState<(typeof LINK_PROBLEMS)[number] | 'unreachable'>()
  const [isBusy, setBusy] = useState(false)

  async function link() {
    setBusy(true)
    setProblem(undefined)
    try {
      await linkExternal()
      onDone()
    } catch (error) {
      const code = error instanceof ExternalFailure ? error.code : 'unreachable'
      // The login screen brings the user back here.
      if (code === 'sign_in_again') await signOut()
      else setProblem(LINK_PROBLEMS.find((known) => known === code) ?? 'unreachable')
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
