import { logWarning } from '#web/api/log.ts'

const URL_OF_WORKER = '/service-worker.js'

/**
 * Makes the built app installable, when it is loaded and idle. Browsers offer workers only over HTTPS. Without one only
 * the page for a missing connection is missing.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const register = () => {
    navigator.serviceWorker
      .register(URL_OF_WORKER, { updateViaCache: 'none' })
      .catch((error: unknown) => logWarning('The app cannot be installed', error))
  }
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
