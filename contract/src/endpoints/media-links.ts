import { z } from 'zod'

import { MediaAccounts, MediaLink, MediaLinks, NewMediaHook, QuickConnect } from '../entities/media-link.ts'
import { MAX_MEDIA_ATTEMPT_LENGTH, MAX_MEDIA_PASSWORD_LENGTH, MAX_MEDIA_USER_LENGTH } from '../base/limits.ts'
import { endpoint, id, exactText, text } from '../base/endpoint.ts'

export const MEDIA_LINK_ENDPOINTS = {
  listMediaLinks: endpoint('GET', '/watchlists/:watchlistId/media-links', {
    summary:
      "The caller's own users of the media servers; what waits for them if they gave the key of a server; for the owner the addresses for reports. Members only",
    reply: MediaLinks,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  beginQuickConnect: endpoint('POST', '/watchlists/:watchlistId/media-servers/:serverId/quick-connect', {
    summary: 'Get a code with which the caller links their user of a Jellyfin server. Members only',
    reply: QuickConnect,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaSignIn',
  }),
  finishQuickConnect: endpoint('PUT', '/watchlists/:watchlistId/media-servers/:serverId/quick-connect', {
    summary: 'Link the user who has entered the code in Jellyfin; null until then. Members only',
    body: z.object({ attempt: text({ required: 'An attempt is required', max: MAX_MEDIA_ATTEMPT_LENGTH }) }),
    reply: z.object({ link: MediaLink.nullable() }),
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaLink',
  }),
  linkWithPassword: endpoint('PUT', '/watchlists/:watchlistId/media-servers/:serverId/link', {
    summary: "Link the caller's user of an Emby server. The password is not kept. Members only",
    body: z.object({
      name: text({ required: 'A name is required', max: MAX_MEDIA_USER_LENGTH }),
      /** Users of Emby may have none. Spaces may be part of it. */
      password: exactText(MAX_MEDIA_PASSWORD_LENGTH),
    }),
    reply: MediaLink,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaSignIn',
  }),
  listMediaAccounts: endpoint('GET', '/watchlists/:watchlistId/media-servers/:serverId/accounts', {
    summary: 'The accounts that a Plex server knows. Members only',
    reply: MediaAccounts,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaLink',
  }),
  claimMediaAccount: endpoint('PUT', '/watchlists/:watchlistId/media-servers/:serverId/claim', {
    summary:
      "Say which account of a Plex server is the caller's. The member who gave the key of the server confirms it. Members only",
    body: z.object({ accountId: id }),
    reply: MediaLink,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaLink',
  }),
  answerMediaClaim: endpoint('PUT', '/watchlists/:watchlistId/media-servers/:serverId/claims/:username', {
    summary:
      'Confirm or refuse that an account of a Plex server is that of a member, unless they claim another by now. Only the member who gave the key of the server',
    body: z.object({
      /** Of the claim that the caller has read. */
      accountId: id,
      isConfirmed: z.boolean(),
    }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  unlinkMediaUser: endpoint('DELETE', '/watchlists/:watchlistId/media-servers/:serverId/link', {
    summary: "End the link to the caller's user of a media server: its token is gone. Members only",
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  makeMediaHook: endpoint('POST', '/watchlists/:watchlistId/media-servers/:serverId/hook', {
    summary:
      'Make the address to which a media server reports what was played, in place of an earlier one. The owner only',
    status: 201,
    reply: NewMediaHook,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
} as const
