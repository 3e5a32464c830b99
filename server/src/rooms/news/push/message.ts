import { createHash } from 'node:crypto'

import type { PushMessage } from '@marquee/contract/entities/push'

import type { KeyPair, Target } from './service.ts'

const TOPIC_LENGTH = 32

/** A message with what the push service may know about it. */
export type Push = {
  readonly message: PushMessage
  /** For how long the push service keeps it for a device that is off. */
  readonly ttlSeconds: number
  readonly isUrgent: boolean
}

/**
 * The request to a push service: encrypted for the device (RFC 8291), signed with the key of this installation (RFC 8292).
 * While the device is off, a message replaces an earlier one with the same tag.
 */
export async function requestOf(
  { message, ttlSeconds, isUrgent }: Push,
  { endpoint, p256dh, auth }: Target,
  { keys, subject }: { keys: KeyPair; subject: string },
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  // Most installations send none, so the library is loaded for the first one.
  const { default: webPush } = await import('web-push')
  const { publicKey, privateKey } = keys
  const signed = webPush.getVapidHeaders(new URL(endpoint).origin, subject, publicKey, privateKey, 'aes128gcm')
  const { body, headers } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      headers: { ...signed },
      TTL: ttlSeconds,
      urgency: isUrgent ? 'high' : 'normal',
      topic: createHash('sha256').update(message.tag).digest('base64url').slice(0, TOPIC_LENGTH),
    },
  )
  return {
    body,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  }
}
