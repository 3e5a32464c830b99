import type { Watchlist } from '@marquee/contract/entities/watchlist'

import { useTranslation } from '#web/i18n/texts.ts'
import { PartFailed } from '#web/ui/banner.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const ExportFormats = lazyPart({
  load: async () => (await import('./export-formats.tsx')).ExportFormats,
  Failed: PartFailed,
})

/** The formats of an export, folded behind a button. */
export function ExportSection({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('watchlist')
  return (
    <Fold title={t('export.button')} onPrepare={ExportFormats.preload}>
      <ExportFormats watchlist={watchlist} />
    </Fold>
  )
}
