import { z } from 'zod'

/** What a webhook can report. Nothing in the box is ever reported. */
export const WEBHOOK_KINDS = [
  'card.revealed',
  'card.decided',
  'comment.added',
  'member.joined',
  'night.planned',
  'night.changed',
  'night.started',
  'movie.arrived',
] as const
export type WebhookKind = (typeof WEBHOOK_KINDS)[number]

/** `standard` is JSON signed as Standard Webhooks describes; the others are messages in the form of a chat service. */
export const WEBHOOK_FORMATS = ['standard', 'discord', 'slack', 'matrix'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

/** A webhook as the owner of the watchlist sees it. Of its address only the host is shown. */
export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  format: z.enum(WEBHOOK_FORMATS),
  host: z.string(),
  kinds: z.array(z.enum(WEBHOOK_KINDS)),
  /** `failed`: switched off because it did not work for a long time. */
  state: z.enum(['on', 'off', 'failed']),
  createdAt: z.iso.datetime(),
})
export type Webhook = z.infer<typeof Webhook>

/** Oldest first. */
export const Webhooks = z.object({ webhooks: z.array(Webhook) })

/** The reply to the owner who created it. No other reply has the secret, which only `standard` has. */
export const NewWebhook = Webhook.extend({ secret: z.string().nullable() })
export type NewWebhook = z.infer<typeof NewWebhook>

/** One message of a webhook. */
export const WebhookDelivery = z.object({
  id: z.string(),
  kind: z.enum([...WEBHOOK_KINDS, 'test']),
  at: z.iso.datetime(),
  /** `dropped`: too many others waited, or what it was about is gone. */
  state: z.enum(['waiting', 'delivered', 'failed', 'dropped']),
  attempts: z.number().int(),
  /** The status of the last answer; null if there was none. */
  status: z.number().int().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** Newest first. */
export const WebhookDeliveries = z.object({ deliveries: z.array(WebhookDelivery) })
