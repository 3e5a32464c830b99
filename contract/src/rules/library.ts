/** In which order the library shows cards. Movies without a year or length come last. */
export const LIBRARY_SORTS = ['changed', 'title', 'year', 'runtime'] as const
export type LibrarySort = (typeof LIBRARY_SORTS)[number]

/** The statuses of the cards in the library: all but those in the box. */
export const LIBRARY_STATUSES = ['REVEALED', 'WATCHED', 'REJECTED'] as const
