import type { NotificationSettings } from '@marquee/contract/entities/notification-settings'
import { useId, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { ownTimeZone, timeZones } from '#web/i18n/time-zones.ts'
import { Field, inputStyle } from '#web/ui/field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Switch } from '#web/ui/switch.tsx'

import type { SettingsChange } from './settings-queries.ts'

const AT_NIGHT = { from: '22:00', until: '08:00' }

type QuietHoursProps = {
  settings: Pick<NotificationSettings, 'quietHours' | 'timeZone'>
  onChange: (change: SettingsChange) => void
}

/** The quiet hours of the user and their time zone. Until one is saved, it is the browser's. */
export function QuietHours({ settings: { quietHours, timeZone }, onChange }: QuietHoursProps) {
  const { t } = useTranslation('watchlist')
  const zone = timeZone ?? ownTimeZone()
  return (
    <div className="flex flex-col gap-4">
      <Switch
        name="quiet-hours"
        label={t('notificationSettings.quiet')}
        hint={t('notificationSettings.quietHint')}
        isOn={quietHours !== null}
        onChange={(isOn) => onChange({ quietHours: isOn ? AT_NIGHT : null })}
      />
      {quietHours !== null && (
        <div className="grid gap-4 sm:grid-cols-2">
          {(['from', 'until'] as const).map((end) => (
            <TimeField
              // Another value from the server replaces what is shown.
              key={`${end} ${quietHours[end]}`}
              label={t(`notificationSettings.${end}`)}
              value={quietHours[end]}
              other={end === 'from' ? quietHours.until : quietHours.from}
              onChange={(time) => onChange({ quietHours: { ...quietHours, [end]: time } })}
            />
          ))}
        </div>
      )}
      <SelectField
        label={t('notificationSettings.timeZone')}
        name="time-zone"
        value={zone}
        onChange={(chosen) => onChange({ timeZone: chosen })}
      >
        {timeZones(zone).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
    </div>
  )
}

type TimeFieldProps = { label: string; value: string; other: string; onChange: (time: string) => void }

/** Saves a complete time when the user leaves the field. */
function TimeField({ label, value, other, onChange }: TimeFieldProps) {
  const { t } = useTranslation('watchlist')
  const id = useId()
  const [time, setTime] = useState(value)
  const error = time === other ? t('notificationSettings.sameTime') : undefined
  return (
    <Field id={id} label={label} error={error}>
      <input
        id={id}
        type="time"
        required
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        value={time}
        onChange={({ target }) => setTime(target.value)}
        onBlur={() => {
          if (time === '') setTime(value)
          else if (time !== value && error === undefined) onChange(time)
        }}
        className={inputStyle}
      />
    </Field>
  )
}
