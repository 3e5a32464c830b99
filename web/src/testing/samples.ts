import type { Card, CardStatus } from '@marquee/contract/entities/card'
import type { DrawReceipt } from '@marquee/contract/entities/draw'
import type { Invitation, PendingInvitation, ReceivedInvitation } from '@marquee/contract/entities/invitation'
import type { MediaServer } from '@marquee/contract/entities/media-server'
import type { Movie } from '@marquee/contract/entities/movie'
import type { Night } from '@marquee/contract/entities/night'
import type { Profile } from '@marquee/contract/entities/profile'
import type { Comment } from '@marquee/contract/entities/comment'
import type { Watchlist } from '@marquee/contract/entities/watchlist'

const EARLIER = '2026-03-01T18:00:00.000Z'
const LATER = '2026-03-02T20:14:00.000Z'

/** A card of watchlist w1, added by Ana and moved to this status by Ben. */
export function aCard(id: string, status: CardStatus = 'REVEALED', changes: Partial<Card> = {}): Card {
  const first = { status: 'SUGGESTED' as const, changedBy: 'Ana', changedAt: EARLIER }
  return {
    id,
    watchlistId: 'w1',
    title: `Movie ${id}`,
    description: null,
    imageUrl: `https://posters.test/${id}.jpg`,
    status,
    creatorId: 'Ana',
    createdAt: EARLIER,
    updatedAt: LATER,
    statusChangedAt: LATER,
    statusChanges: status === 'SUGGESTED' ? [first] : [first, { status, changedBy: 'Ben', changedAt: LATER }],
    lastComments: [],
    selectionIndex: status === 'SUGGESTED' ? 0 : null,
    ...changes,
  }
}

/** The receipt of a draw from watchlist w1 by Ben, which drew this card in one step. */
export function aReceipt(cardId: string, changes: Partial<DrawReceipt> = {}): DrawReceipt {
  return {
    watchlistId: 'w1',
    drawNumber: 1,
    status: 'revealed',
    rule: 'cards',
    filter: null,
    picks: 1,
    eligible: 4,
    isBand: false,
    table: null,
    commitment: null,
    seeds: [],
    picked: [{ ticket: null, cardId, secret: null, odds: 0.25 }],
    preparedAt: LATER,
    revealedAt: LATER,
    by: 'Ben',
    nightId: null,
    absent: [],
    hashes: null,
    ...changes,
  }
}

/** The answers of a server that draws this card. */
export function drawing(card: Card) {
  return {
    prepareDraw: () => ({ drawNumber: 1, commitment: null, eligible: 4, isBand: false }),
    closeSeedHashes: ({ body }: { body?: unknown }) => body,
    revealDraw: () => ({ cards: [card], receipt: aReceipt(card.id) }),
  }
}

/** An open night without a plan, where these members are. */
export function anOpenNight(watchlistId: string, present: string[], changes: Partial<Night> = {}): Night {
  return {
    id: `${watchlistId}_00000000-0000-4000-8000-000000000000`,
    watchlistId,
    state: 'open',
    times: [],
    timeZone: null,
    place: null,
    note: null,
    maxRuntimeMinutes: null,
    createdBy: 'Ana',
    createdAt: LATER,
    startedAt: LATER,
    endedAt: null,
    present: present.map((username) => ({ username, since: LATER })),
    guests: [],
    joinCode: null,
    allowsManyGuests: false,
    ...changes,
  }
}

/** The facts of a real film, with genres as catalogues give them. */
export const ALIEN: Movie = {
  year: 1979,
  runtimeMinutes: 117,
  genres: ['horror', 'science fiction'],
  directors: ['Ridley Scott'],
  originalTitle: 'Alien',
  language: 'en',
  source: 'wikidata',
  ids: { tmdb: '348', imdb: 'tt0078748', wikidata: 'Q103569', letterboxd: 'alien' },
}

/** A movie of which nothing is known. */
export const NO_FACTS: Movie = {
  year: null,
  runtimeMinutes: null,
  genres: [],
  directors: [],
  originalTitle: null,
  language: null,
  source: null,
  ids: {},
}

/** A Jellyfin server whose list of movies was read. */
export const HOME_SERVER: MediaServer = {
  serverId: 's1',
  kind: 'jellyfin',
  name: 'Home server',
  state: 'ready',
  fault: null,
  seenAt: LATER,
  readAt: LATER,
  movies: 12,
  host: null,
  openUrl: null,
}

/** A watchlist of Ana and Ben. */
export function aWatchlist(id = 'w1', changes: Partial<Watchlist> = {}): Watchlist {
  return {
    id,
    name: `Watchlist ${id}`,
    description: 'One film a week',
    ownerId: 'Ana',
    createdAt: EARLIER,
    updatedAt: EARLIER,
    hasImage: false,
    fullImageUrl: null,
    isPrivate: false,
    members: [
      { username: 'Ana', joinedAt: EARLIER },
      { username: 'Ben', joinedAt: LATER },
    ],
    ...changes,
  }
}

/** A profile without an avatar. */
export function aProfile(username: string, changes: Partial<Profile> = {}): Profile {
  return { username, hasAvatar: false, avatarUrl: null, fullAvatarUrl: null, currentWatchlistId: null, ...changes }
}

/** A profile with an avatar. */
export function aProfileWithAvatar(username: string, avatarUrl = `/images/${username}.webp`): Profile {
  return aProfile(username, { hasAvatar: true, avatarUrl, fullAvatarUrl: `https://marquee.test${avatarUrl}` })
}

/** An invitation to w1 by Ana, as she gets it. */
export function anInvitation(username: string, changes: Partial<Invitation> = {}): Invitation {
  return {
    watchlistId: 'w1',
    username,
    token: `token-of-${username}`,
    createdAt: EARLIER,
    expiresAt: LATER,
    ...changes,
  }
}

/** A pending invitation to w1 by Ana, as the members see it. */
export function aPendingInvitation(username: string): PendingInvitation {
  return { watchlistId: 'w1', username, invitedBy: 'Ana', createdAt: EARLIER, expiresAt: LATER }
}

/** A pending invitation by Ana, as the invited user sees it. */
export function aReceivedInvitation(watchlistId = 'w1'): ReceivedInvitation {
  return { ...aPendingInvitation('Ben'), watchlistId, watchlistName: `Watchlist ${watchlistId}` }
}

/** The `nth` comment on card c1: each is a minute later than the one before. */
export function aComment(nth: number, authorId = 'Ana', changes: Partial<Comment> = {}): Comment {
  const at = `2026-03-03T20:${String(nth).padStart(2, '0')}:00.000Z`
  return {
    commentId: `comment-${String(nth).padStart(2, '0')}`,
    cardId: 'c1',
    content: `Comment ${nth}`,
    authorId,
    createdAt: at,
    updatedAt: at,
    ...changes,
  }
}
