import { z } from 'zod'

/** A browser in which a user gets push messages. `device` is coarse, such as `Firefox on Windows`; empty if unknown. */
export const PushDevice = z.object({
  /** SHA-256 of the address at the push service, as base64url: a browser finds its own. */
  id: z.string(),
  device: z.string(),
  createdAt: z.iso.datetime(),
  /** The last message that the push service accepted; null if there was none. */
  usedAt: z.iso.datetime().nullable(),
})
export type PushDevice = z.infer<typeof PushDevice>

/**
 * The reply to the device itself. When its browser changes the subscription, its service worker sends `renewal` with the new
 * one: it cannot sign in.
 */
export const SavedPushDevice = PushDevice.extend({ renewal: z.string() })
export type SavedPushDevice = z.infer<typeof SavedPushDevice>

/** Newest first. */
export const PushDevices = z.object({ devices: z.array(PushDevice) })

/** The installation's public key (VAPID), as base64url. */
export const PushKey = z.object({ publicKey: z.string() })

/** What a device shows. `url` is a path of the app. A message replaces an earlier one with the same `tag`. */
export type PushMessage = {
  readonly title: string
  readonly body: string
  readonly url: string
  readonly tag: string
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
}
