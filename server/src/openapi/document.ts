import { ACCOUNT_ENDPOINTS } from '@marquee/contract/endpoints/account'
import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { CATALOGUE_ENDPOINTS } from '@marquee/contract/endpoints/catalogue'
import { COMMENT_ENDPOINTS } from '@marquee/contract/endpoints/comments'
import { IMAGE_ENDPOINTS } from '@marquee/contract/endpoints/images'
import { INVITATION_ENDPOINTS } from '@marquee/contract/endpoints/invitations'
import { LIVE_ENDPOINTS } from '@marquee/contract/endpoints/live'
import { PROFILE_ENDPOINTS } from '@marquee/contract/endpoints/profiles'
import { WATCHLIST_ENDPOINTS } from '@marquee/contract/endpoints/watchlists'
import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'

import manifest from '../../package.json' with { type: 'json' }
import type { OpenApiDocument, Operation } from './document-types.ts'
import { operationOf, templateOf } from './operation.ts'
import { problemResponses } from './problem-responses.ts'
import { namedSchemas } from './schemas.ts'

const AREAS: readonly (readonly [name: string, description: string, endpoints: object])[] = [
  ['Watchlists', 'Shared lists: make, read, change, share with care, delete.', WATCHLIST_ENDPOINTS],
  ['Cards', 'Movies: into the box, out of it by chance, and what becomes of them.', CARD_ENDPOINTS],
  ['Comments', 'What people say about a card.', COMMENT_ENDPOINTS],
  ['Invitations', 'How people come to a watchlist.', INVITATION_ENDPOINTS],
  ['Profiles', 'Who people are to each other.', PROFILE_ENDPOINTS],
  ['Catalogue', 'Find a movie and its facts, by title or by link.', CATALOGUE_ENDPOINTS],
  ['Images', 'Looking at an address before it is used.', IMAGE_ENDPOINTS],
  ['Account', 'What is yours alone.', ACCOUNT_ENDPOINTS],
  ['Live', 'Hearing of changes as they happen.', LIVE_ENDPOINTS],
]

const DESCRIPTION = `Shared movie watchlists: put suggestions into a box, reveal one at random, decide, watch, talk.

Every call needs the **id token** of a signed-in user as a bearer token, unless it says otherwise. Tokens come from the user
pool that \`GET /config.json\` names (\`auth\`); it speaks the protocol of Amazon Cognito, so its client libraries work.

Bodies are JSON; a call that takes no body refuses one with 400. Times are ISO 8601 in UTC. Pages go on from their
\`nextToken\`. Whatever is refused is answered with a problem: \`{"type", "message"}\`, the type from a closed list, the
message made to be shown to people.`

/** The product API as an OpenAPI 3.1 document, made from the schemas that the server itself reads and answers by. */
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
    components: {
      schemas: namedSchemas(),
      responses: problemResponses(),
      securitySchemes: { idToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  }
}
