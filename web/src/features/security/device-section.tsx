import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { momentText } from '#web/i18n/dates.ts'
import { identityFailure } from '#web/session/identity-failure.ts'
import { type Device, forgetDevice } from '#web/session/account-security.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { readDeviceName } from './device-name.ts'
import { LoadFailure } from './load-failure.tsx'
import { ownDevices, useAccountChange } from './queries.ts'
import { Section } from './section.tsx'

/** The devices that are remembered, each of which can be forgotten. */
export function DeviceSection() {
  const { t } = useTranslation('auth')
  const { data: devices, isError, refetch } = useQuery(ownDevices)
  return (
    <Section title={t('security.devices.title')}>
      <p className="text-muted">{t('security.devices.description')}</p>
      {isError && <LoadFailure text={t('security.devices.failed')} onRetry={refetch} />}
      {!isError && devices === undefined && <Skeleton className="h-16" />}
      {devices?.length === 0 && <p className="text-muted">{t('security.devices.none')}</p>}
      {devices !== undefined && devices.length > 0 && (
        <ul aria-label={t('security.devices.listLabel')} className="flex flex-col divide-y divide-line">
          {devices.map((device) => (
            <DeviceRow key={device.deviceId} device={device} />
          ))}
        </ul>
      )}
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
  const [isAsking, setAsking] = useState(false)
  const forget = useAccountChange(async () => forgetDevice(device.deviceId))
  const name = useDeviceName(device)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-semibold">{name}</span>
        {device.signedInAt !== undefined && (
          <span className="text-sm text-muted">
            {t('security.devices.used', { moment: momentText(device.signedInAt) })}
          </span>
        )}
      </div>
      <Button
        tone="quiet"
        size="small"
        aria-label={t('security.devices.forgetNamed', { name })}
        onClick={() => setAsking(true)}
      >
        {t('security.devices.forget')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('security.devices.forgetTitle', { name })}
        description={t('security.devices.forgetText')}
        confirmLabel={t('security.devices.forget')}
        cancelLabel={t('security.cancel')}
        isBusy={forget.isPending}
        failure={forget.isError ? identityFailure(forget.error, t('errors.security')).message : undefined}
        onConfirm={() => forget.mutate()}
        onCancel={() => setAsking(false)}
      />
    </li>
  )
}
