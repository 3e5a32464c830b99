import { z } from 'zod'

import { Card, CardsPage, Count, SuggestionsPage } from '../entities/card.ts'
import { Movie } from '../entities/movie.ts'
import { MAX_CARD_DESCRIPTION_LENGTH, MAX_CARD_TITLE_LENGTH } from '../limits.ts'
import { MOVE_TARGETS } from '../rules/card-moves.ts'
import { PageQuery, cardParams, endpoint, optionalText, takesImage, text, watchlistParams } from './endpoint.ts'

const CardContent = z.object({
  title: text({ required: 'Movie title is required', max: MAX_CARD_TITLE_LENGTH }),
  description: optionalText(MAX_CARD_DESCRIPTION_LENGTH),
  image: text({ required: 'An image is required' }),
  movie: Movie.nullish(),
})

export const CARD_ENDPOINTS = {
  listCards: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/cards',
    summary: 'A page of the feed: cards that are not in the box, newest status change first',
    auth: 'by-link',
    status: 200,
    params: watchlistParams,
    query: PageQuery,
    reply: CardsPage,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    revalidates: true,
  }),
  listSuggestions: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/suggestions',
    summary: 'A page of your own cards in the box, last put in first; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    query: PageQuery,
    reply: SuggestionsPage,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
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
    body: CardContent.extend({
      revealImmediately: z
        .boolean()
        .nullish()
        .transform((reveal) => reveal ?? false),
    }),
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
    limit: 'write',
    ...takesImage('image'),
    creates: true,
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
    limit: 'write',
    creates: true,
  }),
  getCard: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/cards/:cardId',
    summary: 'One card of the feed; a card in the box is not found',
    auth: 'by-link',
    status: 200,
    params: cardParams,
    reply: Card,
    errors: ['NOT_FOUND'],
  }),
  editCard: endpoint({
    method: 'PUT',
    path: '/watchlists/:watchlistId/cards/:cardId',
    summary:
      'Change title, description, image and movie; without an image or a movie the old one stays. The creator or the owner only',
    auth: 'required',
    status: 200,
    params: cardParams,
    body: CardContent.partial({ image: true }),
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
    limit: 'write',
    ...takesImage('image'),
  }),
  deleteCard: endpoint({
    method: 'DELETE',
    path: '/watchlists/:watchlistId/cards/:cardId',
    summary: 'Delete the card with its history and comments; the creator or the owner only',
    auth: 'required',
    status: 204,
    params: cardParams,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
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
    limit: 'write',
  }),
  undoMove: endpoint({
    method: 'POST',
    path: '/watchlists/:watchlistId/cards/:cardId/undo',
    summary: 'Undo accepting or declining a card, within ten seconds; the entry leaves the history',
    auth: 'required',
    status: 200,
    params: cardParams,
    reply: Card,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
    creates: true,
  }),
} as const
