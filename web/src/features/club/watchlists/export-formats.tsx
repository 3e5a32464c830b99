import { EXPORT_FORMATS, type ExportFormat } from '@marquee/contract/entities/export'
import { EXPORT_ENDPOINTS } from '@marquee/contract/endpoints/exports'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId } from 'react'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { call } from '#web/api/call.ts'
import { BriefSuccess } from '#web/ui/brief-success.tsx'
import { Button } from '#web/ui/button.tsx'
import { saveFile } from '#web/ui/save-file.ts'

import { watchlistFailure } from './watchlist-states.tsx'

/** A button for each format that the watchlist can be downloaded in. */
export function ExportFormats({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('watchlist')
  const id = useId()
  const { mutate, isPending, variables, isSuccess, error, reset } = useMutation({
    mutationFn: async (format: ExportFormat) =>
      call(EXPORT_ENDPOINTS.exportWatchlist, { params: { watchlistId: watchlist.id }, query: { format } }),
    onSuccess: (file, format) => saveFile(file, nameOf(watchlist, format)),
  })
  return (
    <div className="flex flex-col gap-3">
      {EXPORT_FORMATS.map((format) => (
        <div key={format} className="flex flex-col gap-1">
          <Button
            tone="quiet"
            size="small"
            icon={<Download aria-hidden />}
            className="self-start"
            aria-describedby={`${id}-${format}`}
            busy={isPending && variables === format}
            disabled={isPending}
            onClick={() => mutate(format)}
          >
            {t(`export.${format}`)}
          </Button>
          <p id={`${id}-${format}`} className="text-sm text-muted">
            {t(`export.${format}Hint`)}
          </p>
        </div>
      ))}
      <p className="text-sm text-muted">{t('export.box')}</p>
      <output className="text-sm">{isPending && t('export.working')}</output>
      {isSuccess && <BriefSuccess onEnd={reset}>{t('export.done')}</BriefSuccess>}
      <CallFailureBanner what={t('export.failed')} kind={watchlistFailure('load', error)} error={error} />
    </div>
  )
}

function nameOf({ name }: Watchlist, format: ExportFormat): string {
  return { json: `${name}.json`, csv: `${name}.csv`, letterboxd: `${name} for Letterboxd.csv` }[format]
}
