/** The amounts of data. `quick` has the same shapes in small, to test the benchmark itself. */
export const SIZES = {
  whole: {
    watchlists: 1000,
    cards: 1_000_000,
    comments: 3_000_000,
    bigBox: 100_000,
    library: 100_000,
    longTalk: 100_000,
  },
  quick: { watchlists: 100, cards: 60_000, comments: 100_000, bigBox: 10_000, library: 10_000, longTalk: 10_000 },
  /** For stalls: one watchlist is large. */
  stalls: { watchlists: 10, cards: 130_000, comments: 30_000, bigBox: 1_000, library: 100_000, longTalk: 10_000 },
  quickStalls: { watchlists: 10, cards: 30_000, comments: 12_000, bigBox: 1_000, library: 10_000, longTalk: 1_000 },
}

/** The size of a page, and of a feed with more than a thousand pages. */
export const PAGE = 10
export const LONG_FEED = 1000 * PAGE + 20

/** Places of the watchlists with a special shape; all others are plain. */
export const PLACES = { bigBox: 0, smallBox: 1, longFeed: 2, talk: 3, library: 4, tableBox: 5 }
export const FIRST_PLAIN = 6
export const SMALL_BOX = 10
/** The largest box whose draws have a table. */
export const TABLE_BOX = 2000
export const SHORT_TALK = 10

/** With at most thirty streams each, this many users can open five thousand streams. */
export const PEOPLE = 170
