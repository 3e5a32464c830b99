import { WEBHOOK_ENDPOINTS } from '@marquee/contract/endpoints/webhooks'
import { queryOptions } from '@tanstack/react-query'

import { call, send } from '#web/api/call.ts'
import { useChange } from '#web/api/read-again.ts'

/** The webhooks of a watchlist, for its owner. */
export const webhooks = (watchlistId: string) =>
  queryOptions({
    queryKey: ['webhooks', watchlistId],
    queryFn: async ({ signal }) =>
      (await call(WEBHOOK_ENDPOINTS.listWebhooks, { params: { watchlistId }, signal })).webhooks,
  })

const LOOK_AGAIN_MS = 2_000

/** The last messages of a webhook. They are read again while one waits for its first attempt. */
export const webhookDeliveries = (params: { watchlistId: string; webhookId: string }) =>
  queryOptions({
    queryKey: ['webhooks', params.watchlistId, params.webhookId, 'deliveries'],
    queryFn: async ({ signal }) => (await call(WEBHOOK_ENDPOINTS.listWebhookDeliveries, { params, signal })).deliveries,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state, attempts }) => state === 'waiting' && attempts === 0) === true ? LOOK_AGAIN_MS : false,
  })

/** A change of the webhooks. Everything about them is read again afterwards. */
function useWebhookChange<Input, Output>(watchlistId: string, change: (input: Input) => Promise<Output>) {
  return useChange(change, ['webhooks', watchlistId])
}

export function useCreateWebhook(watchlistId: string) {
  return useWebhookChange(watchlistId, send(WEBHOOK_ENDPOINTS.createWebhook, { watchlistId }))
}

export function useSwitchWebhook(params: { watchlistId: string; webhookId: string }) {
  return useWebhookChange(params.watchlistId, async (isOn: boolean) => {
    await call(WEBHOOK_ENDPOINTS.switchWebhook, { params, body: { isOn } })
  })
}

export function useDeleteWebhook(params: { watchlistId: string; webhookId: string }) {
  return useWebhookChange(params.watchlistId, send(WEBHOOK_ENDPOINTS.deleteWebhook, params))
}

export function useTestWebhook(params: { watchlistId: string; webhookId: string }) {
  return useWebhookChange(params.watchlistId, send(WEBHOOK_ENDPOINTS.testWebhook, params))
}
