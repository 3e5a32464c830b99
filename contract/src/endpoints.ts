import { z } from 'zod'

import { Card, CardsPage, Count } from './entities/card.ts'
import { CurrentWatchlist, Watchlist } from './entities/watchlist.ts'
import {
  CARDS_PAGE_SIZE,
  MAX_CARD_DESCRIPTION_LENGTH,
  MAX_CARD_TITLE_LENGTH,
  MAX_IMAGE_BYTES,
  MAX_PAGE_SIZE,
  MAX_WATCHLIST_DESCRIPTION_LENGTH,
  MAX_WATCHLIST_NAME_LENGTH,
} from './limits.ts'
import { MOVE_TARGETS } from './rules/card-moves.ts'
import type { ProblemKey } from './problems.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * One call of the product API: what both sides need to know of it. `path` is relative to `/api`, with `:name`
 * parameters. `status` is the success status; 204 has no body. `errors` are the problems it may answer with
 * beyond those every call may (UNAUTHORIZED, SERVER_ERROR, …).
 */
export type Endpoint = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly auth: 'required' | 'none'
  readonly status: 200 | 201 | 204
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly reply?: z.ZodType
  readonly errors: readonly ProblemKey[]
}

function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

/** The largest base64 data URL of an image of MAX_IMAGE_BYTES, with its header. */
const MAX_DATA_URL_LENGTH = Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 100

/**
 * Bodies may be this long; longer ones are refused before they are read. It leaves room for images that are too large,
 * so that they are refused in the spec's words.
 */
export const MAX_BODY_BYTES = MAX_DATA_URL_LENGTH * 2

const id = z.string().regex(/^[\w-]{1,64}$/u, 'This is not an identifier')
const watchlistParams = z.object({ watchlistId: id })
const cardParams = z.object({ watchlistId: id, cardId: id })

const page = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(CARDS_PAGE_SIZE),
  nextToken: z.string().min(1).max(512).optional(),
})

/** Trimmed text. PostgreSQL keeps no null characters, and nobody means one. */
const text = () =>
  z
    .string()
    .refine((value) => !value.includes('\u0000'), 'Null characters are not allowed')
    .trim()

/** Trimmed text; one that is empty after trimming counts as none. */
const optionalText = (maxLength: number) =>
  text()
    .max(maxLength)
    .nullish()
    .transform((value) => (value === undefined || value === null || value === '' ? null : value))

const WatchlistBody = z.object({
  name: text().min(1, 'Watchlist name is required').max(MAX_WATCHLIST_NAME_LENGTH),
  description: optionalText(MAX_WATCHLIST_DESCRIPTION_LENGTH),
})

export const ENDPOINTS = {
  listWatchlists: endpoint({
    method: 'GET',
    path: '/watchlists',
    summary: 'The watchlists you are a member of, oldest membership first',
    auth: 'required',
    status: 200,
    reply: z.array(Watchlist),
    errors: [],
  }),
  createWatchlist: endpoint({
    method: 'POST',
    path: '/watchlists',
    summary: 'Make a watchlist; you are its owner and first member',
    auth: 'required',
    status: 201,
    body: WatchlistBody,
    reply: Watchlist,
    errors: ['BAD_REQUEST'],
  }),
  getCurrentWatchlist: endpoint({
    method: 'GET',
    path: '/watchlists/current',
    summary: 'The watchlist you look at by default',
    auth: 'required',
    status: 200,
    reply: CurrentWatchlist,
    errors: [],
  }),
  setCurrentWatchlist: endpoint({
    method: 'POST',
    path: '/watchlists/current',
    summary: 'Choose the watchlist you look at by default; you must be a member',
    auth: 'required',
    status: 200,
    body: z.object({ watchlistId: id }),
    reply: CurrentWatchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  getWatchlist: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId',
    summary: 'One watchlist with its members',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    reply: Watchlist,
    errors: ['NOT_FOUND'],
  }),
  updateWatchlist: endpoint({
    method: 'PUT',
    path: '/watchlists/:watchlistId',
    summary: 'Change name and description; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    body: WatchlistBody,
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  listCards: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/cards',
    summary: 'A page of the feed: cards that are not in the box, newest status change first',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    query: page,
    reply: CardsPage,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
  }),
  countSuggestedCards: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/cards/suggested/count',
    summary: 'How many cards are in the box; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    reply: Count,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  addCard: endpoint({
    method: 'POST',
    path: '/watchlists/:watchlistId/cards',
    summary: 'Put a movie into the box, or straight into the feed; members only',
    auth: 'required',
    status: 201,
    params: watchlistParams,
    body: z.object({
      title: text().min(1, 'Movie title is required').max(MAX_CARD_TITLE_LENGTH),
      description: optionalText(MAX_CARD_DESCRIPTION_LENGTH),
      image: text().min(1, 'An image is required'),
      revealImmediately: z
        .boolean()
        .nullish()
        .transform((reveal) => reveal ?? false),
    }),
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'],
  }),
  revealRandomCard: endpoint({
    method: 'POST',
    path: '/watchlists/:watchlistId/cards/reveal',
    summary: 'Draw a random card from the box; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    reply: Card,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  moveCard: endpoint({
    method: 'PUT',
    path: '/watchlists/:watchlistId/cards/:cardId/status',
    summary: 'Put a revealed card back into the box, decline it or accept it; members only',
    auth: 'required',
    status: 200,
    params: cardParams,
    body: z.object({ status: z.enum(MOVE_TARGETS) }),
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof ENDPOINTS

type Schema<E, K extends string> = E extends Record<K, infer S extends z.ZodType> ? S : never

/** What a caller sends, before defaults and trimming. */
export type BodyInput<E extends Endpoint> = z.input<Schema<E, 'body'>>
/** What a handler receives, parsed. */
export type Body<E extends Endpoint> = z.output<Schema<E, 'body'>>
export type Params<E extends Endpoint> = z.output<Schema<E, 'params'>>
export type Query<E extends Endpoint> = z.output<Schema<E, 'query'>>
export type QueryInput<E extends Endpoint> = z.input<Schema<E, 'query'>>
export type Reply<E extends Endpoint> = z.output<Schema<E, 'reply'>>
