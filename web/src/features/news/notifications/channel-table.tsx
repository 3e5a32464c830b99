import {
  NOTIFICATION_GROUPS,
  type NotificationGroup,
  type NotificationSettings,
} from '@marquee/contract/entities/notification-settings'
import { useId } from 'react'

import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Checkbox, useClicked } from '#web/ui/checkbox.tsx'
import { selectStyle } from '#web/ui/select-field.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'

import type { SettingsChange } from './settings-queries.ts'

type Channels = NotificationSettings['groups'][NotificationGroup]
type ChannelTableProps = { settings: NotificationSettings; onChange: (change: SettingsChange) => void }
type RowProps = { group: NotificationGroup; channels: Channels; onChange: ChannelTableProps['onChange'] }

const MAIL_CHOICES = ['off', 'at-once', 'daily'] as const
/** The channels that are on or off. */
const SWITCHED = ['inApp', 'push'] as const

/** Where the notifications of each group go: a table, or on a phone one block for each group. */
export function ChannelTable({ settings, onChange }: ChannelTableProps) {
  const { t } = useTranslation('watchlist')
  const isPhone = useIsPhone()
  // Movies arrive only where they can be asked for.
  const groups = NOTIFICATION_GROUPS.filter((group) => group !== 'arrivals' || features().mediaServers === true)
  const rows = groups.map((group) => ({ group, channels: settings.groups[group], onChange }))
  if (isPhone) {
    return (
      <div className="flex flex-col divide-y divide-line">
        {rows.map((row) => (
          <PhoneRow key={row.group} {...row} />
        ))}
      </div>
    )
  }
  return (
    <table className="w-full text-start">
      <thead>
        <tr className="border-b border-line text-sm text-muted">
          <th scope="col" className="py-2 text-start font-semibold">
            {t('notificationSettings.what')}
          </th>
          {SWITCHED.map((channel) => (
            <th key={channel} scope="col" className="px-2 py-2 font-semibold whitespace-nowrap">
              {t(`notificationSettings.${channel}`)}
            </th>
          ))}
          <th scope="col" className="w-44 py-2 text-start font-semibold">
            {t('notificationSettings.mail')}
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <TableRow key={row.group} {...row} />
        ))}
      </tbody>
    </table>
  )
}

function TableRow({ group, channels, onChange }: RowProps) {
  const { t } = useTranslation('watchlist')
  const name = t(`notificationSettings.groups.${group}`)
  return (
    <tr>
      <th scope="row" className="py-2 pe-3 text-start font-medium wrap-anywhere">
        {name}
      </th>
      {SWITCHED.map((channel) => (
        <td key={channel} className="text-center">
          <TableBox
            label={`${name}: ${t(`notificationSettings.${channel}`)}`}
            name={`${group}-${channel}`}
            isOn={channels[channel]}
            onChange={(isOn) => onChange({ groups: { [group]: { [channel]: isOn } } })}
          />
        </td>
      ))}
      <td className="py-1.5">
        <MailChoice group={group} mail={channels.mail} onChange={onChange} />
      </td>
    </tr>
  )
}

type BoxProps = { label: string; name: string; isOn: boolean; onChange: (isOn: boolean) => void }

/** A checkbox whose label is in the headings of the table. */
function TableBox({ label, name, isOn, onChange }: BoxProps) {
  const [shown, setShown] = useClicked(isOn)
  return (
    <label className="inline-flex size-9 items-center justify-center pointer-coarse:size-11">
      <input
        type="checkbox"
        aria-label={label}
        name={name}
        checked={shown}
        onChange={({ target }) => {
          setShown(target.checked)
          onChange(target.checked)
        }}
        className="size-5 accent-accent"
      />
    </label>
  )
}

function PhoneBox({ isOn, onChange, ...box }: BoxProps) {
  const [shown, setShown] = useClicked(isOn)
  return (
    <Checkbox
      {...box}
      checked={shown}
      onChange={({ target }) => {
        setShown(target.checked)
        onChange(target.checked)
      }}
    />
  )
}

function PhoneRow({ group, channels, onChange }: RowProps) {
  const { t } = useTranslation('watchlist')
  const id = useId()
  return (
    <fieldset aria-labelledby={id} className="grid grid-cols-2 items-center gap-x-3 gap-y-1 py-3">
      <p id={id} className="col-span-2 font-medium wrap-anywhere">
        {t(`notificationSettings.groups.${group}`)}
      </p>
      {SWITCHED.map((channel) => (
        <PhoneBox
          key={channel}
          label={t(`notificationSettings.${channel}`)}
          name={`${group}-${channel}`}
          isOn={channels[channel]}
          onChange={(isOn) => onChange({ groups: { [group]: { [channel]: isOn } } })}
        />
      ))}
      <div className="col-span-2 grid grid-cols-subgrid items-center">
        <span aria-hidden className="font-medium">
          {t('notificationSettings.mail')}
        </span>
        <MailChoice group={group} mail={channels.mail} onChange={onChange} />
      </div>
    </fieldset>
  )
}

function MailChoice({ group, mail, onChange }: Omit<RowProps, 'channels'> & Pick<Channels, 'mail'>) {
  const { t } = useTranslation('watchlist')
  const [chosen, setChosen] = useClicked<string>(mail)
  if (group === 'invitations')
    return <span className="text-sm text-muted">{t('notificationSettings.alwaysMailed')}</span>
  return (
    <select
      aria-label={`${t(`notificationSettings.groups.${group}`)}: ${t('notificationSettings.mail')}`}
      name={`${group}-mail`}
      value={chosen}
      onChange={({ target }) => {
        const choice = MAIL_CHOICES.find((one) => one === target.value)
        if (choice === undefined) return
        setChosen(choice)
        onChange({ groups: { [group]: { mail: choice } } })
      }}
      className={selectStyle}
    >
      {MAIL_CHOICES.map((choice) => (
        <option key={choice} value={choice}>
          {t(`notificationSettings.mails.${choice}`)}
        </option>
      ))}
    </select>
  )
}
