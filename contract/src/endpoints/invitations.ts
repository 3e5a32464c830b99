import { z } from 'zod'

import { Invitation, PendingInvitation, ReceivedInvitation } from '../entities/invitation.ts'
import { Watchlist } from '../entities/watchlist.ts'
import { UsernameBody, endpoint, memberParams, text, watchlistParams } from './endpoint.ts'

export const INVITATION_ENDPOINTS = {
  inviteUser: endpoint({
    method: 'POST',
    path: '/watchlists/:watchlistId/invitations',
    summary: 'Invite a user by username, by mail; replaces an invitation that waits. Members only',
    auth: 'required',
    status: 201,
    params: watchlistParams,
    body: UsernameBody,
    reply: Invitation,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'invite',
    creates: true,
  }),
  listPendingInvitations: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/invitations',
    summary: 'The invitations of a watchlist that wait; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    reply: z.array(PendingInvitation),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/watchlists/:watchlistId/invitations/:username',
    summary: 'Withdraw an invitation that waits; members only',
    auth: 'required',
    status: 204,
    params: memberParams,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  listReceivedInvitations: endpoint({
    method: 'GET',
    path: '/invitations',
    summary: 'The invitations that wait for you',
    auth: 'required',
    status: 200,
    reply: z.array(ReceivedInvitation),
    errors: [],
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/invitations/acceptance',
    summary:
      'Join a watchlist with the token of your invitation; joining twice is joining once. In another account the answer is 403 and names the invitee',
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
    summary: 'Join a watchlist whose invitation waits for you',
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
    summary: 'Decline an invitation that waits for you',
    auth: 'required',
    status: 204,
    params: watchlistParams,
    errors: ['NOT_FOUND'],
    limit: 'write',
  }),
} as const
