import { z } from 'zod'

import { Invitation, PendingInvitation, ReceivedInvitation } from '../entities/invitation.ts'
import { Watchlist } from '../entities/watchlist.ts'
import { MAX_EMAIL_LENGTH } from '../base/limits.ts'
import { isMailAddress } from '../rules/account.ts'
import { UsernameBody, endpoint, text } from '../base/endpoint.ts'

export const INVITATION_ENDPOINTS = {
  inviteUser: endpoint('POST', '/watchlists/:watchlistId/invitations', {
    summary: 'Invite a user by username, by mail; replaces a pending invitation. Members only',
    status: 201,
    body: UsernameBody,
    reply: Invitation,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'invite',
    takesKey: true,
  }),
  listPendingInvitations: endpoint('GET', '/watchlists/:watchlistId/invitations', {
    summary: 'The pending invitations of a watchlist; members only',
    reply: z.array(PendingInvitation),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  withdrawInvitation: endpoint('DELETE', '/watchlists/:watchlistId/invitations/:username', {
    summary: 'Withdraw a pending invitation; members only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  inviteByMail: endpoint('POST', '/watchlists/:watchlistId/mail-invitations', {
    summary: 'Invite a mail address, with or without an account; replaces its pending invitation. Members only',
    status: 201,
    body: z.object({
      email: text({ required: 'An e-mail address is required', max: MAX_EMAIL_LENGTH }).refine(
        (email) => email === '' || isMailAddress(email),
        'This is not an e-mail address',
      ),
    }),
    reply: PendingInvitation,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'invite',
    takesKey: true,
  }),
  withdrawMailInvitation: endpoint('DELETE', '/watchlists/:watchlistId/mail-invitations/:linkId', {
    summary: 'Withdraw the pending invitation of a mail address; members only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  listReceivedInvitations: endpoint('GET', '/invitations', {
    summary: 'Your pending invitations',
    reply: z.array(ReceivedInvitation),
    errors: [],
  }),
  acceptInvitation: endpoint('POST', '/invitations/acceptance', {
    summary:
      'Join a watchlist with the token of your invitation; accepting twice succeeds. Another user gets 403 with the name of the invitee',
    body: z.object({ token: text({ required: 'A token is required', max: 128 }) }),
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  acceptReceivedInvitation: endpoint('POST', '/invitations/:watchlistId/acceptance', {
    summary: 'Join a watchlist by your pending invitation',
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
  }),
  declineInvitation: endpoint('DELETE', '/invitations/:watchlistId', {
    summary: 'Decline your pending invitation',
    errors: ['NOT_FOUND'],
  }),
} as const
