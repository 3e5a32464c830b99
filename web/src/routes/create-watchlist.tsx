import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ArrowLeft } from 'lucide-react'
import { Link, useNavigate } from 'react-router'

import { CreateWatchlistForm } from '#web/features/club/watchlists/create-watchlist-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { PartFailed } from '#web/ui/banner.tsx'
import { buttonStyle } from '#web/ui/button.tsx'
import { Fold } from '#web/ui/fold.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Panel } from '#web/ui/panel.tsx'

import { Screen } from './screen.tsx'

const RestoreFile = lazyPart({
  load: async () => (await import('#web/features/club/watchlists/restore-file.tsx')).RestoreFile,
  Failed: PartFailed,
})

/** `/watchlists/create`: creates a watchlist, or restores one from an export, and opens it. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const navigate = useNavigate()
  const open = ({ id }: Watchlist) => void navigate(to.watchlist(id))
  return (
    <Screen title={t('create.title')}>
      <Link to={to.watchlists()} className={`${buttonStyle('quiet', 'small')} mb-6`}>
        <ArrowLeft aria-hidden className="rtl:-scale-x-100" />
        {t('create.back')}
      </Link>
      <header className="mb-6">
        <h1 className="text-3xl sm:text-4xl">{t('create.title')}</h1>
        <p className="mt-2 text-muted">{t('create.description')}</p>
      </header>
      <Panel className="flex flex-col gap-6">
        <CreateWatchlistForm onCreated={open} />
        <Fold title={t('restore.title')} onPrepare={RestoreFile.preload}>
          <RestoreFile onRestored={open} />
        </Fold>
      </Panel>
    </Screen>
  )
}
