/** How much there is. `quick` has the same shapes in small, to try the bench itself. */
export const SIZES = {
  whole: { watchlists: 1000, cards: 1_000_000, comments: 3_000_000, bigBox: 100_000, longTalk: 100_000 },
  quick: { watchlists: 100, cards: 60_000, comments: 100_000, bigBox: 10_000, longTalk: 10_000 },
}

/** The pages of the long feed that are compared: the first, and the thousandth. */
export const PAGE = 10
export const LONG_FEED = 1000 * PAGE + 20

/** Places in the list of watchlists that have a shape of their own; all others are alike. */
export const PLACES = { bigBox: 0, smallBox: 1, longFeed: 2, talk: 3 }
export const FIRST_PLAIN = 4
export const SMALL_BOX = 10
export const SHORT_TALK = 10

/** So many people, each with at most thirty streams, hold five thousand streams. */
export const PEOPLE = 170
