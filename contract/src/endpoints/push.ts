import { z } from 'zod'

import { PushDevice, PushDevices, PushKey } from '../entities/push.ts'
import { MAX_PUSH_ENDPOINT_LENGTH } from '../limits.ts'
import { deviceParams, endpoint, text } from './endpoint.ts'

export const PUSH_ENDPOINTS = {
  getPushKey: endpoint({
    method: 'GET',
    path: '/push/key',
    summary: 'The key with which a browser subscribes to push messages',
    auth: 'sign-in',
    status: 200,
    reply: PushKey,
    errors: [],
  }),
  listPushDevices: endpoint({
    method: 'GET',
    path: '/push/subscriptions',
    summary: 'Your devices that get push messages, newest first',
    auth: 'sign-in',
    status: 200,
    reply: PushDevices,
    errors: [],
  }),
  savePushDevice: endpoint({
    method: 'PUT',
    path: '/push/subscriptions',
    summary: 'Send push messages to this device, with the subscription of its browser',
    auth: 'sign-in',
    status: 200,
    body: z.object({
      endpoint: text({ required: 'An address is required', max: MAX_PUSH_ENDPOINT_LENGTH }),
      /** The keys of the browser: a point of P-256, and 16 bytes. */
      p256dh: z.string().regex(/^[\w-]{87}$/u, 'This is not a key of a browser'),
      auth: z.string().regex(/^[\w-]{22}$/u, 'This is not a key of a browser'),
    }),
    reply: PushDevice,
    errors: ['BAD_REQUEST'],
    limit: 'write',
  }),
  removePushDevice: endpoint({
    method: 'DELETE',
    path: '/push/subscriptions/:deviceId',
    summary: 'Send no more push messages to a device',
    auth: 'sign-in',
    status: 204,
    params: deviceParams,
    errors: ['NOT_FOUND'],
    limit: 'write',
  }),
} as const
