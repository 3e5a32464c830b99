import { z } from 'zod'

import { MEDIA_SERVER_KINDS, MediaPlayers, MediaServer, MediaServers } from '../entities/media-server.ts'
import { MAX_MEDIA_KEY_LENGTH, MAX_URL_LENGTH } from '../base/limits.ts'
import { endpoint, id, optionalText, text } from '../base/endpoint.ts'

const key = text({ required: 'A key is required', max: MAX_MEDIA_KEY_LENGTH })

export const MEDIA_SERVER_ENDPOINTS = {
  listMediaServers: endpoint('GET', '/watchlists/:watchlistId/media-servers', {
    summary: 'The media servers of a watchlist; only its owner sees their hosts. Members only',
    reply: MediaServers,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  connectMediaServer: endpoint('POST', '/watchlists/:watchlistId/media-servers', {
    summary: 'Connect a media server, which is asked at once. No reply has its key. The owner only',
    status: 201,
    body: z.object({
      kind: z.enum(MEDIA_SERVER_KINDS),
      url: text({ required: 'An address is required', max: MAX_URL_LENGTH }),
      token: key,
      openUrl: optionalText(MAX_URL_LENGTH),
    }),
    reply: MediaServer,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaServer',
  }),
  changeMediaServer: endpoint('PUT', '/watchlists/:watchlistId/media-servers/:serverId', {
    summary: 'Change the key of a media server, or the address at which members open it. The owner only',
    body: z.object({
      token: key.optional(),
      /** What is left out stays as it is. */
      openUrl: text({ max: MAX_URL_LENGTH }).nullable().optional(),
    }),
    reply: MediaServer,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaServer',
  }),
  deleteMediaServer: endpoint('DELETE', '/watchlists/:watchlistId/media-servers/:serverId', {
    summary: 'Disconnect a media server: its key, its list and the links to it are gone. The owner only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  readMediaServer: endpoint('POST', '/watchlists/:watchlistId/media-servers/:serverId/read', {
    summary: 'Read the list of a media server now, in the background. Members only',
    reply: MediaServer,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaServer',
  }),
  listPlayers: endpoint('GET', '/nights/:nightId/players', {
    summary: 'The devices on which the winner of a night can be played; members who are at it only',
    reply: MediaPlayers,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaServer',
  }),
  playWinner: endpoint('POST', '/nights/:nightId/play', {
    summary: 'Play the winner of a night on a device; members who are at it only',
    body: z.object({
      serverId: id,
      sessionId: text({ required: 'A device is required', max: 200 }),
    }),
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'mediaServer',
  }),
} as const
