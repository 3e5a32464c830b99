import { PUSH_ENDPOINTS } from '@marquee/contract/endpoints/push'
import type { PushDevice } from '@marquee/contract/entities/push'

import { call } from '#web/api/call.ts'
import { registerServiceWorker } from '#web/offline/register-worker.ts'
import { session } from '#web/session/session.ts'

/**
 * Whether this browser gets push messages. `home-screen`: iOS delivers them only to an app that was added to the home screen
 * and opened there. `denied`: only the settings of the browser can allow them again.
 */
type PushState = 'unsupported' | 'home-screen' | 'denied' | 'off' | 'on'

/** The state of this browser, and the other devices of the user. */
export type Push = { readonly state: PushState; readonly others: readonly PushDevice[] }

export async function readPush(signal?: AbortSignal): Promise<Push> {
  const { devices } = await call(PUSH_ENDPOINTS.listPushDevices, { ...(signal && { signal }) })
  const registration = await findRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  const ownId = subscription ? await deviceIdOf(subscription) : undefined
  const isSaved = devices.some(({ id }) => id === ownId)
  return { state: stateOf(registration, isSaved), others: devices.filter(({ id }) => id !== ownId) }
}

/** Asks for permission, if it was not given before. Without it, nothing changes. */
export async function turnPushOn(): Promise<void> {
  // First, because some browsers ask only in answer to a click.
  if ((await Notification.requestPermission()) === 'granted') await subscribe()
}

/** Nothing more arrives in this browser, and what is shown goes. */
export async function turnPushOff(): Promise<void> {
  const id = await unsubscribe()
  if (id !== undefined) await call(PUSH_ENDPOINTS.removePushDevice, { params: { deviceId: id } })
}

/**
 * For a user who opens the app: the server forgets a device when its session ends, so a new session of the same user saves it
 * again. Messages to another user end here.
 */
export async function resumePush(): Promise<void> {
  const kept = await (await caches.open(CACHE)).match(KEPT)
  if (kept === undefined) return
  const was = (await kept.json()) as Kept
  const now = await readSession()
  if (was.userId !== now.userId) await unsubscribe()
  else if (was.sessionId !== now.sessionId) await subscribe()
}

/** What the service worker needs if the browser changes the subscription, and whose it is. The worker has the same names. */
type Kept = { userId?: string; sessionId?: string; publicKey: string; renewal: string }
const CACHE = 'marquee-1'
const KEPT = '/push-subscription'

async function subscribe(): Promise<void> {
  const registration = await findRegistration()
  if (!registration) return
  // An earlier one may be of another user, or for another key.
  await (await registration.pushManager.getSubscription())?.unsubscribe()
  const { publicKey } = await call(PUSH_ENDPOINTS.getPushKey, {})
  if (!registration.active) await navigator.serviceWorker.ready
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  })
  const { endpoint } = subscription
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {}
  try {
    const { renewal } = await call(PUSH_ENDPOINTS.savePushDevice, { body: { endpoint, p256dh, auth } })
    const kept: Kept = { ...(await readSession()), publicKey, renewal }
    await (await caches.open(CACHE)).put(KEPT, Response.json(kept))
  } catch (error) {
    await unsubscribe()
    throw error
  }
}

/** From here on nothing arrives, even if the server cannot be reached. Resolves to the id of the device. */
async function unsubscribe(): Promise<string | undefined> {
  await (await caches.open(CACHE)).delete(KEPT)
  const registration = await findRegistration()
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return undefined
  const deviceId = await deviceIdOf(subscription)
  await subscription.unsubscribe()
  return deviceId
}

/** The user and the session of the id token, whose signature the server verifies. */
async function readSession(): Promise<Pick<Kept, 'userId' | 'sessionId'>> {
  const [, payload = ''] = ((await session.idToken()) ?? '').split('.')
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, string>
  const { sub: userId, origin_jti: sessionId } = claims
  return { ...(userId !== undefined && { userId }), ...(sessionId !== undefined && { sessionId }) }
}

async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)) return undefined
  // A page that has just opened may not have registered it yet.
  return (await navigator.serviceWorker.getRegistration()) ?? (await registerServiceWorker())
}

function stateOf(registration: ServiceWorkerRegistration | undefined, isSaved: boolean): PushState {
  if (!registration) return 'standalone' in navigator && navigator.standalone === false ? 'home-screen' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  return isSaved && Notification.permission === 'granted' ? 'on' : 'off'
}

/** The id that the server gives a device: the hash of its address. */
async function deviceIdOf({ endpoint }: PushSubscription): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  const binary = String.fromCodePoint(...new Uint8Array(hash))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
