import type { z } from 'zod'

import { ACCOUNT_ENDPOINTS } from './endpoints/account.ts'
import { AVAILABILITY_ENDPOINTS } from './endpoints/availability.ts'
import { CARD_ENDPOINTS } from './endpoints/cards.ts'
import { CATALOGUE_ENDPOINTS } from './endpoints/catalogue.ts'
import { COMMENT_ENDPOINTS } from './endpoints/comments.ts'
import { DRAW_ENDPOINTS } from './endpoints/draws.ts'
import type { Endpoint } from './base/endpoint.ts'
import { EXPORT_ENDPOINTS } from './endpoints/exports.ts'
import { IMAGE_ENDPOINTS } from './endpoints/images.ts'
import { IMPORT_ENDPOINTS } from './endpoints/imports.ts'
import { INVITATION_ENDPOINTS } from './endpoints/invitations.ts'
import { JOIN_LINK_ENDPOINTS } from './endpoints/join-links.ts'
import { LIVE_ENDPOINTS } from './endpoints/live.ts'
import { MEDIA_LINK_ENDPOINTS } from './endpoints/media-links.ts'
import { MEDIA_SERVER_ENDPOINTS } from './endpoints/media-servers.ts'
import { MOVIE_REQUEST_ENDPOINTS } from './endpoints/movie-requests.ts'
import { NIGHT_ENDPOINTS } from './endpoints/nights.ts'
import { PERSONAL_TOKEN_ENDPOINTS } from './endpoints/personal-tokens.ts'
import { NIGHT_GUEST_ENDPOINTS } from './endpoints/night-guests.ts'
import { NOTIFICATION_ENDPOINTS } from './endpoints/notifications.ts'
import { NOTIFICATION_SETTINGS_ENDPOINTS } from './endpoints/notification-settings.ts'
import { PUSH_ENDPOINTS } from './endpoints/push.ts'
import { SCREEN_ENDPOINTS } from './endpoints/screens.ts'
import { SETUP_ENDPOINTS } from './endpoints/setup.ts'
import { PROFILE_ENDPOINTS } from './endpoints/profiles.ts'
import { VIEWING_ENDPOINTS } from './endpoints/viewings.ts'
import { STATISTICS_ENDPOINTS } from './endpoints/statistics.ts'
import { VOTE_ENDPOINTS } from './endpoints/votes.ts'
import { WATCHLIST_ENDPOINTS } from './endpoints/watchlists.ts'
import { WEBHOOK_ENDPOINTS } from './endpoints/webhooks.ts'

export { MAX_BODY_BYTES, MAX_IMAGE_BODY_BYTES } from './base/endpoint.ts'
export type { Endpoint }

/**
 * Every call of the product API: `docs/product/api.md`. The web app imports the calls of a noun from their own file, so that
 * a screen loads no others.
 */
export const ENDPOINTS = {
  ...WATCHLIST_ENDPOINTS,
  ...EXPORT_ENDPOINTS,
  ...CARD_ENDPOINTS,
  ...DRAW_ENDPOINTS,
  ...COMMENT_ENDPOINTS,
  ...VIEWING_ENDPOINTS,
  ...INVITATION_ENDPOINTS,
  ...NIGHT_ENDPOINTS,
  ...VOTE_ENDPOINTS,
  ...NIGHT_GUEST_ENDPOINTS,
  ...SCREEN_ENDPOINTS,
  ...JOIN_LINK_ENDPOINTS,
  ...NOTIFICATION_ENDPOINTS,
  ...NOTIFICATION_SETTINGS_ENDPOINTS,
  ...PUSH_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
  ...PROFILE_ENDPOINTS,
  ...IMAGE_ENDPOINTS,
  ...LIVE_ENDPOINTS,
  ...CATALOGUE_ENDPOINTS,
  ...AVAILABILITY_ENDPOINTS,
  ...MEDIA_SERVER_ENDPOINTS,
  ...MEDIA_LINK_ENDPOINTS,
  ...MOVIE_REQUEST_ENDPOINTS,
  ...IMPORT_ENDPOINTS,
  ...STATISTICS_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...PERSONAL_TOKEN_ENDPOINTS,
  ...SETUP_ENDPOINTS,
} as const satisfies Record<string, Endpoint>

export type EndpointName = keyof typeof ENDPOINTS

type Schema<E, K extends string> = E extends Record<K, infer S extends z.ZodType> ? S : never

/** What a caller sends, before defaults and trimming. */
export type BodyInput<E extends Endpoint> = z.input<Schema<E, 'body'>>
/** What a handler receives, parsed. */
export type Body<E extends Endpoint> = z.output<Schema<E, 'body'>>
export type Params<E extends Endpoint> = z.output<Schema<E, 'params'>>
export type Query<E extends Endpoint> = z.output<Schema<E, 'query'>>
export type QueryInput<E extends Endpoint> = z.input<Schema<E, 'query'>>
export type Reply<E extends Endpoint> = z.output<Schema<E, 'reply'>>
