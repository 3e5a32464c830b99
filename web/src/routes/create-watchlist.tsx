import { ArrowLeft } from 'lucide-react'
import { Link, useNavigate } from 'react-router'

import { CreateWatchlistForm } from '#web/features/watchlists/create-watchlist-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

import { Screen } from './screen.tsx'

/** `/watchlists/create`: creates a watchlist and opens it. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const navigate = useNavigate()
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
      <Panel>
        <CreateWatchlistForm onCreated={({ id }) => void navigate(to.watchlist(id))} />
      </Panel>
    </Screen>
  )
}
