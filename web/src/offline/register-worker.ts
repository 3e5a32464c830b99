import { logWarning } from '#web/api/log.ts'

const URL_OF_WORKER = '/service-worker.js'

/**
 * Makes the built app installable, and opens it without a connection. Browsers offer workers only over HTTPS. Resolves to
 * nothing without a worker.
 */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined
  try {
    return await navigator.serviceWorker.register(URL_OF_WORKER, { updateViaCache: 'none' })
  } catch (error) {
    logWarning('The app cannot be installed', error)
    return undefined
  }
}
