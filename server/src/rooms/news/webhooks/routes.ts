import type { Handlers } from '../../club/people/service.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  switchWebhook,
  testWebhook,
  type WebhookPorts,
} from './service.ts'

/** The webhooks of a watchlist, for its owner. */
export function webhookHandlers(ports: WebhookPorts) {
  return {
    listWebhooks: async ({ user, params }) => ({ webhooks: await listWebhooks(ports, user, params.watchlistId) }),
    createWebhook: async ({ user, params, body }) => await createWebhook(ports, user, params.watchlistId, body),
    switchWebhook: async ({ user, params, body }) => await switchWebhook(ports, user, params, body.isOn),
    deleteWebhook: async ({ user, params }) => await deleteWebhook(ports, user, params),
    testWebhook: async ({ user, params }) => await testWebhook(ports, user, params),
    listWebhookDeliveries: async ({ user, params }) => ({ deliveries: await listDeliveries(ports, user, params) }),
  } satisfies Partial<Handlers>
}
