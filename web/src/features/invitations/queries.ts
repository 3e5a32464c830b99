import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { PendingInvitation, ReceivedInvitation } from '@marquee/contract/entities/invitation'
import { isSameUser } from '@marquee/contract/rules/account'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

const RECEIVED_REFETCH_MS = 60_000

export const invitationKeys = {
  pending: (watchlistId: string) => ['invitations', 'pending', watchlistId] as const,
  received: () => ['invitations', 'received'] as const,
  acceptance: (token: string) => ['invitations', 'acceptance', token] as const,
}

/** The invitations of a watchlist that wait; for its members. */
export const pendingInvitations = (watchlistId: string) =>
  queryOptions({
    queryKey: invitationKeys.pending(watchlistId),
    queryFn: async ({ signal }) => call(ENDPOINTS.listPendingInvitations, { params: { watchlistId }, signal }),
  })

/** The invitations that wait for the signed-in user; looked for every minute while the page is looked at. */
export const receivedInvitations = () =>
  queryOptions({
    queryKey: invitationKeys.received(),
    queryFn: async ({ signal }) => call(ENDPOINTS.listReceivedInvitations, { signal }),
    refetchInterval: RECEIVED_REFETCH_MS,
  })

/** Invites someone, or anew: the link they had before is void then. */
export function useInvite(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (username: string) => call(ENDPOINTS.inviteUser, { params: { watchlistId }, body: { username } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: invitationKeys.pending(watchlistId) }),
  })
}

/** Withdraws an invitation that waits. */
export function useWithdraw(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (username: string) => call(ENDPOINTS.withdrawInvitation, { params: { watchlistId, username } }),
    onSuccess: (_, username) => {
      client.setQueryData(pendingInvitations(watchlistId).queryKey, (pending: PendingInvitation[] | undefined) =>
        pending?.filter((invitation) => !isSameUser(invitation.username, username)),
      )
      void client.invalidateQueries({ queryKey: invitationKeys.pending(watchlistId) })
    },
  })
}

/**
 * Accepts the invitation of a link, then refreshes what the new watchlist changes. It is a query, not a change in an
 * effect, so that it happens once for each token however often the screen is mounted; it is not given up either, since
 * the server may have let the user in already. After a reload the server says yes again to who is a member.
 */
export const acceptance = (token: string, refresh: () => Promise<void>) =>
  queryOptions({
    queryKey: invitationKeys.acceptance(token),
    queryFn: async () => {
      const { id, name } = await call(ENDPOINTS.acceptInvitation, { body: { token } })
      const isRefreshed = await refresh().then(
        () => true,
        () => false,
      )
      return { id, name, isRefreshed }
    },
    staleTime: Infinity,
    gcTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

function forget(client: QueryClient, watchlistId: string): void {
  client.setQueryData(receivedInvitations().queryKey, (received: ReceivedInvitation[] | undefined) =>
    received?.filter((invitation) => invitation.watchlistId !== watchlistId),
  )
  void client.invalidateQueries({ queryKey: invitationKeys.received() })
}

/** Accepts an invitation that waits for the signed-in user. */
export function useAcceptReceived() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (watchlistId: string) => call(ENDPOINTS.acceptReceivedInvitation, { params: { watchlistId } }),
    onSuccess: ({ id }) => forget(client, id),
  })
}

/** Declines an invitation that waits for the signed-in user. */
export function useDecline() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (watchlistId: string) => call(ENDPOINTS.declineInvitation, { params: { watchlistId } }),
    onSuccess: (_, watchlistId) => forget(client, watchlistId),
  })
}
