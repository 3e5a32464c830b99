// Two screens with the same form, in one file.
export { Component as CreateWatchlist } from './create-watchlist.tsx'
export { Component as Watchlists } from './watchlists.tsx'
