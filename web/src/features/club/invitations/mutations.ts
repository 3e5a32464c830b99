import { INVITATION_ENDPOINTS } from '@marquee/contract/endpoints/invitations'
import type { Invitation, PendingInvitation, ReceivedInvitation } from '@marquee/contract/entities/invitation'
import { isSameUser } from '@marquee/contract/rules/account'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { call, useCreation } from '#web/api/call.ts'

import { invitationKeys, pendingInvitations, receivedInvitations } from './queries.ts'

/** Invites a user. If they are invited already, the earlier link becomes void. */
export function useInvite(watchlistId: string) {
  const client = useQueryClient()
  const invite = useCreation(INVITATION_ENDPOINTS.inviteUser, { watchlistId })
  return useMutation({
    mutationFn: async (username: string) => invite({ username }),
    onSuccess: (invitation) => {
      client.setQueryData(invitationKeys.sent(watchlistId), (sent: Invitation[] = []) => [
        ...sent.filter(({ username }) => !isSameUser(username, invitation.username)),
        invitation,
      ])
      void client.invalidateQueries({ queryKey: invitationKeys.pending(watchlistId) })
    },
  })
}

/** Invites a mail address, whether it has an account or not. */
export function useInviteByMail(watchlistId: string) {
  const client = useQueryClient()
  const invite = useCreation(INVITATION_ENDPOINTS.inviteByMail, { watchlistId })
  return useMutation({
    mutationFn: async (email: string) => invite({ email }),
    onSuccess: () => void client.invalidateQueries({ queryKey: invitationKeys.pending(watchlistId) }),
  })
}

/** Withdraws a pending invitation. */
export function useWithdraw(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ username, linkId }: PendingInvitation) =>
      linkId === undefined
        ? call(INVITATION_ENDPOINTS.withdrawInvitation, { params: { watchlistId, username } })
        : call(INVITATION_ENDPOINTS.withdrawMailInvitation, { params: { watchlistId, linkId } }),
    onSuccess: (_, { username, linkId }) => {
      client.setQueryData(invitationKeys.sent(watchlistId), (sent: Invitation[] = []) =>
        sent.filter((other) => !isSameUser(other.username, username)),
      )
      client.setQueryData(pendingInvitations(watchlistId).queryKey, (pending: PendingInvitation[] | undefined) =>
        pending?.filter((other) => other.linkId !== linkId || !isSameUser(other.username, username)),
      )
      void client.invalidateQueries({ queryKey: invitationKeys.pending(watchlistId) })
    },
  })
}

function forget(client: QueryClient, watchlistId: string): void {
  client.setQueryData(receivedInvitations().queryKey, (received: ReceivedInvitation[] | undefined) =>
    received?.filter((invitation) => invitation.watchlistId !== watchlistId),
  )
  void client.invalidateQueries({ queryKey: invitationKeys.received() })
}

/** Accepts a pending invitation for the signed-in user. */
export function useAcceptReceived() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (watchlistId: string) =>
      call(INVITATION_ENDPOINTS.acceptReceivedInvitation, { params: { watchlistId } }),
    onSuccess: ({ id }) => forget(client, id),
  })
}

/** Declines a pending invitation for the signed-in user. */
export function useDecline() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (watchlistId: string) =>
      call(INVITATION_ENDPOINTS.declineInvitation, { params: { watchlistId } }),
    onSuccess: (_, watchlistId) => forget(client, watchlistId),
  })
}
