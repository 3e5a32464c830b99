import { z } from 'zod'

import { Card, CardsPage, CardStatus, StatusChange } from '@marquee/contract/entities/card'
import { CatalogueMovie, CatalogueResult } from '@marquee/contract/entities/catalogue'
import { Comment, CommentsPage } from '@marquee/contract/entities/comment'
import { DrawOdds, DrawReceipt, DrawsPage } from '@marquee/contract/entities/draw'
import { Invitation, PendingInvitation, ReceivedInvitation } from '@marquee/contract/entities/invitation'
import { JoinLink, JoinLinkPreview } from '@marquee/contract/entities/join-link'
import { MEDIA_SERVER_FAULTS } from '@marquee/contract/entities/media-server'
import { Movie } from '@marquee/contract/entities/movie'
import { Night } from '@marquee/contract/entities/night'
import { PushDevice } from '@marquee/contract/entities/push'
import { PersonalToken } from '@marquee/contract/entities/personal-token'
import { Profile } from '@marquee/contract/entities/profile'
import { Statistics } from '@marquee/contract/entities/statistics'
import { Member, Watchlist } from '@marquee/contract/entities/watchlist'
import { Webhook, WebhookDelivery } from '@marquee/contract/entities/webhook'
import { LiveEvent } from '@marquee/contract/live-events'
import { type ProblemKey, problemType, PROBLEMS } from '@marquee/contract/problems'

import type { JsonSchema } from './document-types.ts'

/** The reply of every error. `fault` is what is wrong with a media server. */
export const ProblemReply = z.object({
  type: z.enum([...new Set((Object.keys(PROBLEMS) as ProblemKey[]).map(problemType))]),
  message: z.string(),
  fault: z.enum(MEDIA_SERVER_FAULTS).optional(),
})

const NAMED: readonly (readonly [id: string, schema: z.ZodType, description: string])[] = [
  ['Watchlist', Watchlist, 'A list with its members in the order they joined. `ownerId` is the owner’s username.'],
  ['Member', Member, 'A member of a watchlist.'],
  [
    'Card',
    Card,
    'A movie card. `creatorId` and `changedBy` are usernames; `statusChanges` are oldest first, `lastComments` newest first ' +
      'and at most three. `selectionIndex` is the card’s slot while it is in the box, else null.',
  ],
  ['CardStatus', CardStatus, 'A SUGGESTED card is in the box, and secret; the others are in the feed.'],
  ['StatusChange', StatusChange, 'One step in the history of a card.'],
  ['CardsPage', CardsPage, 'A page of the feed; `nextToken` asks for the next one and is null on the last.'],
  ['Statistics', Statistics, 'What a watchlist has watched in a period. A movie is watched when its card is accepted.'],
  ['Comment', Comment, 'A comment on a card. It was edited if `updatedAt` is later than `createdAt`.'],
  ['CommentsPage', CommentsPage, 'A page of comments; `nextToken` asks for the next one and is null on the last.'],
  ['Invitation', Invitation, 'The reply to the inviter. No other reply has the token.'],
  ['PendingInvitation', PendingInvitation, 'A pending invitation as the members of the watchlist see it.'],
  ['ReceivedInvitation', ReceivedInvitation, 'A pending invitation as the invitee sees it.'],
  ['JoinLink', JoinLink, 'An open join link as the members of the watchlist see it.'],
  [
    'JoinLinkPreview',
    JoinLinkPreview,
    'What a visitor with the link sees before joining. `watchlist` is null unless the link is open.',
  ],
  ['Webhook', Webhook, 'A webhook as the owner of the watchlist sees it. Of its address only the host is shown.'],
  ['WebhookDelivery', WebhookDelivery, 'One message of a webhook. `status` is that of the last answer.'],
  ['PushDevice', PushDevice, 'A browser in which a user gets push messages. `usedAt` is null if it got none.'],
  [
    'PersonalToken',
    PersonalToken,
    'A personal access token as its owner sees it. `expiresAt` is null if it does not expire, `usedAt` if it was not used.',
  ],
  [
    'Profile',
    Profile,
    'A user. `avatarUrl` is a path on this server, `fullAvatarUrl` the same with its origin; `currentWatchlistId` is null ' +
      'in the profile of another user.',
  ],
  [
    'Night',
    Night,
    'A movie night. One of `times` is fixed; of two or three, members still choose. A night that was started without a plan ' +
      'has none. `localTime` is `startsAt` on the clock of `timeZone`. `present` are the members who are here now.',
  ],
  ['DrawsPage', DrawsPage, 'A page of the draws, newest first. A card that is in the box again has no title.'],
  [
    'DrawReceipt',
    DrawReceipt,
    'Everything about one draw. `table` is null if the draw cannot be checked. `docs/product/draws.md` explains the check.',
  ],
  ['DrawOdds', DrawOdds, 'How the next card is drawn. `people` is empty with the rule `cards`.'],
  ['Movie', Movie, 'Facts of a movie. `language` is the original language, `ids` are its ids at other services.'],
  [
    'CatalogueResult',
    CatalogueResult,
    'A movie that a search found. `source` and `id` name it in `GET /catalogue/movies/{source}/{id}`.',
  ],
  [
    'CatalogueMovie',
    CatalogueMovie,
    'What fills the form of a card. `posterUrl` is an image on this server that a card can use as its `image`.',
  ],
  [
    'LiveEvent',
    LiveEvent,
    'What changed, by id and without data: fetch it again. `by` is the username of who did it, except for `box-changed`.',
  ],
  [
    'Problem',
    ProblemReply,
    'Why a request was refused. The message is meant to be shown to people. `fault` is what is wrong with a media server.',
  ],
]

/** The beginning of a reference to a named schema. */
export const SCHEMA_REF = '#/components/schemas/'

const registry = z.registry<{ id: string; description: string }>()
for (const [id, schema, description] of NAMED) registry.add(schema, { id, description })

export type Direction = 'input' | 'output'

/** The JSON schema of what is sent (`input`) or replied (`output`); named schemas are references in it. */
export function jsonSchemaOf(schema: z.ZodType, io: Direction): JsonSchema {
  const { $schema: _draft, $defs: _definitions, ...rest } = generate(schema, io)
  return rest
}

/** All named schemas, as in replies. */
export function namedSchemas(): Record<string, JsonSchema> {
  const { $defs = {} } = generate(
    z.object({ all: z.tuple(NAMED.map(([, schema]) => schema) as [z.ZodType]) }),
    'output',
  )
  return Object.fromEntries(
    Object.entries($defs as Record<string, JsonSchema>).map(([id, { id: _id, ...schema }]) => [id, schema]),
  )
}

function generate(schema: z.ZodType, io: Direction): JsonSchema {
  const generated = z.toJSONSchema(schema, {
    io,
    metadata: registry,
    override: ({ jsonSchema }) => {
      // The format says the same; the long pattern of dates does not help a reader.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
      // Replies may get new fields, which older clients ignore.
      delete jsonSchema.additionalProperties
    },
  })
  return JSON.parse(JSON.stringify(generated).replaceAll('"#/$defs/', `"${SCHEMA_REF}`)) as JsonSchema
}
