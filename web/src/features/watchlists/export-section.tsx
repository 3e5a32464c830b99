import { EXPORT_FORMATS, type ExportFormat } from '@marquee/contract/entities/export'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ChevronDown, Download } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { useExportWatchlist } from './mutations.ts'
import { WatchlistError } from './watchlist-states.tsx'

/** Downloads the watchlist as a file. The formats are folded behind a button. */
export function ExportSection({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('watchlist')
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  const { mutate, isPending, variables, isSuccess, error } = useExportWatchlist(watchlist.id)
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-4">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 w-full items-center gap-2 rounded-control text-start text-sm font-semibold text-muted pointer-coarse:min-h-11"
        >
          <span className="flex-1">{t('export.button')}</span>
          <ChevronDown aria-hidden className={classes('size-5 transition-transform', isOpen && 'rotate-180')} />
        </button>
      </h2>
      {isOpen && (
        <div id={listId} className="flex flex-col gap-3">
          {EXPORT_FORMATS.map((format) => (
            <div key={format} className="flex flex-col gap-1">
              <Button
                tone="quiet"
                size="small"
                icon={<Download aria-hidden />}
                className="self-start"
                aria-describedby={`${listId}-${format}`}
                busy={isPending && variables === format}
                disabled={isPending}
                onClick={() => mutate(format, { onSuccess: (file) => save(file, nameOf(watchlist, format)) })}
              >
                {t(`export.${format}`)}
              </Button>
              <p id={`${listId}-${format}`} className="text-sm text-muted">
                {t(`export.${format}Hint`)}
              </p>
            </div>
          ))}
          <p className="text-sm text-muted">{t('export.box')}</p>
          <output className="text-sm">{isPending && t('export.working')}</output>
          {isSuccess && <Banner tone="success">{t('export.done')}</Banner>}
          {error !== null && (
            <Banner tone="error">
              <WatchlistError what={t('export.failed')} action="load" error={error} />
            </Banner>
          )}
        </div>
      )}
    </section>
  )
}

/** Browsers replace what a file name may not contain. */
function nameOf({ name }: Watchlist, format: ExportFormat): string {
  return { json: `${name}.json`, csv: `${name}.csv`, letterboxd: `${name} for Letterboxd.csv` }[format]
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
