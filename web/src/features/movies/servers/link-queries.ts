import type { BodyInput } from '@marquee/contract/endpoints'
import { MEDIA_LINK_ENDPOINTS } from '@marquee/contract/endpoints/media-links'
import { queryOptions } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call, send } from '#web/api/call.ts'
import { useChange } from '#web/api/read-again.ts'

import { faultOf } from './server-texts.ts'

export type ServerParams = { watchlistId: string; serverId: string }

/** How often it is asked whether a code was entered. */
const POLL_MS = 3_000

/** The own users of the media servers of a watchlist; for its owner also what waits for them. */
export const mediaLinks = (watchlistId: string) =>
  queryOptions({
    queryKey: ['media-links', watchlistId],
    queryFn: async ({ signal }) => await call(MEDIA_LINK_ENDPOINTS.listMediaLinks, { params: { watchlistId }, signal }),
    // What servers report comes without a live event. An owner who comes back from the server looks for it.
    staleTime: 0,
  })

/** A change of links, which are read again afterwards. */
function useLinkChange<Input, Output>({ watchlistId }: ServerParams, change: (input: Input) => Promise<Output>) {
  return useChange(change, mediaLinks(watchlistId).queryKey)
}

export function useQuickConnect(params: ServerParams) {
  return useLinkChange(params, send(MEDIA_LINK_ENDPOINTS.beginQuickConnect, params))
}

/** Whether a code has ended. A server or a connection that fails for a moment may be back while the code still works. */
export const hasEnded = (error: unknown): boolean =>
  isApiError(error) && [400, 403, 404].includes(error.status ?? 0) && faultOf(error) === undefined

/** Looks until the user has entered the code; ends with a failure once the code has ended. */
export const quickConnectAnswer = (params: ServerParams, attempt: string) =>
  queryOptions({
    queryKey: ['quick-connect', attempt],
    queryFn: async ({ signal }) =>
      (await call(MEDIA_LINK_ENDPOINTS.finishQuickConnect, { params, body: { attempt }, signal })).link,
    refetchInterval: ({ state: { data, error } }) => (data || hasEnded(error) ? false : POLL_MS),
    retry: false,
    gcTime: 0,
  })

export function useLinkWithPassword(params: ServerParams) {
  return useLinkChange(params, send(MEDIA_LINK_ENDPOINTS.linkWithPassword, params))
}

/** The accounts of a Plex server. */
export const mediaAccounts = (params: ServerParams) =>
  queryOptions({
    queryKey: ['media-accounts', params.serverId],
    queryFn: async ({ signal }) => (await call(MEDIA_LINK_ENDPOINTS.listMediaAccounts, { params, signal })).accounts,
    retry: false,
  })

export function useClaimAccount(params: ServerParams) {
  return useLinkChange(
    params,
    async (accountId: string) => await call(MEDIA_LINK_ENDPOINTS.claimMediaAccount, { params, body: { accountId } }),
  )
}

export function useAnswerClaim(params: ServerParams) {
  type Answer = { username: string } & BodyInput<typeof MEDIA_LINK_ENDPOINTS.answerMediaClaim>
  return useLinkChange(params, async ({ username, ...body }: Answer) => {
    await call(MEDIA_LINK_ENDPOINTS.answerMediaClaim, { params: { ...params, username }, body })
  })
}

export function useUnlink(params: ServerParams) {
  return useLinkChange(params, send(MEDIA_LINK_ENDPOINTS.unlinkMediaUser, params))
}

export function useMakeHook(params: ServerParams) {
  return useLinkChange(params, send(MEDIA_LINK_ENDPOINTS.makeMediaHook, params))
}
