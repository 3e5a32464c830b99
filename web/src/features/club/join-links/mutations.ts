import { JOIN_LINK_ENDPOINTS } from '@marquee/contract/endpoints/join-links'
import type { LinkCreators } from '@marquee/contract/entities/join-link'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { call, send } from '#web/api/call.ts'

import { joinLinkKeys, joinLinks } from './queries.ts'

/** Reads the links again after a change. */
function useRefresh(watchlistId: string) {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: joinLinkKeys.ofWatchlist(watchlistId) })
}

export function useCreateLink(watchlistId: string) {
  return useMutation({
    mutationFn: send(JOIN_LINK_ENDPOINTS.createJoinLink, { watchlistId }),
    onSuccess: useRefresh(watchlistId),
  })
}

export function useRevokeLink(watchlistId: string) {
  return useMutation({
    mutationFn: async (linkId: string) => call(JOIN_LINK_ENDPOINTS.revokeJoinLink, { params: { watchlistId, linkId } }),
    onSuccess: useRefresh(watchlistId),
  })
}

export function useSetLinkCreators(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (creators: LinkCreators) =>
      call(JOIN_LINK_ENDPOINTS.setLinkCreators, { params: { watchlistId }, body: { creators } }),
    onSuccess: (links) => client.setQueryData(joinLinks(watchlistId).queryKey, links),
  })
}

export function useJoinByLink(token: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => call(JOIN_LINK_ENDPOINTS.joinByLink, { body: { token } }),
    // The page then says why the link does not work.
    onError: () => void client.invalidateQueries({ queryKey: joinLinkKeys.preview(token) }),
  })
}
