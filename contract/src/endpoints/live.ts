import { LiveEvent } from '../base/live-events.ts'
import { endpoint } from '../base/endpoint.ts'

export const LIVE_ENDPOINTS = {
  watchlistEvents: endpoint('GET', '/watchlists/:watchlistId/events', {
    summary: 'What changes in the watchlist, as server-sent events that carry ids; ends when your token does',
    auth: 'by-link',
    errors: ['NOT_FOUND'],
    limit: 'stream',
    events: LiveEvent,
  }),
  ownEvents: endpoint('GET', '/notifications/events', {
    summary: 'That your notifications changed, as server-sent events without data; ends when your token does',
    errors: [],
    limit: 'stream',
    events: LiveEvent,
  }),
} as const
