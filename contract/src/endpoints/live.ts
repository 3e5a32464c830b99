import { LiveEvent } from '../base/live-events.ts'
import { endpoint, watchlistParams } from '../base/endpoint.ts'

export const LIVE_ENDPOINTS = {
  watchlistEvents: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/events',
    summary: 'What changes in the watchlist, as server-sent events that carry ids; ends when your token does',
    auth: 'by-link',
    status: 200,
    params: watchlistParams,
    errors: ['NOT_FOUND'],
    limit: 'stream',
    events: LiveEvent,
  }),
  ownEvents: endpoint({
    method: 'GET',
    path: '/notifications/events',
    summary: 'That your notifications changed, as server-sent events without data; ends when your token does',
    auth: 'required',
    status: 200,
    errors: [],
    limit: 'stream',
    events: LiveEvent,
  }),
} as const
