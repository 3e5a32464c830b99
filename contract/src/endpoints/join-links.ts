import { z } from 'zod'

import { JoinLinkPreview, JoinLinks, LINK_CREATORS, NewJoinLink } from '../entities/join-link.ts'
import { Watchlist } from '../entities/watchlist.ts'
import { MAX_JOIN_LINK_DAYS, MAX_JOIN_LINK_USES } from '../base/limits.ts'
import { endpoint, text } from '../base/endpoint.ts'

const TokenBody = z.object({ token: text({ required: 'A token is required', max: 128 }) })

export const JOIN_LINK_ENDPOINTS = {
  createJoinLink: endpoint('POST', '/watchlists/:watchlistId/join-links', {
    summary: 'Create a join link; members only',
    status: 201,
    body: z.object({
      days: z.number().int().min(1).max(MAX_JOIN_LINK_DAYS),
      maxUses: z.number().int().min(1).max(MAX_JOIN_LINK_USES),
    }),
    reply: NewJoinLink,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'invite',
    takesKey: true,
  }),
  listJoinLinks: endpoint('GET', '/watchlists/:watchlistId/join-links', {
    summary: 'The open join links, and who may create them; members only',
    reply: JoinLinks,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  revokeJoinLink: endpoint('DELETE', '/watchlists/:watchlistId/join-links/:linkId', {
    summary: 'Revoke a join link; its creator or the owner only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  setLinkCreators: endpoint('PUT', '/watchlists/:watchlistId/join-links/creators', {
    summary: 'Set who may create join links; `owner` revokes those of others. The owner only',
    body: z.object({ creators: z.enum(LINK_CREATORS) }),
    reply: JoinLinks,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  previewJoinLink: endpoint('POST', '/join/preview', {
    summary: 'What a join link leads to',
    auth: 'none',
    body: TokenBody,
    reply: JoinLinkPreview,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    limit: 'joinLink',
  }),
  joinByLink: endpoint('POST', '/join', {
    summary: 'Join a watchlist by a join link',
    body: TokenBody,
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'joinLink',
  }),
} as const
