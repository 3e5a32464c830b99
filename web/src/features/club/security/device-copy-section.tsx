import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { changeKeeping } from '#web/offline/change-device-copy.ts'
import { keepsOnDevice } from '#web/offline/device-copy.ts'
import { Switch } from '#web/ui/switch.tsx'

import { Section } from './section.tsx'

/** Whether this device keeps what the user sees. */
export function KeepingSection() {
  const { t } = useTranslation('auth')
  const [isOn, setOn] = useState(keepsOnDevice)
  const change = (next: boolean) => {
    setOn(next)
    void changeKeeping(next)
  }
  return (
    <Section title={t('security.keeping.title')}>
      <Switch
        label={t('security.keeping.label')}
        hint={t('security.keeping.hint')}
        name="keep"
        isOn={isOn}
        onChange={change}
      />
    </Section>
  )
}
