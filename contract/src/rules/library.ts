/** In which order the library shows cards. Movies without a year, a length or a rating of the caller come last. */
export const LIBRARY_SORTS = ['changed', 'title', 'year', 'runtime', 'rating'] as const
export type LibrarySort = (typeof LIBRARY_SORTS)[number]

/** The statuses of the cards in the library: all but those in the box. */
export const LIBRARY_STATUSES = ['REVEALED', 'WATCHED', 'REJECTED'] as const
