import { type BodyInput, ENDPOINTS } from '@marquee/contract/endpoints'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

export type ServerParams = { watchlistId: string; serverId: string }

/** How often it is asked whether a code was entered. */
const POLL_MS = 3_000

/** The own users of the media servers of a watchlist; for its owner also what waits for them. */
export const mediaLinks = (watchlistId: string) =>
  queryOptions({
    queryKey: ['media-links', watchlistId],
    queryFn: async ({ signal }) => await call(ENDPOINTS.listMediaLinks, { params: { watchlistId }, signal }),
  })

/** A change of links, which are read again afterwards. */
function useLinkChange<Input, Output>({ watchlistId }: ServerParams, change: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: async () => await client.invalidateQueries(mediaLinks(watchlistId)),
  })
}

export function useQuickConnect(params: ServerParams) {
  return useLinkChange<void, Awaited<ReturnType<typeof beginQuickConnect>>>(
    params,
    async () => await beginQuickConnect(params),
  )
}

const beginQuickConnect = async (params: ServerParams) => await call(ENDPOINTS.beginQuickConnect, { params })

/** Looks until the user has entered the code; ends with a failure once the code has ended. */
export const quickConnectAnswer = (params: ServerParams, attempt: string) =>
  queryOptions({
    queryKey: ['quick-connect', attempt],
    queryFn: async ({ signal }) =>
      (await call(ENDPOINTS.finishQuickConnect, { params, body: { attempt }, signal })).link,
    refetchInterval: ({ state: { data, error } }) => (data || error ? false : POLL_MS),
    retry: false,
    gcTime: 0,
  })

export function useLinkWithPassword(params: ServerParams) {
  return useLinkChange(
    params,
    async (body: BodyInput<typeof ENDPOINTS.linkWithPassword>) =>
      await call(ENDPOINTS.linkWithPassword, { params, body }),
  )
}

/** The accounts of a Plex server. */
export const mediaAccounts = (params: ServerParams) =>
  queryOptions({
    queryKey: ['media-accounts', params.serverId],
    queryFn: async ({ signal }) => (await call(ENDPOINTS.listMediaAccounts, { params, signal })).accounts,
    retry: false,
  })

export function useClaimAccount(params: ServerParams) {
  return useLinkChange(
    params,
    async (accountId: string) => await call(ENDPOINTS.claimMediaAccount, { params, body: { accountId } }),
  )
}

export function useAnswerClaim(params: ServerParams) {
  return useLinkChange(params, async ({ username, isConfirmed }: { username: string; isConfirmed: boolean }) => {
    await call(ENDPOINTS.answerMediaClaim, { params: { ...params, username }, body: { isConfirmed } })
  })
}

export function useUnlink(params: ServerParams) {
  return useLinkChange<void, void>(params, async () => {
    await call(ENDPOINTS.unlinkMediaUser, { params })
  })
}

export function useMakeHook(params: ServerParams) {
  return useLinkChange<void, { url: string }>(params, async () => await call(ENDPOINTS.makeMediaHook, { params }))
}
