import type { NotificationSettings } from '@marquee/contract/entities/notification-settings'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { ownTimeZone } from '#web/i18n/time-zones.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { ChannelTable } from './channel-table.tsx'
import { QuietHours } from './quiet-hours.tsx'
import { notificationSettings, type SettingsChange, useChangeSettings } from './settings-queries.ts'

type SettingsFormProps = {
  /** The watchlists of the user. */
  watchlists: readonly Pick<Watchlist, 'id' | 'name'>[]
}

/** The notification settings of the user. Each change is saved at once. */
export function SettingsForm({ watchlists }: SettingsFormProps) {
  const { t } = useTranslation('watchlist')
  const ids = useId()
  const query = useQuery(notificationSettings())
  const { data } = query
  const change = useChangeSettings()
  if (data === undefined) {
    return (
      <Unread query={query} loading={t('notificationSettings.loading')} failed={t('notificationSettings.loadFailed')} />
    )
  }
  // The screen shows the browser's time zone until one is saved, so the first change saves it, too.
  const ownZone = data.timeZone === null ? { timeZone: ownTimeZone() } : {}
  const save = (changed: SettingsChange) => change.mutate({ ...ownZone, ...changed })
  return (
    <div className="flex flex-col gap-6">
      <CallFailureBanner what={t('notificationSettings.saveFailed')} error={change.error} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel aria-labelledby={`${ids}-channels`}>
          <h2 id={`${ids}-channels`} className="text-xl">
            {t('notificationSettings.channels')}
          </h2>
          <p className="mb-2 text-sm text-muted">{t('notificationSettings.channelsHint')}</p>
          <ChannelTable settings={data} onChange={save} />
        </Panel>
        <div className="flex min-w-0 flex-col gap-6">
          <Panel aria-labelledby={`${ids}-times`}>
            <h2 id={`${ids}-times`} className="mb-2 text-xl">
              {t('notificationSettings.times')}
            </h2>
            <QuietHours settings={data} onChange={save} />
          </Panel>
          {watchlists.length > 0 && <MutedWatchlists watchlists={watchlists} settings={data} onChange={save} />}
        </div>
      </div>
      <output className="text-sm text-muted">
        {change.isPending && t('notificationSettings.saving')}
        {change.isSuccess && t('notificationSettings.saved')}
      </output>
    </div>
  )
}

type MutedWatchlistsProps = SettingsFormProps & {
  settings: Pick<NotificationSettings, 'mutedWatchlistIds'>
  onChange: (change: SettingsChange) => void
}

function MutedWatchlists({ watchlists, settings, onChange }: MutedWatchlistsProps) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  return (
    <Panel aria-labelledby={headingId}>
      <h2 id={headingId} className="text-xl">
        {t('notificationSettings.muted')}
      </h2>
      <p className="mb-3 text-sm text-muted">{t('notificationSettings.mutedHint')}</p>
      <div className="flex flex-col divide-y divide-line">
        {watchlists.map(({ id, name }) => (
          <Switch
            key={id}
            name={`muted-${id}`}
            label={name}
            isOn={settings.mutedWatchlistIds.includes(id)}
            onChange={(isMuted) => onChange({ watchlist: { watchlistId: id, isMuted } })}
          />
        ))}
      </div>
    </Panel>
  )
}
