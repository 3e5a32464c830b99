import { logWarning } from './api/log.ts'

const URL_OF_WORKER = '/service-worker.js'

/**
 * Makes the built app installable, once it is loaded and has nothing better to do. Browsers offer workers only where the
 * page is served securely; without one the app is the same, but for the page that is shown without a connection.
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
