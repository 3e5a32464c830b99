import { JOIN_LINK_ENDPOINTS } from '@marquee/contract/endpoints/join-links'
import { queryOptions } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'

export const joinLinkKeys = {
  ofWatchlist: (watchlistId: string) => ['join-links', watchlistId] as const,
  first: (watchlistId: string) => ['first-join-link', watchlistId] as const,
  joined: (token: string) => ['join-links', 'joined', token] as const,
  preview: (token: string) => ['join-links', 'preview', token] as const,
}

/** The open links of a watchlist, for its members. */
export const joinLinks = (watchlistId: string) =>
  queryOptions({
    queryKey: joinLinkKeys.ofWatchlist(watchlistId),
    queryFn: async ({ signal }) => call(JOIN_LINK_ENDPOINTS.listJoinLinks, { params: { watchlistId }, signal }),
  })

/** The limits of a link, unless the user chooses others. */
export const USUAL_LINK = { days: 7, maxUses: 10 }

/**
 * Makes a link for a user who has none to share. It is a query, so that it happens once even if the screen is mounted twice,
 * and not again after the user revoked the link.
 */
export const firstJoinLink = (watchlistId: string) =>
  queryOptions({
    queryKey: joinLinkKeys.first(watchlistId),
    queryFn: async ({ client }) => {
      const link = await call(JOIN_LINK_ENDPOINTS.createJoinLink, { params: { watchlistId }, body: USUAL_LINK })
      client.setQueryData(
        joinLinks(watchlistId).queryKey,
        (before) => before && { ...before, links: [link, ...before.links] },
      )
      return { id: link.id }
    },
    staleTime: Infinity,
    gcTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** What a visitor with the link sees, signed in or not. */
export const joinLinkPreview = (token: string) =>
  queryOptions({
    queryKey: joinLinkKeys.preview(token),
    queryFn: async ({ signal }) => call(JOIN_LINK_ENDPOINTS.previewJoinLink, { body: { token }, signal }),
  })

/** The watchlist that the user is a member of by a link that lets in no one else. Asking lets no one in. */
export const joinedByLink = (token: string) =>
  queryOptions({
    queryKey: joinLinkKeys.joined(token),
    queryFn: async ({ signal }) => {
      try {
        return { watchlistId: (await call(JOIN_LINK_ENDPOINTS.joinByLink, { body: { token }, signal })).id }
      } catch (error) {
        if (isApiError(error, 'NOT_FOUND')) return { watchlistId: undefined }
        throw error
      }
    },
  })
