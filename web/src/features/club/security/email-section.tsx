import { isEmail } from '@marquee/contract/rules/account'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { CodeField, withoutSpaces } from '#web/account/code-field.tsx'
import { beginEmailChange, finishEmailChange, resendEmailCode } from '#web/account/account-security.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner, RetryBanner } from '#web/ui/banner.tsx'
import { BriefSuccess } from '#web/ui/brief-success.tsx'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { ChangeFailure, Section } from './section.tsx'
import { useAccountChange } from './mutations.ts'
import { ownEmail } from './queries.ts'

type Step = { at: 'shown' } | { at: 'typing' } | { at: 'proving'; email: string } | { at: 'done'; email: string }

/** Shows and changes the e-mail address. A code confirms the new one before it replaces the old one. */
export function EmailSection() {
  const { t } = useTranslation('auth')
  const { data: email, isError, refetch } = useQuery(ownEmail)
  const [step, setStep] = useState<Step>({ at: 'shown' })
  const changeButton = useRef<HTMLButtonElement>(null)
  /** The change is finished or cancelled. The fields disappear. */
  const end = (at: Extract<Step, { at: 'shown' | 'done' }>) => {
    setStep(at)
    focusSoon(changeButton)
  }
  const cancel = () => end({ at: 'shown' })

  return (
    <Section title={t('security.email.title')}>
      {isError && <RetryBanner query={{ refetch }}>{t('security.email.failed')}</RetryBanner>}
      {!isError && email === undefined && <Skeleton className="h-6 w-2/3" />}
      {email !== undefined && <p className="break-words text-muted">{t('security.email.now', { email })}</p>}
      {step.at === 'done' && (
        <BriefSuccess onEnd={() => setStep({ at: 'shown' })}>
          {t('security.email.done', { email: step.email })}
        </BriefSuccess>
      )}
      {(step.at === 'shown' || step.at === 'done') && (
        <Button ref={changeButton} tone="quiet" className="self-start" onClick={() => setStep({ at: 'typing' })}>
          {t('security.email.change')}
        </Button>
      )}
      {step.at === 'typing' && (
        <NewEmail onSent={(sentTo) => setStep({ at: 'proving', email: sentTo })} onCancel={cancel} />
      )}
      {step.at === 'proving' && (
        <Proof email={step.email} onProven={() => end({ at: 'done', email: step.email })} onCancel={cancel} />
      )}
    </Section>
  )
}

function NewEmail({ onSent, onCancel }: { onSent: (email: string) => void; onCancel: () => void }) {
  const { t } = useTranslation('auth')
  const [email, setEmail] = useState('')
  const [fault, setFault] = useState<string>()
  const begin = useAccountChange(beginEmailChange)

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = email.trim()
        setFault(isEmail(typed) ? undefined : t('validation.email'))
        if (!isEmail(typed) || begin.isPending) return
        begin.mutate(typed, {
          onSuccess: (outcome) => (outcome === 'code-sent' ? onSent(typed) : setFault(t('security.email.same'))),
        })
      }}
    >
      <TextField
        label={t('security.email.field')}
        name="email"
        type="email"
        autoComplete="email"
        required
        value={email}
        error={fault}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field replaces the button that was pressed
        autoFocus
        onChange={({ target }) => setEmail(target.value)}
      />
      <ChangeFailure error={begin.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone="primary" busy={begin.isPending}>
          {t('security.email.send')}
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          {t('security.cancel')}
        </Button>
      </div>
    </form>
  )
}

type ProofProps = { email: string; onProven: () => void; onCancel: () => void }

function Proof({ email, onProven, onCancel }: ProofProps) {
  const { t } = useTranslation('auth')
  const [code, setCode] = useState('')
  const finish = useAccountChange(finishEmailChange)
  const resend = useAccountChange(resendEmailCode)
  const field = useRef<HTMLInputElement>(null)
  const sendAgain = () => {
    finish.reset()
    resend.mutate(undefined, {
      onSuccess: () => {
        setCode('')
        focusSoon(field)
      },
    })
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (finish.isPending) return
        if (resend.isError) resend.reset()
        finish.mutate(withoutSpaces(code), { onSuccess: onProven })
      }}
    >
      <Banner tone="success">{t(resend.isSuccess ? 'security.email.resent' : 'security.email.sent', { email })}</Banner>
      <CodeField
        ref={field}
        name="code"
        value={code}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step before it had the focus
        autoFocus
        onChange={({ target }) => setCode(target.value)}
      />
      <ChangeFailure error={finish.error ?? resend.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" tone="primary" busy={finish.isPending} disabled={code.trim() === ''}>
          {t('security.email.confirm')}
        </Button>
        <Button tone="quiet" busy={resend.isPending} onClick={sendAgain}>
          {t('security.email.resend')}
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          {t('security.cancel')}
        </Button>
      </div>
    </form>
  )
}
