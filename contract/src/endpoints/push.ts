import { z } from 'zod'

import { PushDevices, PushKey, SavedPushDevice } from '../entities/push.ts'
import { MAX_PUSH_ENDPOINT_LENGTH } from '../base/limits.ts'
import { endpoint, text } from '../base/endpoint.ts'

/** A subscription of a browser. Its keys are a point of P-256, and 16 bytes. */
const Subscription = z.object({
  endpoint: text({ required: 'An address is required', max: MAX_PUSH_ENDPOINT_LENGTH }),
  p256dh: z.string().regex(/^[\w-]{87}$/u, 'This is not a key of a browser'),
  auth: z.string().regex(/^[\w-]{22}$/u, 'This is not a key of a browser'),
})

export const PUSH_ENDPOINTS = {
  getPushKey: endpoint('GET', '/push/key', {
    summary: 'The key with which a browser subscribes to push messages',
    auth: 'sign-in',
    reply: PushKey,
    errors: [],
  }),
  listPushDevices: endpoint('GET', '/push/subscriptions', {
    summary: 'Your devices that get push messages, newest first',
    auth: 'sign-in',
    reply: PushDevices,
    errors: [],
  }),
  savePushDevice: endpoint('PUT', '/push/subscriptions', {
    summary: 'Send push messages to this device, with the subscription of its browser',
    auth: 'sign-in',
    body: Subscription,
    reply: SavedPushDevice,
    errors: ['BAD_REQUEST'],
  }),
  renewPushDevice: endpoint('POST', '/push/renewals', {
    summary: 'Replace the subscription of a device that its browser has changed',
    auth: 'none',
    body: Subscription.extend({ renewal: text({ required: 'A renewal is required', max: 1_024 }) }),
    reply: SavedPushDevice,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    limit: 'checkUrl',
  }),
  removePushDevice: endpoint('DELETE', '/push/subscriptions/:deviceId', {
    summary: 'Send no more push messages to a device',
    auth: 'sign-in',
    errors: ['NOT_FOUND'],
  }),
} as const
