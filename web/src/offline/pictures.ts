import { logWarning } from '#web/api/log.ts'

import { KEPT_IMAGES, keepsOnDevice } from './device-copy.ts'

/** From here on the service worker keeps pictures. Browsers have no caches without HTTPS. */
export async function openPictures(): Promise<void> {
  if (!('caches' in globalThis)) return
  await alone(async () => {
    if (keepsOnDevice()) await caches.open(KEPT_IMAGES)
  }).catch((error: unknown) => logWarning('This device keeps no pictures', error))
}

/** Removes the pictures. One that is on its way to the service worker does not bring them back. */
export async function removePictures(): Promise<void> {
  if (!('caches' in globalThis)) return
  await alone(async () => await caches.delete(KEPT_IMAGES)).catch((error: unknown) =>
    logWarning('The pictures of this device could not be removed', error),
  )
}

/** The service worker writes pictures under the same lock. */
async function alone(work: () => Promise<unknown>): Promise<void> {
  await navigator.locks.request(KEPT_IMAGES, work)
}
