import { useQuery } from '@tanstack/react-query'
import { CalendarSync } from 'lucide-react'
import { useId } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { dayText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyText } from '#web/ui/copy-text.tsx'
import { inputStyle } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { calendarSince, useCalendar } from './queries.ts'

/** The secret address of the user's calendar. The server does not know it, so it is shown once. */
export function CalendarSection({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  const query = useQuery(calendarSince(watchlistId))
  const { data: since } = query
  const calendar = useCalendar(watchlistId)
  const url = calendar.data
  return (
    <Panel aria-labelledby={titleId} className="flex flex-col gap-3">
      <h2 id={titleId} className="text-xl">
        {t('night.calendar.title')}
      </h2>
      <p className="text-sm text-muted">{t('night.calendar.hint')}</p>
      {url !== undefined && (
        <div className="flex flex-col gap-2">
          <input aria-label={t('night.calendar.address')} readOnly value={url} className={inputStyle} />
          <p className="text-sm text-muted">{t('night.calendar.once')}</p>
          <div>
            <CopyText text={url} label={t('night.calendar.copy')} doneLabel={t('night.calendar.copied')} />
          </div>
        </div>
      )}
      {url === undefined && typeof since === 'string' && (
        <p className="text-sm text-muted">{t('night.calendar.since', { day: dayText(since) })}</p>
      )}
      <CallFailureBanner what={t('night.stepFailed')} error={calendar.error} />
      {since === undefined && !query.isError && <Skeleton className="h-11 w-56" />}
      {since === undefined && query.isError && <RetryBanner query={query}>{t('night.calendar.failed')}</RetryBanner>}
      {since !== undefined && (
        <div className="flex flex-wrap gap-3">
          {url === undefined && (
            <Button
              tone="quiet"
              icon={<CalendarSync aria-hidden />}
              busy={calendar.isPending && calendar.variables === 'make'}
              onClick={() => calendar.mutate('make')}
            >
              {t(since === null ? 'night.calendar.make' : 'night.calendar.remake')}
            </Button>
          )}
          {since !== null && (
            <Button
              tone="quiet"
              busy={calendar.isPending && calendar.variables === 'stop'}
              onClick={() => calendar.mutate('stop')}
            >
              {t('night.calendar.stop')}
            </Button>
          )}
        </div>
      )}
    </Panel>
  )
}
