import { z } from 'zod'

import { ASKERS, MovieRequest, RequestServer, RequestServerOfWatchlist } from '../entities/movie-request.ts'
import { MAX_MEDIA_KEY_LENGTH, MAX_URL_LENGTH } from '../base/limits.ts'
import { endpoint, text } from '../base/endpoint.ts'

const key = text({ required: 'A key is required', max: MAX_MEDIA_KEY_LENGTH })

export const MOVIE_REQUEST_ENDPOINTS = {
  getRequestServer: endpoint('GET', '/watchlists/:watchlistId/request-server', {
    summary: 'The server that is asked for movies; only the owner of the watchlist sees its host. Members only',
    reply: RequestServerOfWatchlist,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  connectRequestServer: endpoint('POST', '/watchlists/:watchlistId/request-server', {
    summary: 'Connect Seerr, Jellyseerr or Overseerr, which is asked at once. No reply has its key. The owner only',
    status: 201,
    body: z.object({
      url: text({ required: 'An address is required', max: MAX_URL_LENGTH }),
      token: key,
      askers: z.enum(ASKERS).default('members'),
    }),
    reply: RequestServer,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaServer',
  }),
  changeRequestServer: endpoint('PUT', '/watchlists/:watchlistId/request-server', {
    summary: 'Change the key of the server that is asked for movies, or who may ask. The owner only',
    /** What is left out stays as it is. */
    body: z.object({ token: key.optional(), askers: z.enum(ASKERS).optional() }),
    reply: RequestServer,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaServer',
  }),
  deleteRequestServer: endpoint('DELETE', '/watchlists/:watchlistId/request-server', {
    summary: 'Disconnect the server that is asked for movies: its key and all requests are gone. The owner only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  askForMovie: endpoint('PUT', '/watchlists/:watchlistId/cards/:cardId/request', {
    summary:
      'Ask for the movie of a card of the feed, which is sent in the background; once for each movie. Members only',
    reply: MovieRequest,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
} as const
