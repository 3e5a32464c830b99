import { MAX_CATALOGUE_QUERY_LENGTH } from '@marquee/contract/limits'
import { linkIn } from '@marquee/contract/rules/link'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearchParams } from 'react-router'

import { currentWatchlist } from '#web/features/club/watchlists/queries.ts'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'

import { useHasLeft } from './use-has-left.ts'

/** Apps put a link into any of the fields, often behind other words. */
function sharedText(search: URLSearchParams): string {
  const texts = ['url', 'text', 'title'].map((name) => search.get(name)?.trim() ?? '').filter((text) => text !== '')
  return linkIn(texts.join(' ')) ?? texts[0]?.slice(0, MAX_CATALOGUE_QUERY_LENGTH) ?? ''
}

/** `/share`: what another app shares goes into the form for a new movie of the current watchlist. */
export function Component() {
  const [search] = useSearchParams()
  const { data: currentId, isPending } = useQuery(currentWatchlist())
  const hasLeft = useHasLeft()
  if (isPending || hasLeft()) return <Waiting />
  if (typeof currentId !== 'string') return <Navigate replace to={to.watchlists()} />
  return <Navigate replace to={to.watchlist(currentId)} state={{ shared: sharedText(search) }} />
}
