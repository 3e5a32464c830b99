import type { Watchlist } from '@marquee/contract/entities/watchlist'

/**
 * Which watchlist is current: the one the server remembers if it still exists, otherwise the first, otherwise none
 * (spec section 4, "Current watchlist").
 */
export function chooseCurrent(watchlists: readonly Watchlist[], storedId: string | null): string | null {
  if (watchlists.some(({ id }) => id === storedId)) return storedId
  return watchlists[0]?.id ?? null
}
