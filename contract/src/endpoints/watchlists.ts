import { z } from 'zod'

import { CurrentWatchlist, Watchlist } from '../entities/watchlist.ts'
import { MAX_WATCHLIST_DESCRIPTION_LENGTH, MAX_WATCHLIST_NAME_LENGTH } from '../base/limits.ts'
import { ImageBody, UsernameBody, WatchlistIdBody, endpoint, optionalText, takesImage, text } from '../base/endpoint.ts'

const WatchlistBody = z.object({
  name: text({ required: 'Watchlist name is required', max: MAX_WATCHLIST_NAME_LENGTH }),
  description: optionalText(MAX_WATCHLIST_DESCRIPTION_LENGTH),
})

export const WATCHLIST_ENDPOINTS = {
  listWatchlists: endpoint('GET', '/watchlists', {
    summary: 'The watchlists you are a member of, oldest membership first',
    reply: z.array(Watchlist),
    errors: [],
  }),
  createWatchlist: endpoint('POST', '/watchlists', {
    summary: 'Create a watchlist; you are its owner and first member',
    status: 201,
    body: WatchlistBody,
    reply: Watchlist,
    errors: ['BAD_REQUEST'],
    takesKey: true,
  }),
  getCurrentWatchlist: endpoint('GET', '/watchlists/current', {
    summary: 'Your current watchlist',
    reply: CurrentWatchlist,
    errors: [],
  }),
  setCurrentWatchlist: endpoint('POST', '/watchlists/current', {
    summary: 'Set your current watchlist; members only',
    body: WatchlistIdBody,
    reply: CurrentWatchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  getWatchlist: endpoint('GET', '/watchlists/:watchlistId', {
    summary: 'One watchlist with its members',
    auth: 'by-link',
    reply: Watchlist,
    errors: ['NOT_FOUND'],
  }),
  updateWatchlist: endpoint('PUT', '/watchlists/:watchlistId', {
    summary: 'Change name and description; members only',
    body: WatchlistBody,
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  deleteWatchlist: endpoint('DELETE', '/watchlists/:watchlistId', {
    summary: 'Delete the watchlist with its cards, comments and invitations; the owner only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  uploadWatchlistImage: endpoint('POST', '/watchlists/:watchlistId/image', {
    summary: 'Set the image of the watchlist, as a base64 data URL; members only',
    body: ImageBody,
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'SERVICE_UNAVAILABLE'],
    limit: 'upload',
    ...takesImage('imageData'),
  }),
  deleteWatchlistImage: endpoint('DELETE', '/watchlists/:watchlistId/image', {
    summary: 'Remove the image; members only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  setWatchlistPrivacy: endpoint('PUT', '/watchlists/:watchlistId/privacy', {
    summary: 'Set whether non-members may read it by its link; the owner only',
    body: z.object({ isPrivate: z.boolean() }),
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  handOverWatchlist: endpoint('PUT', '/watchlists/:watchlistId/owner', {
    summary: 'Make another member the owner; the owner only',
    body: UsernameBody,
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  removeMember: endpoint('DELETE', '/watchlists/:watchlistId/members/:username', {
    summary: 'Leave (yourself, unless you are the owner) or remove a member (the owner only)',
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
} as const
