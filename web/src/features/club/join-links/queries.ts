import { ENDPOINTS } from '@marquee/contract/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

export const joinLinkKeys = {
  ofWatchlist: (watchlistId: string) => ['join-links', watchlistId] as const,
  preview: (token: string) => ['join-links', 'preview', token] as const,
}

/** The open links of a watchlist, for its members. */
export const joinLinks = (watchlistId: string) =>
  queryOptions({
    queryKey: joinLinkKeys.ofWatchlist(watchlistId),
    queryFn: async ({ signal }) => call(ENDPOINTS.listJoinLinks, { params: { watchlistId }, signal }),
  })

/** What a visitor with the link sees, signed in or not. */
export const joinLinkPreview = (token: string) =>
  queryOptions({
    queryKey: joinLinkKeys.preview(token),
    queryFn: async ({ signal }) => call(ENDPOINTS.previewJoinLink, { body: { token }, signal }),
  })
