import { useQuery } from '@tanstack/react-query'

import { type Device, forgetDevice } from '#web/account/account-security.ts'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { ownDevices } from './queries.ts'
import { AccountList, AccountRow, ConfirmedChange, Section } from './section.tsx'

/** The remembered devices. */
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
  if (browser !== undefined && system !== undefined) return t('common:program', { browser, system })
  return browser ?? system ?? t('security.devices.unnamed')
}

function DeviceRow({ device }: { device: Device }) {
  const { t } = useTranslation('auth')
  const { deviceId, signedInAt } = device
  const name = useDeviceName(device)
  return (
    <AccountRow
      name={name}
      times={
        signedInAt !== undefined && (
          <RelativeTime iso={signedInAt}>{(moment) => t('security.devices.used', { moment })}</RelativeTime>
        )
      }
    >
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

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\/|\bMicrosoft Edge\//u, 'Edge'],
  [/\b(?:OPR|Opera|Opera GX)\//u, 'Opera'],
  [/\bSamsung ?(?:Browser|Internet)\//u, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//u, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//u, 'Chrome'],
  [/\bSafari\//u, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/u, 'iPhone'],
  [/\biPad\b/u, 'iPad'],
  [/\bAndroid\b/u, 'Android'],
  [/\bCrOS\b|\bChrom(?:e|ium) OS\b/u, 'ChromeOS'],
  [/\bWindows\b/u, 'Windows'],
  [/\b(?:Macintosh|Mac OS X|macOS)\b/u, 'Mac'],
  [/\bLinux\b/u, 'Linux'],
]

/** The browser and the system, without those that are unknown. */
type DeviceName = { browser?: string; system?: string } | { given: string }

/**
 * Shortens the name of a device. Amplify sends all that the browser says about itself (`Windows 15.0.0 x86 Windows
 * Google Chrome/142.0.7444.60;…`, or the user agent). A name that a user chose stays as it is.
 */
export function readDeviceName(text: string | undefined): DeviceName {
  if (text === undefined) return {}
  if (!/\/\d/u.test(text)) return { given: text }
  const browser = nameIn(BROWSERS, text)
  const system = nameIn(SYSTEMS, text)
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) }
}

function nameIn(names: readonly [RegExp, string][], text: string): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1]
}
