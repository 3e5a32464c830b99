import { libraryKeys } from '../../server/src/rooms/movies/cards/card/library-keys.ts'
import { chance, orderedId, randomId } from './chance.mjs'
import { FIRST_PLAIN, LONG_FEED, PLACES, SHORT_TALK, SMALL_BOX, TABLE_BOX } from './sizes.mjs'

const GENRES = ['Comedy', 'Drama', 'Horror', 'Romance', 'Science fiction', 'Thriller', 'War', 'Western']
const LIBRARY_COLUMNS = ['folded_title', 'folded_people', 'folded_genres', 'year', 'runtime_minutes']
const SEED = 20_260_101
const BEGIN = Date.UTC(2025, 0, 1)
const WORDS = 'a film about the sea and two brothers who never sleep until winter ends over old roofs'.split(' ')
const HISTORIES = {
  SUGGESTED: ['SUGGESTED'],
  REVEALED: ['SUGGESTED', 'REVEALED'],
  WATCHED: ['SUGGESTED', 'REVEALED', 'WATCHED'],
}
const MEMBERS = 4

/** The ids of the watchlists in order, the same in every run. */
export function watchlistIds({ watchlists }) {
  const next = chance(SEED)
  return Array.from({ length: watchlists }, () => randomId(next)).sort()
}

/** The owner of a watchlist, by its place in the list. */
export const ownerOf = (people, place) => people[place % people.length]

/** All its members; the owner is the first. */
export const membersOf = (people, place) =>
  Array.from({ length: MEMBERS }, (_, n) => people[(place + n * 7) % people.length])

const at = (ms) => new Date(ms).toISOString()

/** The number of cards in box and feed of the watchlist at each place of the list. */
function shapes(sizes) {
  const special = { [PLACES.bigBox]: [sizes.bigBox, 20], [PLACES.smallBox]: [SMALL_BOX, 20] }
  special[PLACES.longFeed] = [20, LONG_FEED]
  special[PLACES.talk] = [20, 20]
  special[PLACES.library] = [20, sizes.library]
  special[PLACES.tableBox] = [TABLE_BOX, 20]
  const taken = Object.values(special).reduce((sum, [box, feed]) => sum + box + feed, 0)
  const plain = sizes.watchlists - FIRST_PLAIN
  return Array.from({ length: sizes.watchlists }, (_, place) => {
    if (place < FIRST_PLAIN) return special[place]
    const count = shareOf(sizes.cards - taken, plain, place - FIRST_PLAIN)
    const box = Math.floor(count * 0.4)
    return [box, count - box]
  })
}

/** A word at the end of one title in 5,000, another in one of 250. */
const rareWordOf = (n) => (n % 5000 === 0 ? 'zenith' : n % 250 === 1 && 'comet')

/** The size of one of `parts` shares of a whole, as even as integers allow. */
const shareOf = (whole, parts, index) => Math.floor(((index + 1) * whole) / parts) - Math.floor((index * whole) / parts)

/**
 * Calls `add(table, row)` for every row of the product's tables, each table in the order of its key. A row has the columns
 * of `COLUMNS`.
 */
export function makeRows(sizes, people, add) {
  const next = chance(SEED + 1)
  const text = (words) => Array.from({ length: words }, () => WORDS[Math.floor(next() * WORDS.length)]).join(' ')
  const lists = shapes(sizes)
  const plainFeed = lists.slice(FIRST_PLAIN).reduce((sum, [, feed]) => sum + feed, 0)
  const plainComments = sizes.comments - sizes.longTalk - SHORT_TALK
  let feedIndex = 0
  for (const person of people) add('person', [person.userId, person.username])
  for (const [place, id] of watchlistIds(sizes).entries()) {
    const [box, feed] = lists[place]
    const owner = ownerOf(people, place)
    const members = membersOf(people, place)
    add('watchlist', [id, `List ${place}`, owner.userId, owner.username, at(BEGIN), at(BEGIN), box, members.length])
    for (const { userId, username } of members) {
      add('member', [id, userId, username, at(BEGIN)])
      add('person_watchlist', [userId, id, at(BEGIN)])
    }
    // Cards of the box are between those of the feed, as after random draws.
    const step = (box + feed) / feed
    let [boxed, shown] = [0, 0]
    for (let n = 0; n < box + feed; n += 1) {
      const isShown = shown < feed && n >= Math.floor(shown * step)
      const ms = BEGIN + n * 60_000
      const card = {
        list: id,
        id: orderedId(next, ms),
        ms,
        creator: members[n % MEMBERS],
        members,
        isInLibrary: place === PLACES.library,
        rareWord: place === PLACES.library ? rareWordOf(n) : undefined,
      }
      const shownAs = next() < 0.4 ? 'REVEALED' : 'WATCHED'
      addCard(card, isShown ? { status: shownAs, slot: null } : { status: 'SUGGESTED', slot: boxed })
      if (!isShown) boxed += 1
      else addComments(card, commentCount(place, shown))
      if (isShown && place === PLACES.library) addViewings(card, shown)
      if (isShown) shown += 1
    }
  }

  function addCard({ list, id, ms, creator, members, isInLibrary, rareWord }, { status, slot }) {
    const history = HISTORIES[status]
    const changed = ms + (history.length - 1) * 1000
    const title = [text(4), rareWord].filter(Boolean).join(' ')
    const movie = isInLibrary ? makeMovie() : null
    const keys = libraryKeys(title, movie)
    add('card', [
      list,
      id,
      title,
      next() < 0.3 ? null : text(20),
      `https://posters.example.org/${id}.jpg`,
      status,
      creator.userId,
      creator.username,
      at(ms),
      at(changed),
      at(changed),
      history.length,
      slot,
      movie && JSON.stringify(movie),
      ...LIBRARY_COLUMNS.map((column) => keys[column]),
    ])
    for (const [seq, step] of history.entries()) {
      add('status_change', [list, id, seq, step, members[seq % MEMBERS].username, at(ms + seq * 1000)])
    }
  }

  /** The owner has seen nine of ten movies and rated most of these; of the others some have seen each. */
  function addViewings({ list, id, ms, members }, nth) {
    for (const [place, { userId, username }] of members.entries()) {
      if ((nth + place) % (place === 0 ? 10 : place + 1) === 0) continue
      const halfStars = next() < 0.8 ? 1 + Math.floor(next() * 10) : null
      add('card_viewings', [list, id, userId, username, halfStars, at(ms)])
    }
  }

  function makeMovie() {
    const oneOf = (values) => values[Math.floor(next() * values.length)]
    return {
      year: 1920 + Math.floor(next() * 100),
      runtimeMinutes: 70 + Math.floor(next() * 100),
      genres: [oneOf(GENRES), oneOf(GENRES)],
      directors: [text(2)],
      originalTitle: null,
      language: 'en',
      source: 'wikidata',
      ids: {},
    }
  }

  function commentCount(place, nth) {
    if (place === PLACES.talk) return [sizes.longTalk, SHORT_TALK][nth] ?? 0
    if (place < FIRST_PLAIN) return 0
    feedIndex += 1
    return shareOf(plainComments, plainFeed, feedIndex - 1)
  }

  function addComments({ list, id, ms, members }, count) {
    for (let n = 0; n < count; n += 1) {
      const made = ms + 10_000 + n
      const { userId, username } = members[n % MEMBERS]
      add('comment', [list, id, orderedId(next, made), userId, username, text(12), at(made), at(made)])
    }
  }
}

export const COLUMNS = {
  person: ['user_id', 'username'],
  watchlist: ['id', 'name', 'owner_id', 'owner_username', 'created_at', 'updated_at', 'box_count', 'member_count'],
  member: ['watchlist_id', 'user_id', 'username', 'joined_at'],
  person_watchlist: ['user_id', 'watchlist_id', 'joined_at'],
  card: [
    'watchlist_id',
    'id',
    'title',
    'description',
    'image_url',
    'status',
    'creator_id',
    'creator_username',
    'created_at',
    'updated_at',
    'status_changed_at',
    'status_change_count',
    'selection_index',
    'movie',
    ...LIBRARY_COLUMNS,
  ],
  status_change: ['watchlist_id', 'card_id', 'seq', 'status', 'changed_by', 'changed_at'],
  card_viewings: ['watchlist_id', 'card_id', 'user_id', 'username', 'half_stars', 'changed_at'],
  comment: ['watchlist_id', 'card_id', 'id', 'author_id', 'author_username', 'content', 'created_at', 'updated_at'],
}
