import '#web/i18n/import-texts.ts'
import { ArrowLeft } from 'lucide-react'
import { Link, Navigate, useParams } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { ImportSteps } from '#web/features/imports/import-steps.tsx'
import { to } from '#web/paths.ts'

import { Screen } from './screen.tsx'

/** `/watchlists/{id}/import`: brings movies along from a file. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { watchlistId = '' } = useParams()
  if (watchlistId.trim() === '') return <Navigate replace to={to.watchlists()} />
  return (
    <Screen title={t('import.title')}>
      <div className="flex flex-col gap-6">
        <header className="flex flex-col items-start gap-2">
          <Link
            to={to.watchlist(watchlistId)}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-control text-sm text-muted hover:text-text"
          >
            <ArrowLeft aria-hidden className="size-4 rtl:rotate-180" />
            {t('import.back')}
          </Link>
          <h1 className="text-3xl sm:text-4xl">{t('import.title')}</h1>
        </header>
        <ImportSteps key={watchlistId} watchlistId={watchlistId} />
      </div>
    </Screen>
  )
}
