import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { setMailCodes, turnAppOff } from '#web/session/account-security.ts'
import { features } from '#web/session/features.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus-soon.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'

import { AppSetup } from './app-setup.tsx'
import { ChangeFailure } from './change-failure.tsx'
import { ConfirmedChange } from './confirmed-change.tsx'
import { LoadFailure } from './load-failure.tsx'
import { useAccountChange } from './mutations.ts'
import { secondFactors } from './queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { Section } from './section.tsx'

/** What is asked for after the password: the code of an app, or one by mail. */
export function SecondFactorSection({ username }: { username: string }) {
  const { t } = useTranslation('auth')
  const { data: factors, isError, refetch } = useQuery(secondFactors)
  const [isSettingUp, setSettingUp] = useState(false)
  const [wasTurnedOn, setTurnedOn] = useState(false)

  const setUpButton = useRef<HTMLButtonElement>(null)
  const closeSetUp = () => {
    setSettingUp(false)
    focusSoon(setUpButton)
  }

  if (isError) {
    return <LoadFailure text={t('security.failed')} onRetry={refetch} />
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
          <Button ref={setUpButton} tone="primary" className="self-start" onClick={() => setSettingUp(true)}>
            {t('security.app.setUp')}
          </Button>
        )}
        {!factors.app && isSettingUp && (
          <AppSetup username={username} onTurnedOn={() => setTurnedOn(true)} onClosed={closeSetUp} />
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
