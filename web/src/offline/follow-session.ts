import { logWarning } from '#web/api/log.ts'
import type { SessionStore } from '#web/session/session-store.ts'

import { forgetDevice, forgetKept } from './forget-device.ts'

/**
 * Empties the device when a session ends, in each tab, because each may have written last. A session that ends by itself
 * leaves what waits to be sent.
 */
export function followSession({ current, subscribe }: Pick<SessionStore, 'current' | 'subscribe'>): void {
  const look = () => {
    const session = current()
    if (session.state !== 'signed-out') return
    const forgotten = session.because === 'left' ? forgetDevice() : forgetKept()
    forgotten.catch((error: unknown) => logWarning('This device could not be emptied', error))
  }
  subscribe(look)
  look()
}
