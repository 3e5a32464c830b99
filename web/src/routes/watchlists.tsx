import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { WaitingInvitations } from '#web/features/club/invitations/received-list.tsx'
import { useAddJoined } from '#web/features/club/watchlists/creation-mutations.ts'
import { watchlistList } from '#web/features/club/watchlists/queries.ts'
import { WatchlistList } from '#web/features/club/watchlists/watchlist-list.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'

import { Screen } from './screen.tsx'
import { useHasLeft } from './use-has-left.ts'

/** `/watchlists`: all watchlists of the user. Without any, the next step may be an invitation. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const navigate = useNavigate()
  const hasLeft = useHasLeft()
  const addJoined = useAddJoined()
  const { data: watchlists } = useQuery(watchlistList())
  return (
    <Screen title={t('list.title')}>
      <header className="mb-6">
        <h1 className="text-3xl sm:text-4xl">{t('list.title')}</h1>
        <p className="mt-2 text-muted">{t('list.description')}</p>
      </header>
      {watchlists?.length === 0 && (
        <WaitingInvitations
          onJoined={(watchlist) => {
            addJoined(watchlist)
            if (!hasLeft()) void navigate(to.watchlist(watchlist.id))
          }}
        />
      )}
      <WatchlistList onCreated={({ id }) => void navigate(to.watchlist(id))} />
    </Screen>
  )
}
