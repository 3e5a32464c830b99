import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from 'react-router'

import { currentWatchlist } from '#web/features/club/watchlists/queries.ts'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'

import { useHasLeft } from './use-has-left.ts'

/** `/`: redirects to the current watchlist, or to all of them if there is none. */
export function Component() {
  const { data: currentId, isPending } = useQuery(currentWatchlist())
  const hasLeft = useHasLeft()
  // The layout shows what the screen before this one has done.
  const { state } = useLocation() as { state: unknown }
  if (isPending || hasLeft()) return <Waiting />
  return (
    <Navigate replace state={state} to={typeof currentId === 'string' ? to.watchlist(currentId) : to.watchlists()} />
  )
}
