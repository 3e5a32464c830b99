import { z } from 'zod'

import { CardStatus } from './card.ts'
import { NIGHT_STATES } from './night.ts'
import type { WebhookDelivery } from './webhook.ts'

/** What every message tells. `by` is a username. `url` is the page of the app that shows it. */
const MessageData = z.object({
  watchlist: z.object({ id: z.string(), name: z.string() }),
  by: z.string(),
  url: z.url(),
})
const CardMessageData = MessageData.extend({
  card: z.object({ id: z.string(), title: z.string(), status: CardStatus }),
})
const NightMessageData = MessageData.extend({
  night: z.object({
    id: z.string(),
    state: z.enum(NIGHT_STATES),
    times: z.array(z.iso.datetime()),
    timeZone: z.string().nullable(),
    place: z.string().nullable(),
  }),
})

/** The `data` of each kind of message in the format `standard`. */
export const WEBHOOK_DATA = {
  'card.revealed': CardMessageData,
  'card.decided': CardMessageData,
  /** The whole comment. */
  'comment.added': CardMessageData.extend({ comment: z.object({ id: z.string(), content: z.string() }) }),
  'member.joined': MessageData,
  'night.planned': NightMessageData,
  'night.changed': NightMessageData,
  'night.started': NightMessageData,
  /** A server brought it, not a member. */
  'movie.arrived': CardMessageData.extend({ by: z.null() }),
  test: MessageData,
} as const satisfies Record<WebhookDelivery['kind'], z.ZodObject>

/** The body of a message in the format `standard`, as Standard Webhooks describes it. */
export function webhookMessage<Kind extends keyof typeof WEBHOOK_DATA>(kind: Kind) {
  return z.object({ type: z.literal(kind), timestamp: z.iso.datetime(), data: WEBHOOK_DATA[kind] })
}
