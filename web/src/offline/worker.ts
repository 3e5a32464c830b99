import { logWarning } from '#web/api/log.ts'

/**
 * Has the service worker (public/service-worker.js) keep this build, and the pictures that were shown before it was in
 * charge. Without a worker nothing happens.
 */
export function keepInWorker(): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.ready
    .then(({ active }) => active?.postMessage({ keep: shownPictures() }))
    .catch((error: unknown) => logWarning('The app could not be kept on this device', error))
}

/** The paths of the pictures of this server that the page has loaded. */
function shownPictures(): string[] {
  return performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/images/'))
    .map(({ pathname }) => pathname)
}
