import { logWarning } from '#web/api/log.ts'

import { KEPT_IMAGES } from './keeping.ts'

/** From here on the service worker keeps pictures. Browsers have no caches without HTTPS. */
export async function openPictures(): Promise<void> {
  if (!('caches' in globalThis)) return
  await caches.open(KEPT_IMAGES).catch((error: unknown) => logWarning('This device keeps no pictures', error))
}
