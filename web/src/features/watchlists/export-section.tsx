import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/texts.ts'

import { Banner } from '#web/ui/banner.tsx'
import { classes } from '#web/ui/classes.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const ExportFormats = lazyPart({
  load: async () => (await import('./export-formats.tsx')).ExportFormats,
  Failed: NotLoaded,
})

/** The formats of an export, folded behind a button. */
export function ExportSection({ watchlist }: { watchlist: Watchlist }) {
  const { t } = useTranslation('watchlist')
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-4">
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          onPointerEnter={ExportFormats.preload}
          onFocus={ExportFormats.preload}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 w-full items-center gap-2 rounded-control text-start text-sm font-semibold text-muted pointer-coarse:min-h-11"
        >
          <span className="flex-1">{t('export.button')}</span>
          <ChevronDown aria-hidden className={classes('size-5 transition-transform', isOpen && 'rotate-180')} />
        </button>
      </h2>
      {isOpen && <ExportFormats watchlist={watchlist} />}
    </section>
  )
}

/** Folding and unfolding tries again. */
function NotLoaded() {
  const { t } = useTranslation()
  return <Banner tone="error">{t('errors.network')}</Banner>
}
