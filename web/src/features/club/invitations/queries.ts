import { INVITATION_ENDPOINTS } from '@marquee/contract/endpoints/invitations'
import type { Invitation } from '@marquee/contract/entities/invitation'
import { queryOptions, skipToken } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

const RECEIVED_REFETCH_MS = 60_000

export const invitationKeys = {
  pending: (watchlistId: string) => ['invitations', 'pending', watchlistId] as const,
  sent: (watchlistId: string) => ['invitations', 'sent', watchlistId] as const,
  received: () => ['invitations', 'received'] as const,
  acceptance: (token: string) => ['invitations', 'acceptance', token] as const,
}

/** The pending invitations of a watchlist, for its members. */
export const pendingInvitations = (watchlistId: string) =>
  queryOptions({
    queryKey: invitationKeys.pending(watchlistId),
    queryFn: async ({ signal }) =>
      call(INVITATION_ENDPOINTS.listPendingInvitations, { params: { watchlistId }, signal }),
  })

/** The invitations that this page has sent. Only the reply to the inviter has the token of the link. */
export const sentInvitations = (watchlistId: string) =>
  queryOptions<Invitation[]>({
    queryKey: invitationKeys.sent(watchlistId),
    queryFn: skipToken,
    initialData: [],
    gcTime: Infinity,
  })

/** The pending invitations for the signed-in user. Read every minute, too, in case there are no live events. */
export const receivedInvitations = () =>
  queryOptions({
    queryKey: invitationKeys.received(),
    queryFn: async ({ signal }) => call(INVITATION_ENDPOINTS.listReceivedInvitations, { signal }),
    refetchInterval: RECEIVED_REFETCH_MS,
  })

/**
 * Accepts the invitation of a link, then refreshes what the new watchlist changes. It is a query, so that it happens once
 * for each token even if the screen is mounted twice. It has no signal, since the server may have accepted already. After a
 * reload the server accepts again, because the user is a member.
 */
export const acceptance = (token: string, refresh: () => Promise<void>) =>
  queryOptions({
    queryKey: invitationKeys.acceptance(token),
    queryFn: async () => {
      const { id, name } = await call(INVITATION_ENDPOINTS.acceptInvitation, { body: { token } })
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
