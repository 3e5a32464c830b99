import { z } from 'zod'

import {
  NewWebhook,
  Webhook,
  WEBHOOK_FORMATS,
  WEBHOOK_KINDS,
  WebhookDeliveries,
  Webhooks,
} from '../entities/webhook.ts'
import { MAX_WEBHOOK_NAME_LENGTH, MAX_WEBHOOK_URL_LENGTH } from '../base/limits.ts'
import { endpoint, list, text } from '../base/endpoint.ts'

export const WEBHOOK_ENDPOINTS = {
  listWebhooks: endpoint('GET', '/watchlists/:watchlistId/webhooks', {
    summary: 'The webhooks of a watchlist, oldest first; the owner only',
    reply: Webhooks,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  createWebhook: endpoint('POST', '/watchlists/:watchlistId/webhooks', {
    summary: 'Create a webhook; its secret is shown once. The owner only',
    status: 201,
    body: z.object({
      name: text({ required: 'A name is required', max: MAX_WEBHOOK_NAME_LENGTH }),
      url: text({ required: 'An address is required', max: MAX_WEBHOOK_URL_LENGTH }),
      format: z.enum(WEBHOOK_FORMATS),
      kinds: list(z.enum(WEBHOOK_KINDS), { min: 1, max: WEBHOOK_KINDS.length }),
    }),
    reply: NewWebhook,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'webhook',
  }),
  switchWebhook: endpoint('PUT', '/watchlists/:watchlistId/webhooks/:webhookId', {
    summary: 'Switch a webhook on or off; the owner only',
    body: z.object({ isOn: z.boolean() }),
    reply: Webhook,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  deleteWebhook: endpoint('DELETE', '/watchlists/:watchlistId/webhooks/:webhookId', {
    summary: 'Delete a webhook; the owner only',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  testWebhook: endpoint('POST', '/watchlists/:watchlistId/webhooks/:webhookId/test', {
    summary: 'Send a test message; the owner only',
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'webhook',
  }),
  listWebhookDeliveries: endpoint('GET', '/watchlists/:watchlistId/webhooks/:webhookId/deliveries', {
    summary: 'The last messages of a webhook, newest first; the owner only',
    reply: WebhookDeliveries,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
} as const
