import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal } from '../../club/people/service.ts'
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
export function webhookRoutes(route: Route<Principal>, ports: WebhookPorts): void {
  route(ENDPOINTS.listWebhooks, async ({ user, params }) => ({
    webhooks: await listWebhooks(ports, user, params.watchlistId),
  }))

  route(
    ENDPOINTS.createWebhook,
    async ({ user, params, body }) => await createWebhook(ports, user, params.watchlistId, body),
  )

  route(ENDPOINTS.switchWebhook, async ({ user, params, body }) => await switchWebhook(ports, user, params, body.isOn))

  route(ENDPOINTS.deleteWebhook, async ({ user, params }) => {
    await deleteWebhook(ports, user, params)
  })

  route(ENDPOINTS.testWebhook, async ({ user, params }) => {
    await testWebhook(ports, user, params)
  })

  route(ENDPOINTS.listWebhookDeliveries, async ({ user, params }) => ({
    deliveries: await listDeliveries(ports, user, params),
  }))
}
