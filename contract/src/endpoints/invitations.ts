import { z } from 'zod'

import { Invitation, PendingInvitation, ReceivedInvitation } from '../entities/invitation.ts'
import { Watchlist } from '../entities/watchlist.ts'
import { MAX_EMAIL_LENGTH } from '../base/limits.ts'
import { isMailAddress } from '../rules/account.ts'
import { UsernameBody, endpoint, joinLinkParams, memberParams, text, watchlistParams } from '../base/endpoint.ts'

export const INVITATION_ENDPOINTS = {
  inviteUser: endpoint({
    method: 'POST',
    path: '/watchlists/:watchlistId/invitations',
    summary: 'Invite a user by username, by mail; replaces a pending invitation. Members only',
    auth: 'required',
    status: 201,
    params: watchlistParams,
    body: UsernameBody,
    reply: Invitation,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'invite',
    takesKey: true,
  }),
  listPendingInvitations: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/invitations',
    summary: 'The pending invitations of a watchlist; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    reply: z.array(PendingInvitation),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/watchlists/:watchlistId/invitations/:username',
    summary: 'Withdraw a pending invitation; members only',
    auth: 'required',
    status: 204,
    params: memberParams,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  inviteByMail: endpoint({
    method: 'POST',
    path: '/watchlists/:watchlistId/mail-invitations',
    summary: 'Invite a mail address, with or without an account; replaces its pending invitation. Members only',
    auth: 'required',
    status: 201,
    params: watchlistParams,
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
  withdrawMailInvitation: endpoint({
    method: 'DELETE',
    path: '/watchlists/:watchlistId/mail-invitations/:linkId',
    summary: 'Withdraw the pending invitation of a mail address; members only',
    auth: 'required',
    status: 204,
    params: joinLinkParams,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  listReceivedInvitations: endpoint({
    method: 'GET',
    path: '/invitations',
    summary: 'Your pending invitations',
    auth: 'required',
    status: 200,
    reply: z.array(ReceivedInvitation),
    errors: [],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/invitations/acceptance',
    summary:
      'Join a watchlist with the token of your invitation; accepting twice succeeds. Another user gets 403 with the name of the invitee',
    auth: 'required',
    status: 200,
    body: z.object({ token: text({ required: 'A token is required', max: 128 }) }),
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  acceptReceivedInvitation: endpoint({
    method: 'POST',
    path: '/invitations/:watchlistId/acceptance',
    summary: 'Join a watchlist by your pending invitation',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    limit: 'write',
  }),
  declineInvitation: endpoint({
    method: 'DELETE',
    path: '/invitations/:watchlistId',
    summary: 'Decline your pending invitation',
    auth: 'required',
    status: 204,
    params: watchlistParams,
    errors: ['NOT_FOUND'],
    limit: 'write',
  }),
} as const
