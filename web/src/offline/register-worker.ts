import { logWarning } from '#web/api/log.ts'

const URL_OF_WORKER = '/service-worker.js'

/** Makes the built app installable, and opens it without a connection. Browsers offer workers only over HTTPS. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  navigator.serviceWorker
    .register(URL_OF_WORKER, { updateViaCache: 'none' })
    .catch((error: unknown) => logWarning('The app cannot be installed', error))
}
