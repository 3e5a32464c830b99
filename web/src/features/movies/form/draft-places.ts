// The places of drafts (session/drafts.ts). They are apart from the drafts, because the first screen needs only them.

/** The place of the draft of a new movie for a watchlist. */
export function movieDraftPlace(watchlistId: string): string {
  return `movie.${watchlistId}`
}

/** The place of what is in the search for a new movie. */
export function searchDraftPlace(watchlistId: string): string {
  return `movie-search.${watchlistId}`
}

/** The place where it is kept that the user has closed the form, so that a draft does not open it. */
export function closedFormPlace(watchlistId: string): string {
  return `movie-closed.${watchlistId}`
}

/** The place of the draft of an edited card. */
export function cardDraftPlace(cardId: string): string {
  return `card.${cardId}`
}
