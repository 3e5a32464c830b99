import { z } from 'zod'

import { Card, CardsPage, Count, MovieMatch, SuggestionsPage, WantsPage } from '../entities/card.ts'
import { WrittenContent } from '../entities/card-content.ts'
import { MovieIds } from '../entities/movie.ts'
import { Stars } from '../entities/viewing.ts'
import {
  MAX_CARD_TITLE_LENGTH,
  MAX_GENRE_LENGTH,
  MAX_LIBRARY_QUERY_LENGTH,
  MAX_RUNTIME_MINUTES,
  MAX_USERNAME_LENGTH,
  MOVIE_YEARS,
} from '../base/limits.ts'
import { MOVE_TARGETS } from '../rules/card-moves.ts'
import { LIBRARY_SORTS, LIBRARY_STATUSES } from '../rules/library.ts'
import { PageQuery, endpoint, nightId, takesImage, text } from '../base/endpoint.ts'

const NewCard = WrittenContent.extend({ image: text({ required: 'An image is required' }) })

/** An empty text does not filter. */
const filter = (max: number) =>
  text({ max })
    .transform((value) => (value === '' ? undefined : value))
    .optional()

const LibraryQuery = PageQuery.extend({
  /** Each word is part of a title or of the name of a director. */
  q: filter(MAX_LIBRARY_QUERY_LENGTH),
  status: z.enum(LIBRARY_STATUSES).optional(),
  genre: filter(MAX_GENRE_LENGTH),
  /** The first year of the decade. */
  decade: z.coerce
    .number()
    .int()
    .min(MOVIE_YEARS.first)
    .max(MOVIE_YEARS.last)
    .refine((year) => year % 10 === 0, 'A decade begins with a year such as 1980')
    .optional(),
  maxRuntime: z.coerce.number().int().min(1).max(MAX_RUNTIME_MINUTES).optional(),
  suggestedBy: filter(MAX_USERNAME_LENGTH),
  /** By the caller, as are the ratings. */
  seen: z.enum(['yes', 'no']).optional(),
  /** At least so many stars by the caller. */
  ownRating: z.coerce.number().pipe(Stars).optional(),
  /** At least so many stars on average, among the movies whose ratings the caller may see. */
  averageRating: z.coerce.number().pipe(Stars).optional(),
  /** On a streaming service that the caller has chosen. */
  watchable: z.enum(['yes']).optional(),
  sort: z.enum(LIBRARY_SORTS).default('changed'),
})

export const CARD_ENDPOINTS = {
  listCards: endpoint('GET', '/watchlists/:watchlistId/cards', {
    summary: 'A page of the feed: cards that are not in the box, newest status change first',
    auth: 'by-link',
    query: PageQuery,
    reply: CardsPage,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    revalidates: true,
  }),
  listLibrary: endpoint('GET', '/watchlists/:watchlistId/library', {
    summary: 'A page of the cards that are not in the box, searched, filtered and sorted',
    auth: 'by-link',
    query: LibraryQuery,
    reply: CardsPage,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
  }),
  listSuggestions: endpoint('GET', '/watchlists/:watchlistId/suggestions', {
    summary: 'A page of your own cards in the box, last put in first; members only',
    query: PageQuery,
    reply: SuggestionsPage,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  countSuggestedCards: endpoint('GET', '/watchlists/:watchlistId/cards/suggested/count', {
    summary: 'How many cards are in the box; members only',
    reply: Count,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  matchMovie: endpoint('GET', '/watchlists/:watchlistId/match', {
    summary: 'Whether a movie is in the feed or in the box, found by its ids, else by title and year; members only',
    query: MovieIds.extend({
      title: text({ required: 'A title is required', max: MAX_CARD_TITLE_LENGTH }),
      originalTitle: text({ max: MAX_CARD_TITLE_LENGTH }).optional(),
      year: z.coerce.number().int().min(MOVIE_YEARS.first).max(MOVIE_YEARS.last).optional(),
    }),
    reply: MovieMatch,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'catalogueMovie',
  }),
  wantMovie: endpoint('POST', '/watchlists/:watchlistId/wants', {
    summary: 'Want a movie that is in the box already; repeating it changes nothing. Members only',
    body: NewCard.pick({ title: true, movie: true }),
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    // As often as `matchMovie`, which answers the same question.
    limit: 'catalogueMovie',
  }),
  listWants: endpoint('GET', '/watchlists/:watchlistId/wants', {
    summary: 'A page of the movies in the box that you want, too, last wanted first; members only',
    query: PageQuery,
    reply: WantsPage,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  unwantMovie: endpoint('DELETE', '/watchlists/:watchlistId/wants/:wantId', {
    summary: 'Want a movie in the box no more; repeating it changes nothing. Members only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  addCard: endpoint('POST', '/watchlists/:watchlistId/cards', {
    summary: 'Put a movie into the box, or straight into the feed; members only',
    status: 201,
    body: NewCard.extend({
      revealImmediately: z
        .boolean()
        .nullish()
        .transform((reveal) => reveal ?? false),
    }),
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
    ...takesImage('image'),
    takesKey: true,
  }),
  revealRandomCard: endpoint('POST', '/watchlists/:watchlistId/cards/reveal', {
    summary: 'Draw a random card from the box; members only',
    reply: Card,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    takesKey: true,
  }),
  getCard: endpoint('GET', '/watchlists/:watchlistId/cards/:cardId', {
    summary: 'One card of the feed; a card in the box is not found',
    auth: 'by-link',
    reply: Card,
    errors: ['NOT_FOUND'],
  }),
  editCard: endpoint('PUT', '/watchlists/:watchlistId/cards/:cardId', {
    summary:
      'Change title, description, image and movie; without an image or a movie the old one stays. The creator or the owner only',
    body: NewCard.partial({ image: true }),
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
    ...takesImage('image'),
  }),
  deleteCard: endpoint('DELETE', '/watchlists/:watchlistId/cards/:cardId', {
    summary: 'Delete the card with its history and comments; the creator or the owner only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  moveCard: endpoint('PUT', '/watchlists/:watchlistId/cards/:cardId/status', {
    summary: 'Put a revealed card back into the box, decline it or accept it; members only',
    // The night at which it was accepted, or null if none was open. Without it, an accepted card is a movie of the open night.
    body: z.object({ status: z.enum(MOVE_TARGETS), nightId: nightId.nullable().optional() }),
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    takesKey: true,
  }),
  undoMove: endpoint('POST', '/watchlists/:watchlistId/cards/:cardId/undo', {
    summary: 'Undo accepting or declining a card, within ten seconds; the entry leaves the history',
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    takesKey: true,
  }),
} as const
