import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'

import { currentWatchlist } from '#web/features/club/watchlists/queries.ts'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'

/** `/`: redirects to the current watchlist, or to all of them if there is none. */
export function Component() {
  const { data: currentId, isPending } = useQuery(currentWatchlist())
  if (isPending) return <Waiting />
  return <Navigate replace to={typeof currentId === 'string' ? to.watchlist(currentId) : to.watchlists()} />
}
