import { z } from 'zod'

import { CardViewings, CardViewingsList, Stars } from '../entities/viewing.ts'
import { MAX_PAGE_SIZE, MAX_VIEWING_NOTE_LENGTH } from '../base/limits.ts'
import { cardIds, endpoint, optionalText } from '../base/endpoint.ts'

const path = '/watchlists/:watchlistId/cards/:cardId/viewing'

export const VIEWING_ENDPOINTS = {
  listViewings: endpoint('GET', '/watchlists/:watchlistId/viewings', {
    summary:
      'Who has seen the movies of some cards of the feed, and their ratings once you have rated or declined to; members only',
    query: z.object({ cards: cardIds(MAX_PAGE_SIZE) }),
    reply: CardViewingsList,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  saveViewing: endpoint('PUT', path, {
    summary: 'Mark the movie of a card of the feed as seen by you, with or without a rating; members only',
    body: z.object({
      seenOn: z.iso.date('Use a date such as 2026-11-22').nullish(),
      stars: Stars.nullish(),
      note: optionalText(MAX_VIEWING_NOTE_LENGTH),
    }),
    reply: CardViewings,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    takesKey: true,
  }),
  deleteViewing: endpoint('DELETE', path, {
    summary: 'Remove your mark that you have seen the movie of a card, with its rating; members only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
} as const
