// Two layouts that nearly every screen needs, in one file.
export { Component as SignedInLayout } from './signed-in-layout.tsx'
export { Component as WatchlistLayout } from './watchlist-layout.tsx'
