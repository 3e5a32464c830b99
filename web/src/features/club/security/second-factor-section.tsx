import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'

import { setMailCodes, turnAppOff, beginAppSetup, finishAppSetup } from '#web/account/account-security.ts'
import { useIdentityMessage } from '#web/account/failures.ts'
import { AppSecret } from '#web/account/app-secret.tsx'
import { CodeField, withoutSpaces } from '#web/account/code-field.tsx'
import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner, RetryBanner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyText } from '#web/ui/copy-text.tsx'
import { ShortForm } from '#web/ui/short-form.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { useAccountChange, useMakeRecoveryCodes } from './mutations.ts'
import { secondFactors, recoveryCodesLeft } from './queries.ts'
import { ChangeFailure, ConfirmedChange, Section, useFocusLeftBehind } from './section.tsx'

/** The second factors: codes of an app, and codes by mail. */
export function SecondFactorSection({ username }: { username: string }) {
  const { t } = useTranslation('auth')
  const { data: factors, isError, refetch } = useQuery(secondFactors)
  const { isOpen: isSettingUp, open: setUp, close, ref } = useOpener()
  const [wasTurnedOn, setTurnedOn] = useState(false)

  if (isError) {
    return (
      <div>
        <RetryBanner query={{ refetch }}>{t('security.failed')}</RetryBanner>
      </div>
    )
  }
  if (factors === undefined) return <Skeleton className="h-64" />
  return (
    <>
      <Section title={t('security.app.title')}>
        <p className="text-muted">{t(factors.app ? 'security.app.on' : 'security.app.off')}</p>
        {factors.app && (
          <ConfirmedChange
            className="self-start"
            label={t('security.app.turnOff')}
            question={t('security.app.turnOffTitle')}
            lost={t('security.app.turnOffText')}
            change={turnAppOff}
          />
        )}
        {!factors.app && !isSettingUp && (
          <Button ref={ref} tone="quiet" className="self-start" onClick={setUp}>
            {t('security.app.setUp')}
          </Button>
        )}
        {!factors.app && isSettingUp && (
          <AppSetup username={username} onTurnedOn={() => setTurnedOn(true)} onClosed={close} />
        )}
      </Section>
      {factors.app && features().accountService && <RecoveryCodes isOffered={wasTurnedOn} />}
      {features().accountService && <MailCodes isOn={factors.mail} />}
    </>
  )
}

function MailCodes({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('auth')
  const mail = useAccountChange(setMailCodes)
  return (
    <Section title={t('security.mail.title')}>
      <Switch
        label={t('security.mail.title')}
        hint={t('security.mail.hint')}
        name="mailCodes"
        isOn={mail.isPending ? mail.variables : isOn}
        isBusy={mail.isPending}
        onChange={(wanted) => mail.mutate(wanted)}
      />
      <ChangeFailure error={mail.error} />
    </Section>
  )
}

type AppSetupProps = { username: string; onTurnedOn: () => void; onClosed: () => void }

/** Shows the secret as a QR code and as text. The first code turns the app on. */
export function AppSetup({ username, onTurnedOn, onClosed }: AppSetupProps) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const messageOf = useIdentityMessage()
  const product = common('productName')
  // Each set-up gets a new secret, which replaces the one before. A set-up that begins must not show the one before.
  const setupId = useId()
  const setup = useQuery({
    queryKey: ['app-setup', setupId],
    queryFn: async () => beginAppSetup(product, username),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: 'always',
  })
  const [code, setCode] = useState('')
  const leaveFocus = useFocusLeftBehind()
  const turnOn = useAccountChange(async (typed: string) => {
    await finishAppSetup(typed)
    leaveFocus()
    onTurnedOn()
  })

  if (setup.isError)
    return <RetryBanner query={{ refetch: setup.refetch }}>{messageOf(setup.error, 'errors.security')}</RetryBanner>
  if (setup.data === undefined) return <Skeleton className="h-80" />
  const { secret, uri } = setup.data
  return (
    <ShortForm
      noValidate
      submitLabel={t('security.app.confirm')}
      cancelLabel={t('security.cancel')}
      isBusy={turnOn.isPending}
      isComplete={code.trim() !== ''}
      onSubmit={() => turnOn.mutate(withoutSpaces(code))}
      onCancel={onClosed}
    >
      {/* The button that opened the form is gone. Focus in the field would open a keyboard over the QR code. */}
      <p ref={takeFocus} tabIndex={-1} className="focus:outline-none">
        {t('security.app.scan')}
      </p>
      <AppSecret secret={secret} uri={uri} />
      <CodeField name="code" value={code} onChange={({ target }) => setCode(target.value)} />
      <ChangeFailure error={turnOn.error} />
    </ShortForm>
  )
}

function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}

type RecoveryCodesProps = {
  /** The app was just turned on. */
  isOffered: boolean
}

/** The recovery codes: how many are left, and new ones, shown once. */
function RecoveryCodes({ isOffered }: RecoveryCodesProps) {
  const { t } = useTranslation('auth')
  const { data: left, refetch } = useQuery(recoveryCodesLeft)
  const [isAsking, setAsking] = useState(false)
  const make = useMakeRecoveryCodes()
  const makeNow = () => make.mutate(undefined, { onSuccess: () => setAsking(false) })
  const makeOrAsk = async () => {
    // A quick press comes before the number. A user without codes loses none.
    const known = left ?? (await refetch({ cancelRefetch: false })).data
    if (known === 0) makeNow()
    else setAsking(true)
  }

  return (
    <Section title={t('security.recovery.title')}>
      <p className="text-muted">
        {t('security.recovery.description')} {left !== undefined && t('security.recovery.left', { count: left })}
      </p>
      {isOffered && make.data === undefined && <Banner tone="success">{t('security.recovery.offer')}</Banner>}
      {make.data !== undefined && <FreshCodes codes={make.data} />}
      {make.isError && !isAsking && <Banner tone="error">{t('security.recovery.failed')}</Banner>}
      <Button
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form that turned the app on is gone
        autoFocus={isOffered}
        tone={left === 0 ? 'primary' : 'quiet'}
        className="self-start"
        busy={make.isPending && !isAsking}
        onClick={() => void makeOrAsk()}
      >
        {t('security.recovery.make')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('security.recovery.makeTitle')}
        description={t('security.recovery.makeText')}
        confirmLabel={t('security.recovery.make')}
        cancelLabel={t('security.cancel')}
        action={make}
        failure={() => t('security.recovery.failed')}
        onConfirm={makeNow}
        onCancel={() => setAsking(false)}
      />
    </Section>
  )
}

function FreshCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('auth')
  const text = codes.join('\n')
  return (
    <div className="flex flex-col gap-3">
      <Banner tone="success">{t('security.recovery.shown')}</Banner>
      <ol className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control bg-raised p-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <CopyText text={text} label={t('security.recovery.copy')} doneLabel={t('security.recovery.copied')} />
        <a
          className={buttonStyle('quiet', 'small')}
          download="marquee-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          {t('security.recovery.download')}
        </a>
      </div>
    </div>
  )
}
