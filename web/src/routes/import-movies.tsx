import '#web/i18n/import-texts.ts'
import { Navigate, useParams } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { ImportSteps } from '#web/features/movies/imports/import-steps.tsx'
import { to } from '#web/paths.ts'

import { BackLink } from './back-link.tsx'
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
          <BackLink to={to.watchlist(watchlistId)}>{t('import.back')}</BackLink>
          <h1 className="text-3xl sm:text-4xl">{t('import.title')}</h1>
        </header>
        <ImportSteps key={watchlistId} watchlistId={watchlistId} />
      </div>
    </Screen>
  )
}
