import { ACCOUNT_ENDPOINTS } from '@marquee/contract/endpoints/account'
import { AVAILABILITY_ENDPOINTS } from '@marquee/contract/endpoints/availability'
import { MEDIA_LINK_ENDPOINTS } from '@marquee/contract/endpoints/media-links'
import { MEDIA_SERVER_ENDPOINTS } from '@marquee/contract/endpoints/media-servers'
import { MOVIE_REQUEST_ENDPOINTS } from '@marquee/contract/endpoints/movie-requests'
import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { CATALOGUE_ENDPOINTS } from '@marquee/contract/endpoints/catalogue'
import { COMMENT_ENDPOINTS } from '@marquee/contract/endpoints/comments'
import { DRAW_ENDPOINTS } from '@marquee/contract/endpoints/draws'
import { IMAGE_ENDPOINTS } from '@marquee/contract/endpoints/images'
import { IMPORT_ENDPOINTS } from '@marquee/contract/endpoints/imports'
import { INVITATION_ENDPOINTS } from '@marquee/contract/endpoints/invitations'
import { JOIN_LINK_ENDPOINTS } from '@marquee/contract/endpoints/join-links'
import { LIVE_ENDPOINTS } from '@marquee/contract/endpoints/live'
import { NIGHT_ENDPOINTS } from '@marquee/contract/endpoints/nights'
import { PERSONAL_TOKEN_ENDPOINTS } from '@marquee/contract/endpoints/personal-tokens'
import { NIGHT_GUEST_ENDPOINTS } from '@marquee/contract/endpoints/night-guests'
import { NOTIFICATION_SETTINGS_ENDPOINTS } from '@marquee/contract/endpoints/notification-settings'
import { NOTIFICATION_ENDPOINTS } from '@marquee/contract/endpoints/notifications'
import { PUSH_ENDPOINTS } from '@marquee/contract/endpoints/push'
import { SCREEN_ENDPOINTS } from '@marquee/contract/endpoints/screens'
import { PROFILE_ENDPOINTS } from '@marquee/contract/endpoints/profiles'
import { SETUP_ENDPOINTS } from '@marquee/contract/endpoints/setup'
import { STATISTICS_ENDPOINTS } from '@marquee/contract/endpoints/statistics'
import { VOTE_ENDPOINTS } from '@marquee/contract/endpoints/votes'
import { VIEWING_ENDPOINTS } from '@marquee/contract/endpoints/viewings'
import { EXPORT_ENDPOINTS } from '@marquee/contract/endpoints/exports'
import { WATCHLIST_ENDPOINTS } from '@marquee/contract/endpoints/watchlists'
import { WEBHOOK_ENDPOINTS } from '@marquee/contract/endpoints/webhooks'
import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'

import manifest from '../../package.json' with { type: 'json' }
import type { OpenApiDocument, Operation } from './document-types.ts'
import { operationOf, templateOf } from './operation.ts'
import { problemResponses } from './problem-responses.ts'
import { namedSchemas } from './schemas.ts'
import { webhookMessages } from './webhook-messages.ts'

const AREAS: readonly (readonly [name: string, description: string, endpoints: object])[] = [
  ['Watchlists', 'Create, read, change, share and delete watchlists.', { ...WATCHLIST_ENDPOINTS, ...EXPORT_ENDPOINTS }],
  ['Cards', 'Add movies to the box, reveal them at random, and accept, decline or put them back.', CARD_ENDPOINTS],
  ['Draws', 'Draw cards from the box so that each reader can check the result.', DRAW_ENDPOINTS],
  ['Imports', 'Import movies from a file: review, apply, undo.', IMPORT_ENDPOINTS],
  ['Comments', 'Comments on a card.', COMMENT_ENDPOINTS],
  ['Viewings', 'Who has seen a movie, and ratings.', VIEWING_ENDPOINTS],
  ['Availability', 'Where a movie can be watched, and on whose streaming services.', AVAILABILITY_ENDPOINTS],
  ['Media servers', 'The media servers of a watchlist, and what they play.', MEDIA_SERVER_ENDPOINTS],
  ['Users of media servers', 'Link a user of a media server, so that marks go both ways.', MEDIA_LINK_ENDPOINTS],
  ['Movie requests', 'The server that a watchlist asks for movies.', MOVIE_REQUEST_ENDPOINTS],
  ['Movie nights', 'Plan an evening, answer, start it, and say that you are here.', NIGHT_ENDPOINTS],
  ['Votes', 'Draw a shortlist in a movie night and vote on it in private.', VOTE_ENDPOINTS],
  ['Guests of a night', 'Let people without an account take part in one movie night.', NIGHT_GUEST_ENDPOINTS],
  ['Screens', 'Show a movie night on a television or a laptop.', SCREEN_ENDPOINTS],
  ['Statistics', 'What a watchlist has watched in a period.', STATISTICS_ENDPOINTS],
  ['Invitations', 'Invite users to a watchlist.', INVITATION_ENDPOINTS],
  ['Join links', 'Let anyone who has a link join a watchlist.', JOIN_LINK_ENDPOINTS],
  [
    'Notifications',
    'What happened in your watchlists.',
    { ...NOTIFICATION_ENDPOINTS, ...NOTIFICATION_SETTINGS_ENDPOINTS },
  ],
  ['Push messages', 'Show notifications on a device while the app is closed (Web Push).', PUSH_ENDPOINTS],
  ['Webhooks', 'Report what happens in a watchlist to other services.', WEBHOOK_ENDPOINTS],
  ['Profiles', 'Users as others see them: username and avatar.', PROFILE_ENDPOINTS],
  ['Catalogue', 'Find a movie and its facts by title or link.', CATALOGUE_ENDPOINTS],
  ['Images', 'Check an image URL before it is used.', IMAGE_ENDPOINTS],
  ['Account', 'Your data, sign-ins, passkeys and recovery codes.', ACCOUNT_ENDPOINTS],
  ['Personal tokens', 'Let scripts call this API for you.', PERSONAL_TOKEN_ENDPOINTS],
  ['Setup', 'Create the first account of an installation.', SETUP_ENDPOINTS],
  ['Live', 'Subscribe to live changes.', LIVE_ENDPOINTS],
]

const DESCRIPTION = `Shared movie watchlists: put suggestions into a box, reveal one at random, and discuss it.

Every call needs the **id token** of a signed-in user as a bearer token, unless its description says otherwise. Tokens
come from the user pool that \`GET /config.json\` names (\`auth\`). It has the protocol of Amazon Cognito, so Cognito's
client libraries work.

Scripts use a **personal token** instead. Create one on the account page, under Tokens, and send it in the same header:
\`curl -H "Authorization: Bearer mqp_…" https://marquee.example.org/api/watchlists\`. Its scope is \`read\`, for GET calls
only, or \`write\`. Calls about the account and its security need a sign-in.

Bodies are JSON; a call without a body rejects one with 400. Times are ISO 8601 in UTC. \`nextToken\` requests the next
page. An error is answered with a problem, \`{"type", "message"}\`: the type is from a fixed list, and the message can be
shown to users.`

/** The product API as an OpenAPI 3.1 document, generated from the schemas that the server validates with. */
export function openApiDocument(): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [tag, , endpoints] of AREAS) {
    for (const name of Object.keys(endpoints) as EndpointName[]) {
      const { method } = ENDPOINTS[name]
      const path = (paths[templateOf(ENDPOINTS[name])] ??= {})
      path[method.toLowerCase()] = operationOf(name, tag)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Marquee', version: manifest.version, description: DESCRIPTION },
    servers: [{ url: '/api' }],
    tags: AREAS.map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookMessages(),
    components: {
      schemas: namedSchemas(),
      responses: problemResponses(),
      securitySchemes: {
        idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        personalToken: { type: 'http', scheme: 'bearer', bearerFormat: 'mqp_' },
        nightPass: { type: 'http', scheme: 'bearer', bearerFormat: 'mqn_…' },
      },
    },
  }
}
