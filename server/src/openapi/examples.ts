import type { z } from 'zod'

import type { Card } from '@marquee/contract/entities/card'
import type { CatalogueMovie } from '@marquee/contract/entities/catalogue'
import type { Comment } from '@marquee/contract/entities/comment'
import type { Availability } from '@marquee/contract/entities/availability'
import type { MediaLink } from '@marquee/contract/entities/media-link'
import type { MediaServer } from '@marquee/contract/entities/media-server'
import type { RequestServer } from '@marquee/contract/entities/movie-request'
import type { CardViewings } from '@marquee/contract/entities/viewing'
import type { WatchlistExport } from '@marquee/contract/entities/export'
import type { DrawReceipt } from '@marquee/contract/entities/draw'
import type { MovieImport } from '@marquee/contract/entities/import'
import type { Movie } from '@marquee/contract/entities/movie'
import type { NightScreen } from '@marquee/contract/entities/night-screen'
import type { Night, NightAsGuest } from '@marquee/contract/entities/night'
import type { Notification } from '@marquee/contract/entities/notification'
import { DEFAULT_GROUPS, type NotificationSettings } from '@marquee/contract/entities/notification-settings'
import type { Profile } from '@marquee/contract/entities/profile'
import type { Webhook } from '@marquee/contract/entities/webhook'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import type { EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'

/** The example of any call. */
export type Example = {
  readonly params?: object
  readonly query?: object
  readonly body?: unknown
  readonly reply?: unknown
  readonly events?: string
}

type Part<E, K extends string, Name extends string, Direction extends 'input' | 'output'> =
  E extends Record<K, infer S extends z.ZodType>
    ? { readonly [N in Name]: Direction extends 'input' ? z.input<S> : z.output<S> }
    : object

/** The parts of the example of this call. */
type ExampleOf<E> = Part<E, 'params', 'params', 'input'> &
  Part<E, 'query', 'query', 'input'> &
  Part<E, 'body', 'body', 'input'> &
  Part<E, 'reply', 'reply', 'output'> &
  (E extends { events: z.ZodType } ? { readonly events: string } : object)

const watchlistId = '9c1f5e2a-7d34-4b8e-a1c6-3f2b8d90e7a5'
const cardId = '0193a6f2-4c1b-7d2e-9f3a-5b6c7d8e9f01'
const wantId = '0193a6f5-7d8e-7f90-8a1b-2c3d4e5f6a7b'
const commentId = '0193a6f8-1a2b-7c3d-8e4f-5a6b7c8d9e0f'
const created = '2026-11-20T18:34:15.000Z'
const later = '2026-11-20T20:05:42.118Z'

const watchlist: Watchlist = {
  id: watchlistId,
  name: 'Friday films',
  description: 'With popcorn',
  ownerId: 'Ana María',
  createdAt: created,
  updatedAt: created,
  hasImage: false,
  fullImageUrl: null,
  isPrivate: false,
  members: [
    { username: 'Ana María', joinedAt: created },
    { username: 'ben', joinedAt: later },
  ],
}

const mediaServer: MediaServer = {
  serverId: '5b0e8c1f-6d1a-4c55-9d0e-2f6f3c1f7a10',
  kind: 'jellyfin',
  name: 'Home',
  state: 'ready',
  fault: null,
  seenAt: later,
  readAt: later,
  movies: 812,
  host: '192.168.1.20:8096',
  openUrl: 'https://media.example.org',
}

const mediaServerPlace = { watchlistId, serverId: mediaServer.serverId }

const mediaLink: MediaLink = {
  serverId: mediaServer.serverId,
  state: 'linked',
  name: 'Ana',
  isSent: true,
  linkedAt: later,
}

const availability: Availability = {
  cardId,
  streaming: [{ serviceId: 11, name: 'Mubi' }],
  paid: [{ serviceId: 2, name: 'Apple TV' }],
  link: 'https://www.themoviedb.org/movie/1398/watch?locale=DE',
  servers: [
    {
      serverId: mediaServer.serverId,
      kind: mediaServer.kind,
      name: mediaServer.name,
      link: 'https://media.example.org/web/index.html#!/details?id=f27caa37e5142225cceded48f6553502&serverId=a1b2c3',
    },
  ],
  havers: [{ username: 'Ana María', services: ['Mubi'] }],
  request: null,
}

const requestServer: RequestServer = {
  askers: 'members',
  fault: null,
  seenAt: later,
  open: 3,
  host: '192.168.1.20:5055',
}

const seen: CardViewings = {
  cardId,
  seenBy: ['ben', 'Ana María'],
  own: { username: 'Ana María', seenOn: '2026-11-20', stars: 4.5, note: null, changedAt: later },
  ratings: {
    average: 4.3,
    count: 2,
    others: [{ username: 'ben', seenOn: null, stars: 4, note: 'The desert!', changedAt: created }],
  },
  night: { acceptedAt: created, watchedBy: ['Ana María', 'ben'] },
  markedBy: null,
}

const comment: Comment = {
  commentId,
  cardId,
  content: 'The desert alone is worth it.',
  authorId: 'ben',
  createdAt: later,
  updatedAt: later,
}

const movie: Movie = {
  year: 1984,
  runtimeMinutes: 147,
  genres: ['Drama'],
  directors: ['Wim Wenders'],
  originalTitle: 'Paris, Texas',
  language: 'en',
  source: 'tmdb',
  ids: { tmdb: '655', imdb: 'tt0087884' },
}

const catalogueMovie: CatalogueMovie = {
  title: 'Paris, Texas',
  description: 'A man walks out of the desert and looks for his family.',
  posterUrl: 'https://films.example.org/images/77d0a4-640.webp',
  movie,
}

const suggested: Card = {
  id: cardId,
  watchlistId,
  title: 'Paris, Texas',
  description: 'https://en.wikipedia.org/wiki/Paris,_Texas_(film)',
  imageUrl: 'https://example.org/paris-texas.jpg',
  movie,
  status: 'SUGGESTED',
  creatorId: 'Ana María',
  createdAt: created,
  updatedAt: created,
  statusChangedAt: created,
  statusChanges: [{ status: 'SUGGESTED', changedBy: 'Ana María', changedAt: created }],
  lastComments: [],
  selectionIndex: 4,
}

const revealed: Card = {
  ...suggested,
  status: 'REVEALED',
  updatedAt: later,
  statusChangedAt: later,
  statusChanges: [...suggested.statusChanges, { status: 'REVEALED', changedBy: 'ben', changedAt: later }],
  selectionIndex: null,
  wantedBy: ['Ana María', 'ben'],
}

const discussed: Card = { ...revealed, lastComments: [comment] }

const watched: Card = {
  ...discussed,
  status: 'WATCHED',
  statusChanges: [...revealed.statusChanges, { status: 'WATCHED', changedBy: 'Ana María', changedAt: later }],
}

const watchedMovie = {
  id: cardId,
  title: watched.title,
  imageUrl: watched.imageUrl,
  creatorId: watched.creatorId,
  statusChangedAt: later,
}

const profile: Profile = {
  username: 'ben',
  hasAvatar: true,
  avatarUrl: '/images/3b1f9c-400.webp',
  fullAvatarUrl: 'https://films.example.org/images/3b1f9c-400.webp',
  currentWatchlistId: null,
}

const ownProfile: Profile = { ...profile, currentWatchlistId: watchlistId }

const pending = {
  watchlistId,
  username: 'cleo',
  invitedBy: 'ben',
  createdAt: later,
  expiresAt: '2026-11-27T20:05:42.118Z',
}

const mailed = { ...pending, username: 'd…@example.org', linkId: '5d0c6f8e-21b4-4a7b-9c3e-8f1a2b3c4d5e' }

const webhook = {
  id: 'c7d8e9f0-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  name: 'Film club',
  format: 'standard',
  host: 'club.example.org',
  kinds: ['card.revealed', 'night.planned'],
  state: 'on',
  createdAt: created,
} satisfies Webhook

const personalToken = {
  id: '5f0b2c9e-8a41-4d3b-b6f7-1e2d3c4b5a69',
  name: 'Backup script',
  scope: 'read',
  createdAt: created,
  usedAt: later,
  expiresAt: '2027-02-18T18:34:15.000Z',
} as const

const notification: Notification = {
  id: '0193a6fa-5c7d-7e8f-9a0b-1c2d3e4f5a6b',
  kind: 'revealed',
  watchlistId,
  watchlistName: watchlist.name,
  by: 'ben',
  cardId,
  cardTitle: 'Paris, Texas',
  startsAt: null,
  createdAt: later,
  isRead: false,
}

const browserKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'

const pushDevice = {
  id: 'n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg',
  device: 'Firefox on Windows',
  createdAt: created,
  usedAt: later,
} as const

const notificationSettings: NotificationSettings = {
  groups: DEFAULT_GROUPS,
  mutedWatchlistIds: [],
  quietHours: null,
  timeZone: null,
}

const subscription = {
  endpoint: 'https://push.example.org/send/f3a9c1',
  p256dh: browserKey,
  auth: 'tBHItJI5svbpez7KI4CCXg',
}

const renewal = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ'

const joinLink = {
  id: 'b7e9a0c4-6d52-4f0e-9a37-1c2d5e8f4a60',
  createdBy: 'ben',
  createdAt: later,
  expiresAt: '2026-11-27T20:05:42.118Z',
  maxUses: 10,
  uses: 3,
}

const joinToken = 'q1Zt0kXw3sQ4tV8nB2kL6g'
const setupCode = 'b7Yw2mXs9rQ1tV4nK6jL0g'

const passkey = { passkeyId: 'q1Zt0kXw3sQ4tV8nB2kL6g', name: 'My laptop', createdAt: created, usedAt: later }

const token = 'Zr1Jm0c9Xw3sQ4tV8nB2kL6hF7dP5gY0aUeIoRxTzC1'
const imageData =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const importId = '019aa0c4-6d5e-7c1a-9a54-0f7a3f0f0b11'
const nightId = `${watchlistId}_019aa0c4-6d5e-7c1a-9a54-0f7a3f0f0b22`
const startsAt = '2026-11-27T19:00:00.000Z'
const plan = {
  times: ['2026-11-27T20:00'],
  timeZone: 'Europe/Berlin',
  place: 'At Ana’s',
  note: 'Bring popcorn',
  maxRuntimeMinutes: 130,
}
const night: Night = {
  ...plan,
  id: nightId,
  watchlistId,
  state: 'planned',
  times: [{ startsAt, localTime: '2026-11-27T20:00', answers: [{ username: 'ben', answer: 'in' }] }],
  createdBy: 'Ana María',
  createdAt: created,
  startedAt: null,
  endedAt: null,
  present: [],
  guests: [],
  joinCode: null,
  allowsManyGuests: false,
}
const openNight: Night = {
  ...night,
  state: 'open',
  startedAt: startsAt,
  present: [{ username: 'ben', since: startsAt }],
}
const guest = { guestId: '7f1c2b6e-52a4-4d0c-9a35-8c1e0d6b4f21', nickname: 'Lea', since: startsAt }
const guestToken = `mqn_${nightId}_kM3q0vX9cT1yWb7LzR4nHs8eJdPu2GfA5oIiQ6VjKxE`
const nightAsGuest: NightAsGuest = {
  id: nightId,
  watchlistName: 'Friday films',
  state: 'open',
  startsAt,
  timeZone: plan.timeZone,
  place: plan.place,
  present: openNight.present,
  guests: [guest],
}
const ballot = { scores: { [cardId]: 2 as const }, veto: null }
const film = {
  imageUrl: 'https://films.example.org/images/posters/stalker.jpg',
  description: 'Three men go into the Zone.',
  status: 'REVEALED' as const,
  statusChangedAt: startsAt,
}
const votes = {
  vote: {
    drawNumber: 1,
    openedAt: startsAt,
    closedAt: null,
    present: 3,
    voted: 1,
    cards: [{ cardId, title: 'Stalker', film, total: null, isVetoed: null }],
    winner: null,
    ballot: null,
  },
  revealed: [],
  accepted: [],
  wasVetoed: false,
  vetoBudget: 2,
  vetoesLeft: 2,
}
const screenMovie = {
  id: cardId,
  title: 'Stalker',
  imageUrl: 'https://films.example.org/images/posters/stalker.jpg',
  status: 'REVEALED' as const,
  acceptedAt: null,
}
const pairedScreen = { screenId: '0f7a3f0f-0b22-4c1a-9a54-6d5e7c1a9a54', by: 'ben', since: startsAt }
const nightScreen: NightScreen = {
  id: nightId,
  watchlistId,
  watchlistName: 'Film club',
  state: 'open',
  place: plan.place,
  joinCode: null,
  present: [{ name: 'ben', avatarUrl: null }],
  isDrawing: false,
  movie: screenMovie,
  wasVetoed: false,
  vote: { drawNumber: 1, closedAt: null, present: 3, voted: 1, winner: null, movies: [screenMovie] },
}
const none = { rows: 0, chosen: 0 }
const imported: MovieImport = {
  id: importId,
  watchlistId,
  fileName: 'watchlist.csv',
  format: 'letterboxd',
  state: 'review',
  createdAt: created,
  undoUntil: '2026-12-20T19:58:03.201Z',
  groups: { new: { rows: 1, chosen: 1 }, here: none, same: none, unsure: none },
  chosen: 1,
  added: 0,
  removed: 0,
  kept: 0,
  seen: 0,
  marked: 0,
  problems: [],
  problemCount: 0,
}

const ticket = 'dbc8b19b5c9ca13f9ae90a2f0fcb6e98e86ac99bdac5b66a2e4a6d6e4cbcc6a9'
const seed = '6a3d1d6cbb1f0d6b0f1d9a4e3c9e2b7f0e4c8d5b6a7f9e8d7c6b5a4938271605'
const seedHash = '5640a751c288d697cf0f3f70caca155a91d56a6f6c106310c7135c975aeff7ec'
const draw = {
  drawNumber: 23,
  rule: 'people' as const,
  filter: { maxRuntime: 150 },
  picks: 1,
  eligible: 1,
  isBand: false,
  commitment: '0b8efc1d6a9c4b7d3f2e1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d',
  preparedAt: created,
  nightId: null,
  absent: [],
}
const receipt: DrawReceipt = {
  ...draw,
  watchlistId,
  status: 'revealed',
  table: {
    watchlistId,
    drawNumber: draw.drawNumber,
    rule: draw.rule,
    filter: draw.filter,
    picks: 1,
    people: [{ username: null, weight: 1, tickets: [ticket] }],
    serverSeed: seed,
  },
  hashes: [seedHash],
  seeds: [seed],
  picked: [{ ticket, cardId, secret: '5fd1b6e0a7c94f0e8d2b3a1c6e7f9081', odds: 1 }],
  revealedAt: later,
  by: 'ben',
}
const odds = {
  rule: draw.rule,
  rest: 3 as const,
  eligible: 12,
  resting: 1,
  isBand: false,
  people: [
    { username: 'Ana María', weight: 1, chance: 0.5 },
    { username: 'ben', weight: 1, chance: 0.5 },
  ],
}

const exported: WatchlistExport = {
  format: 'marquee-watchlist',
  version: 1,
  watchlist: {
    name: watchlist.name,
    description: watchlist.description,
    isPrivate: false,
    ownerId: watchlist.ownerId,
    createdAt: created,
    members: watchlist.members ?? [],
  },
  cards: [
    {
      title: watched.title,
      description: watched.description,
      imageUrl: watched.imageUrl,
      movie,
      status: 'WATCHED',
      creatorId: 'Ana María',
      createdAt: created,
      updatedAt: later,
      statusChanges: watched.statusChanges,
      comments: [{ content: comment.content, authorId: 'ben', createdAt: later, updatedAt: later }],
    },
  ],
}

/** An example request and reply of every call. */
export const EXAMPLES: { readonly [N in EndpointName]: ExampleOf<(typeof ENDPOINTS)[N]> } = {
  listWatchlists: { reply: [watchlist] },
  createWatchlist: { body: { name: 'Friday films', description: 'With popcorn' }, reply: watchlist },
  getCurrentWatchlist: { reply: { currentWatchlistId: watchlistId } },
  setCurrentWatchlist: { body: { watchlistId }, reply: { currentWatchlistId: watchlistId } },
  getWatchlist: { params: { watchlistId }, reply: watchlist },
  updateWatchlist: {
    params: { watchlistId },
    body: { name: 'Saturday films', description: null },
    reply: { ...watchlist, name: 'Saturday films', description: null, updatedAt: later },
  },
  exportWatchlist: { params: { watchlistId }, query: { format: 'json' }, reply: exported },
  restoreWatchlist: { body: exported, reply: watchlist },
  getStatistics: {
    params: { watchlistId },
    query: { from: '2026-01-01', to: '2026-12-31', timeZone: 'Europe/Berlin' },
    reply: {
      watched: { movies: 1, runtimeMinutes: 147, moviesWithoutRuntime: 0 },
      putBack: 2,
      declined: 1,
      months: [{ month: '2026-11', movies: 1, runtimeMinutes: 147 }],
      suggesters: [{ username: 'ben', movies: 1, rating: { average: 4.3, count: 2 } }],
      mostLoved: [{ movie: watchedMovie, average: 4.3, count: 2, lowest: 3.5, highest: 5 }],
      mostDivisive: [{ movie: watchedMovie, average: 4.3, count: 2, lowest: 3.5, highest: 5 }],
      longestWaits: [{ movie: watchedMovie, days: 41 }],
      nights: { held: 4, vetoed: 1, attendance: [{ username: 'ben', nights: 3 }] },
      fairness: [{ username: 'ben', expected: 1.5, actual: 2 }],
      due: [
        { username: 'Ana María', joinedAt: created, lastWatchedAt: null },
        { username: 'ben', joinedAt: later, lastWatchedAt: later },
      ],
      firstMovie: watchedMovie,
      lastMovie: watchedMovie,
      lastMovies: [watchedMovie],
    },
  },
  deleteWatchlist: { params: { watchlistId } },
  uploadWatchlistImage: {
    params: { watchlistId },
    body: { imageData },
    reply: {
      ...watchlist,
      hasImage: true,
      fullImageUrl: 'https://films.example.org/images/77d0a4-640.webp',
      updatedAt: later,
    },
  },
  deleteWatchlistImage: { params: { watchlistId } },
  setWatchlistPrivacy: { params: { watchlistId }, body: { isPrivate: true }, reply: { ...watchlist, isPrivate: true } },
  handOverWatchlist: { params: { watchlistId }, body: { username: 'ben' }, reply: { ...watchlist, ownerId: 'ben' } },
  removeMember: { params: { watchlistId, username: 'ben' } },

  listCards: {
    params: { watchlistId },
    query: { limit: 10 },
    reply: { cards: [discussed], nextToken: null },
  },
  listLibrary: {
    params: { watchlistId },
    query: { q: 'wenders', genre: 'Drama', decade: 1980, maxRuntime: 150, sort: 'year', limit: 10 },
    reply: { cards: [discussed], nextToken: null },
  },
  listSuggestions: {
    params: { watchlistId },
    query: { limit: 10 },
    reply: { cards: [suggested], nextToken: null, count: 1, wantCount: 1 },
  },
  matchMovie: {
    params: { watchlistId },
    query: { title: movie.originalTitle ?? '', year: movie.year ?? undefined, imdb: movie.ids.imdb },
    reply: { inFeed: { cardId, status: 'WATCHED', statusChangedAt: later }, isInBox: false },
  },
  wantMovie: { params: { watchlistId }, body: { title: revealed.title, movie } },
  listWants: {
    params: { watchlistId },
    query: { limit: 10 },
    reply: { wants: [{ wantId, title: revealed.title, movie, createdAt: later }], nextToken: null },
  },
  unwantMovie: { params: { watchlistId, wantId } },
  countSuggestedCards: { params: { watchlistId }, reply: { count: 5 } },
  addCard: {
    params: { watchlistId },
    body: {
      title: suggested.title,
      description: suggested.description,
      image: suggested.imageUrl,
      movie,
      revealImmediately: false,
    },
    reply: suggested,
  },
  revealRandomCard: { params: { watchlistId }, reply: revealed },
  prepareDraw: {
    params: { watchlistId },
    body: { rule: draw.rule, filter: draw.filter, picks: 1 },
    reply: { drawNumber: draw.drawNumber, commitment: draw.commitment, eligible: 1, isBand: true },
  },
  closeSeedHashes: {
    params: { watchlistId, drawNumber: draw.drawNumber },
    body: { hashes: [seedHash] },
    reply: { hashes: [seedHash] },
  },
  revealDraw: {
    params: { watchlistId, drawNumber: draw.drawNumber },
    body: { seeds: [seed] },
    reply: { cards: [revealed], receipt },
  },
  listDraws: {
    params: { watchlistId },
    query: { limit: 20 },
    reply: {
      draws: [
        {
          ...draw,
          status: 'revealed',
          revealedAt: later,
          by: 'ben',
          seedCount: 1,
          cards: [{ cardId, title: revealed.title }],
        },
      ],
      nextToken: null,
    },
  },
  getDraw: { params: { watchlistId, drawNumber: draw.drawNumber }, reply: receipt },
  getDrawOdds: {
    params: { watchlistId },
    query: { filter: JSON.stringify(draw.filter) },
    reply: { ...odds, eligible: 5, isBand: true, people: [] },
  },
  setDrawRule: { params: { watchlistId }, body: { rule: draw.rule, rest: odds.rest }, reply: odds },
  getCard: { params: { watchlistId, cardId }, reply: discussed },
  editCard: {
    params: { watchlistId, cardId },
    body: { title: 'Paris, Texas (1984)', description: 'Wim Wenders' },
    reply: { ...discussed, title: 'Paris, Texas (1984)', description: 'Wim Wenders', updatedAt: later },
  },
  deleteCard: { params: { watchlistId, cardId } },
  moveCard: { params: { watchlistId, cardId }, body: { status: 'WATCHED' }, reply: watched },
  undoMove: { params: { watchlistId, cardId }, reply: discussed },

  beginImport: {
    params: { watchlistId },
    body: { fileName: 'watchlist.csv', fileData: 'RGF0ZSxOYW1lLFllYXIKMjAyNi0xMS0wMSxTdGFsa2VyLDE5Nzk=' },
    reply: imported,
  },
  listImports: { params: { watchlistId }, reply: [imported] },
  getImport: {
    params: { watchlistId, importId },
    query: { group: 'new', limit: 50 },
    reply: {
      ...imported,
      rows: [
        {
          id: 0,
          file: null,
          row: 2,
          title: 'Stalker',
          year: 1979,
          isSeen: false,
          stars: null,
          group: 'new',
          isChosen: true,
          card: null,
          sameAs: null,
        },
      ],
      nextToken: null,
    },
  },
  chooseImportRows: { params: { watchlistId, importId }, body: { rows: [0], isChosen: true }, reply: imported },
  applyImport: { params: { watchlistId, importId }, reply: { ...imported, state: 'applying' } },
  cancelImport: { params: { watchlistId, importId }, reply: { ...imported, state: 'cancelled' } },
  undoImport: { params: { watchlistId, importId }, reply: { ...imported, state: 'undoing', added: 1 } },

  listAvailability: {
    params: { watchlistId },
    query: { cards: cardId },
    reply: { cards: [{ ...availability, havers: [] }] },
  },
  listNightAvailability: { params: { nightId }, reply: { cards: [availability] } },
  setCountry: { params: { watchlistId }, body: { country: 'DE' }, reply: { ...watchlist, country: 'DE' } },
  listServices: {
    query: { country: 'DE' },
    reply: { services: [...availability.streaming, ...availability.paid] },
  },
  listViewings: { params: { watchlistId }, query: { cards: cardId }, reply: { cards: [seen] } },
  saveViewing: { params: { watchlistId, cardId }, body: { seenOn: '2026-11-20', stars: 4.5 }, reply: seen },
  deleteViewing: { params: { watchlistId, cardId } },
  listNights: { params: { watchlistId }, reply: { nights: [night], unrated: [{ cardId, title: 'Stalker' }] } },
  listNightFilms: {
    params: { watchlistId },
    reply: {
      films: [
        {
          nightId,
          cardId,
          title: 'Stalker',
          poster: { imageUrl: watched.imageUrl },
          acceptedAt: startsAt,
          watchedBy: ['Ana María', 'ben'],
        },
      ],
    },
  },
  planNight: { params: { watchlistId }, body: plan, reply: night },
  findCalendar: { params: { watchlistId }, reply: { since: created } },
  makeCalendar: {
    params: { watchlistId },
    reply: { url: `https://films.example.org/api/calendars/${watchlistId}_${token}` },
  },
  endCalendar: { params: { watchlistId } },
  readCalendar: { params: { calendarToken: `${watchlistId}_${token}` } },
  openNight: { params: { watchlistId }, reply: openNight },
  getNight: { params: { nightId }, reply: night },
  requestScreen: { reply: { code: 'KX7M2P', secret: token, expiresAt: later } },
  findScreenPass: {
    body: { code: 'KX7M2P', secret: token },
    reply: { pass: { nightId, screenId: pairedScreen.screenId, token: `mqn_${nightId}_${token}` } },
  },
  getNightScreen: { params: { nightId }, reply: nightScreen },
  listScreens: { params: { nightId }, reply: { screens: [pairedScreen] } },
  pairScreen: { params: { nightId }, body: { code: 'KX7M2P' }, reply: pairedScreen },
  endScreen: { params: { nightId, screenId: pairedScreen.screenId } },
  changeNight: { params: { nightId }, body: plan, reply: night },
  fixNightTime: { params: { nightId }, body: { startsAt }, reply: night },
  answerNight: { params: { nightId }, body: { startsAt, answer: 'in' }, reply: night },
  cancelNight: { params: { nightId }, reply: { ...night, state: 'cancelled' } },
  startNight: { params: { nightId }, reply: openNight },
  endNight: { params: { nightId }, reply: { ...openNight, state: 'ended', endedAt: later, present: [] } },
  arriveAtNight: { params: { nightId }, reply: openNight },
  leaveNight: { params: { nightId }, reply: { ...openNight, present: [] } },
  addSeedHash: { params: { nightId }, body: { hash: seedHash, drawNumber: draw.drawNumber } },
  findSeedHashes: { params: { nightId, drawNumber: draw.drawNumber }, reply: { hashes: [seedHash] } },
  addSeed: { params: { nightId }, body: { seed, drawNumber: draw.drawNumber } },
  findVote: { params: { nightId }, reply: votes },
  openVote: { params: { nightId }, body: { drawNumber: 1, seeds: ['5e'.repeat(32)] }, reply: votes },
  castBallot: {
    params: { nightId },
    body: { drawNumber: 1, ...ballot },
    reply: { ...votes, vote: { ...votes.vote, voted: 2, ballot } },
  },
  closeVote: {
    params: { nightId },
    body: { drawNumber: 1 },
    reply: {
      ...votes,
      vote: {
        ...votes.vote,
        closedAt: later,
        winner: cardId,
        cards: [{ cardId, title: 'Stalker', film, total: 3, isVetoed: false }],
      },
    },
  },
  vetoCard: {
    params: { nightId },
    body: { cardId },
    reply: { ...votes, vote: null, wasVetoed: true, vetoesLeft: 1 },
  },
  makeNightCode: { params: { nightId }, reply: { ...openNight, joinCode: 'K7MXQ2' } },
  renewNightCode: { params: { nightId }, reply: { ...openNight, joinCode: 'W3HT8N' } },
  setGuestLimit: {
    params: { nightId },
    body: { allowsManyGuests: true },
    reply: { ...openNight, joinCode: 'K7MXQ2', allowsManyGuests: true },
  },
  joinNight: {
    body: { code: 'K7MXQ2', nickname: 'Lea' },
    reply: { token: guestToken, guest, night: nightAsGuest },
  },
  addGuest: {
    params: { nightId },
    body: { nickname: 'Lea' },
    reply: { token: guestToken, guest, night: nightAsGuest },
  },
  removeGuest: { params: { nightId, guestId: guest.guestId } },
  getNightAsGuest: { params: { nightId }, reply: nightAsGuest },
  claimNight: { body: { token: guestToken }, reply: { nightId, watchlistId, isMember: true } },
  nightEvents: {
    params: { nightId },
    events: `retry: 2000\n: open\n\ndata: ${JSON.stringify({ kind: 'nights-changed', watchlistId })}\n\n`,
  },
  getVetoBudget: { params: { watchlistId }, reply: { vetoBudget: 2 } },
  setVetoBudget: { params: { watchlistId }, body: { vetoBudget: 2 } },

  listComments: {
    params: { watchlistId, cardId },
    query: { limit: 10 },
    reply: { comments: [comment], nextToken: null },
  },
  addComment: { params: { watchlistId, cardId }, body: { content: comment.content }, reply: comment },
  editComment: {
    params: { watchlistId, cardId, commentId },
    body: { content: 'The desert alone is worth it!' },
    reply: { ...comment, content: 'The desert alone is worth it!', updatedAt: '2026-11-20T20:07:01.500Z' },
  },
  deleteComment: { params: { watchlistId, cardId, commentId } },

  inviteUser: {
    params: { watchlistId },
    body: { username: 'cleo' },
    reply: { watchlistId, username: 'cleo', token, createdAt: later, expiresAt: pending.expiresAt },
  },
  listPendingInvitations: { params: { watchlistId }, reply: [pending, mailed] },
  withdrawInvitation: { params: { watchlistId, username: 'cleo' } },
  inviteByMail: { params: { watchlistId }, body: { email: 'dora@example.org' }, reply: mailed },
  withdrawMailInvitation: { params: { watchlistId, linkId: mailed.linkId } },
  listReceivedInvitations: { reply: [{ ...pending, watchlistName: 'Friday films' }] },
  acceptInvitation: { body: { token }, reply: watchlist },
  acceptReceivedInvitation: { params: { watchlistId }, reply: watchlist },
  declineInvitation: { params: { watchlistId } },

  createJoinLink: {
    params: { watchlistId },
    body: { days: 7, maxUses: 10 },
    reply: { ...joinLink, uses: 0, token: joinToken },
  },
  listJoinLinks: { params: { watchlistId }, reply: { creators: 'members', links: [joinLink] } },
  revokeJoinLink: { params: { watchlistId, linkId: joinLink.id } },
  setLinkCreators: {
    params: { watchlistId },
    body: { creators: 'owner' },
    reply: { creators: 'owner', links: [] },
  },
  previewJoinLink: {
    body: { token: joinToken },
    reply: {
      state: 'open',
      watchlist: { name: watchlist.name, imageUrl: null, invitedBy: 'ben', memberCount: 3 },
    },
  },
  joinByLink: { body: { token: joinToken }, reply: watchlist },

  checkSetup: { body: { code: setupCode } },
  sendTestMail: {
    body: { code: setupCode, email: 'ana@example.org', language: 'en' },
    reply: { outcome: 'accepted', reason: null },
  },
  createFirstAccount: {
    body: { code: setupCode, username: 'ana', email: 'ana@example.org', password: 'Correct-Horse-7' },
  },

  listNotifications: { query: { limit: 1 }, reply: { notifications: [notification], nextToken: notification.id } },
  countUnread: { reply: { unread: 2 } },
  readNotification: { params: { notificationId: notification.id }, reply: { unread: 1 } },
  readNotifications: { body: { upTo: notification.id }, reply: { unread: 0 } },
  seeNotifications: { body: { watchlistId: watchlist.id, forMs: 90_000 }, reply: { unread: 0 } },
  getNotificationSettings: { reply: notificationSettings },
  changeNotificationSettings: {
    body: { groups: { comments: { mail: 'daily' } }, timeZone: 'Europe/Berlin' },
    reply: {
      ...notificationSettings,
      groups: { ...DEFAULT_GROUPS, comments: { inApp: true, push: false, mail: 'daily' } },
      timeZone: 'Europe/Berlin',
    },
  },

  getPushKey: { reply: { publicKey: browserKey } },
  listPushDevices: { reply: { devices: [pushDevice] } },
  savePushDevice: { body: subscription, reply: { ...pushDevice, usedAt: null, renewal } },
  renewPushDevice: { body: { ...subscription, renewal }, reply: { ...pushDevice, renewal } },
  removePushDevice: { params: { deviceId: pushDevice.id } },

  getOwnProfile: { reply: ownProfile },
  getProfile: { params: { username: 'ben' }, reply: profile },
  getAvatarUrl: { params: { username: 'ben' }, reply: { avatarUrl: profile.avatarUrl } },
  getMailSettings: { reply: { nights: true } },
  setMailSettings: { body: { nights: false }, reply: { nights: false } },
  uploadAvatar: { body: { imageData }, reply: ownProfile },
  chooseServices: { body: { services: [11] }, reply: { ...ownProfile, services: [11] } },
  chooseLanguage: { body: { language: 'de' }, reply: { ...ownProfile, language: 'de' } },
  deleteAvatar: {},

  countRecoveryCodes: { reply: { left: 9 } },
  makeRecoveryCodes: { reply: { codes: ['K7QXB-3MTRW', 'Q4HZC-9PKNA'] } },
  listSessions: {
    reply: {
      sessions: [
        { sessionId: cardId, client: 'Firefox on Windows', signedInAt: created, usedAt: later, isThisOne: true },
      ],
    },
  },
  endSession: { params: { sessionId: cardId } },
  listSecurityEvents: {
    query: { limit: 1 },
    reply: {
      events: [{ eventId: commentId, kind: 'signed-in', client: 'Firefox on Windows', at: later, times: 1 }],
      nextToken: commentId,
    },
  },
  exportData: {
    reply: {
      exportedAt: later,
      account: { username: 'ana', email: 'ana@example.org' },
      profile: { username: 'ana', avatarUrl: null, currentWatchlistId: null },
      invitations: [],
      personalTokens: [personalToken],
      notifications: [],
      pushDevices: [pushDevice],
      notificationSettings,
      imports: [],
      watchlists: [],
    },
  },
  listPasskeys: { reply: { passkeys: [passkey] } },
  renamePasskey: { params: { passkeyId: passkey.passkeyId }, body: { name: passkey.name }, reply: passkey },

  listMediaServers: { params: { watchlistId }, reply: { servers: [mediaServer] } },
  connectMediaServer: {
    params: { watchlistId },
    body: { kind: 'jellyfin', url: 'http://192.168.1.20:8096', token: '…', openUrl: 'https://media.example.org' },
    reply: { ...mediaServer, state: 'waiting', readAt: null, movies: null },
  },
  changeMediaServer: {
    params: mediaServerPlace,
    body: { openUrl: 'https://media.example.org' },
    reply: mediaServer,
  },
  deleteMediaServer: { params: mediaServerPlace },
  readMediaServer: { params: mediaServerPlace, reply: { ...mediaServer, state: 'reading' } },
  listMediaLinks: {
    params: { watchlistId },
    reply: {
      links: [mediaLink],
      claims: [{ serverId: mediaServer.serverId, username: 'ben', accountId: '61240', name: 'Benjamin' }],
      hooks: [
        { serverId: mediaServer.serverId, madeAt: created, lastAt: later, taken: 12, unlinked: 40, unmatched: 3 },
      ],
    },
  },
  beginQuickConnect: {
    params: mediaServerPlace,
    reply: { code: '483920', attempt: 'n3KQ…', endsAt: later },
  },
  finishQuickConnect: { params: mediaServerPlace, body: { attempt: 'n3KQ…' }, reply: { link: mediaLink } },
  linkWithPassword: { params: mediaServerPlace, body: { name: 'ana', password: '…' }, reply: mediaLink },
  listMediaAccounts: { params: mediaServerPlace, reply: { accounts: [{ accountId: '1', name: 'Ana' }] } },
  claimMediaAccount: {
    params: mediaServerPlace,
    body: { accountId: '61240' },
    reply: { ...mediaLink, state: 'waiting', name: 'Benjamin', isSent: false },
  },
  answerMediaClaim: {
    params: { ...mediaServerPlace, username: 'ben' },
    body: { accountId: '61240', isConfirmed: true },
  },
  unlinkMediaUser: { params: mediaServerPlace },
  makeMediaHook: {
    params: mediaServerPlace,
    reply: {
      url: `https://films.example.org/api/media-reports/${watchlistId}/${mediaServer.serverId}/b3A0…`,
    },
  },
  listPlayers: {
    params: { nightId },
    reply: {
      players: [
        {
          serverId: mediaServer.serverId,
          serverName: mediaServer.name,
          sessionId: 'a1b2c3d4e5f6',
          device: 'Television',
          app: 'Jellyfin Android TV',
        },
      ],
    },
  },
  playWinner: { params: { nightId }, body: { serverId: mediaServer.serverId, sessionId: 'a1b2c3d4e5f6' } },
  getRequestServer: { params: { watchlistId }, reply: { server: requestServer } },
  connectRequestServer: {
    params: { watchlistId },
    body: { url: 'http://192.168.1.20:5055', token: '…', askers: 'members' },
    reply: { ...requestServer, open: 0 },
  },
  changeRequestServer: {
    params: { watchlistId },
    body: { askers: 'owner' },
    reply: { ...requestServer, askers: 'owner' },
  },
  deleteRequestServer: { params: { watchlistId } },
  askForMovie: { params: { watchlistId, cardId }, reply: { cardId, state: 'asked' } },
  listWebhooks: { params: { watchlistId }, reply: { webhooks: [webhook] } },
  createWebhook: {
    params: { watchlistId },
    body: { name: webhook.name, url: 'https://club.example.org/hook', format: 'standard', kinds: webhook.kinds },
    reply: { ...webhook, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
  switchWebhook: {
    params: { watchlistId, webhookId: webhook.id },
    body: { isOn: false },
    reply: { ...webhook, state: 'off' },
  },
  deleteWebhook: { params: { watchlistId, webhookId: webhook.id } },
  testWebhook: { params: { watchlistId, webhookId: webhook.id } },
  listWebhookDeliveries: {
    params: { watchlistId, webhookId: webhook.id },
    reply: {
      deliveries: [{ id: commentId, kind: 'card.revealed', at: later, state: 'delivered', attempts: 1, status: 200 }],
    },
  },

  listPersonalTokens: { reply: { tokens: [personalToken] } },
  createPersonalToken: {
    body: { name: personalToken.name, scope: personalToken.scope, days: 90 },
    reply: { ...personalToken, usedAt: null, token: `mqp_${'x'.repeat(36)}` },
  },
  revokePersonalToken: { params: { tokenId: personalToken.id } },

  validateImageUrl: { body: { url: 'https://example.org/poster' } },

  searchCatalogue: {
    query: { q: 'paris 1984', language: 'en' },
    reply: {
      results: [
        {
          source: 'tmdb',
          id: '655',
          title: 'Paris, Texas',
          originalTitle: 'Paris, Texas',
          year: 1984,
          directors: ['Wim Wenders'],
          posterUrl: 'https://films.example.org/images/posters/k3J9-xQ?of=https%3A%2F%2Fimages.example.org%2F655.jpg',
        },
      ],
    },
  },
  readCatalogueMovie: {
    params: { source: 'tmdb', id: '655' },
    query: { language: 'en' },
    reply: catalogueMovie,
  },
  readCatalogueLink: {
    body: { url: 'https://www.imdb.com/title/tt0087884/', language: 'en' },
    reply: catalogueMovie,
  },

  watchlistEvents: {
    params: { watchlistId },
    events: `retry: 2000\n: open\n\ndata: ${JSON.stringify({ kind: 'card-revealed', watchlistId, cardId, by: 'ben' })}\n\n`,
  },
  ownEvents: { events: `retry: 2000\n: open\n\ndata: ${JSON.stringify({ kind: 'notifications-changed' })}\n\n` },
}
