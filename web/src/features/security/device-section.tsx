import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { momentText } from '#web/i18n/dates.ts'
import { type Device, forgetDevice } from '#web/session/account-security.ts'

import { AccountList } from './account-list.tsx'
import { AccountRow } from './account-row.tsx'
import { ConfirmedChange } from './confirmed-change.tsx'
import { readDeviceName } from './device-name.ts'
import { ownDevices } from './queries.ts'
import { Section } from './section.tsx'

/** The devices that are remembered, each of which can be forgotten. */
export function DeviceSection() {
  const { t } = useTranslation('auth')
  return (
    <Section title={t('security.devices.title')}>
      <p className="text-muted">{t('security.devices.description')}</p>
      <AccountList
        query={useQuery(ownDevices)}
        label={t('security.devices.listLabel')}
        none={t('security.devices.none')}
        failed={t('security.devices.failed')}
        row={(device) => <DeviceRow key={device.deviceId} device={device} />}
      />
    </Section>
  )
}

function useDeviceName(device: Device): string {
  const { t } = useTranslation('auth')
  const name = readDeviceName(device.name)
  if ('given' in name) return name.given
  const { browser, system } = name
  if (browser !== undefined && system !== undefined) return t('security.devices.named', { browser, system })
  return browser ?? system ?? t('security.devices.unnamed')
}

function DeviceRow({ device }: { device: Device }) {
  const { t } = useTranslation('auth')
  const { deviceId, signedInAt } = device
  const name = useDeviceName(device)
  const used = signedInAt === undefined ? undefined : t('security.devices.used', { moment: momentText(signedInAt) })
  return (
    <AccountRow name={name} times={used}>
      <ConfirmedChange
        size="small"
        label={t('security.devices.forget')}
        aria-label={t('security.devices.forgetNamed', { name })}
        question={t('security.devices.forgetTitle', { name })}
        lost={t('security.devices.forgetText')}
        change={async () => forgetDevice(deviceId)}
      />
    </AccountRow>
  )
}
