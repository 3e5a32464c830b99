// Two layouts that nearly every screen needs, and what comes before them, in one file.
export { fillFirstScreen } from './first-screen.ts'
export { Component as SignedInLayout } from './signed-in-layout.tsx'
export { Component as WatchlistLayout } from './watchlist-layout.tsx'
