import { WEBHOOK_DATA, webhookMessage } from '@marquee/contract/entities/webhook-message'
import type { WebhookDelivery } from '@marquee/contract/entities/webhook'

import type { Message } from './document-types.ts'
import { jsonSchemaOf } from './schemas.ts'

type Kind = WebhookDelivery['kind']

const SUMMARIES: Record<Kind, string> = {
  'card.revealed': 'A card came from the box into the feed',
  'card.decided': 'A card was accepted or declined',
  'comment.added': 'A comment was added to a card',
  'member.joined': 'A user joined the watchlist',
  'night.planned': 'A movie night was planned',
  'night.changed': 'A movie night was changed or cancelled',
  'night.started': 'A movie night was started',
  'movie.arrived': 'A movie that was asked for is on the media server',
  test: 'The owner of the webhook tries it',
}

/** What webhooks of the format `standard` send. The services of the other formats get a sentence. */
export function webhookMessages(): Record<string, Message> {
  return Object.fromEntries((Object.keys(WEBHOOK_DATA) as Kind[]).map((kind) => [kind, messageOf(kind)]))
}

function messageOf(kind: Kind): Message {
  const schema = jsonSchemaOf(webhookMessage(kind), 'output')
  return {
    post: {
      summary: SUMMARIES[kind],
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'The message has arrived. After any other answer it is sent again.' } },
    },
  }
}
