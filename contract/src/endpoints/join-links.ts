import { z } from 'zod'

import { JoinLinkPreview, JoinLinks, LINK_CREATORS, NewJoinLink } from '../entities/join-link.ts'
import { Watchlist } from '../entities/watchlist.ts'
import { MAX_JOIN_LINK_DAYS, MAX_JOIN_LINK_USES } from '../base/limits.ts'
import { endpoint, joinLinkParams, text, watchlistParams } from '../base/endpoint.ts'

const TokenBody = z.object({ token: text({ required: 'A token is required', max: 128 }) })

export const JOIN_LINK_ENDPOINTS = {
  createJoinLink: endpoint({
    method: 'POST',
    path: '/watchlists/:watchlistId/join-links',
    summary: 'Create a join link; members only',
    auth: 'required',
    status: 201,
    params: watchlistParams,
    body: z.object({
      days: z.number().int().min(1).max(MAX_JOIN_LINK_DAYS),
      maxUses: z.number().int().min(1).max(MAX_JOIN_LINK_USES),
    }),
    reply: NewJoinLink,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'invite',
    takesKey: true,
  }),
  listJoinLinks: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/join-links',
    summary: 'The open join links, and who may create them; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    reply: JoinLinks,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  revokeJoinLink: endpoint({
    method: 'DELETE',
    path: '/watchlists/:watchlistId/join-links/:linkId',
    summary: 'Revoke a join link; its creator or the owner only',
    auth: 'required',
    status: 204,
    params: joinLinkParams,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  setLinkCreators: endpoint({
    method: 'PUT',
    path: '/watchlists/:watchlistId/join-links/creators',
    summary: 'Set who may create join links; `owner` revokes those of others. The owner only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    body: z.object({ creators: z.enum(LINK_CREATORS) }),
    reply: JoinLinks,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'write',
  }),
  previewJoinLink: endpoint({
    method: 'POST',
    path: '/join/preview',
    summary: 'What a join link leads to',
    auth: 'none',
    status: 200,
    body: TokenBody,
    reply: JoinLinkPreview,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    limit: 'joinLink',
  }),
  joinByLink: endpoint({
    method: 'POST',
    path: '/join',
    summary: 'Join a watchlist by a join link',
    auth: 'required',
    status: 200,
    body: TokenBody,
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'joinLink',
  }),
} as const
