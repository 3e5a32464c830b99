import { logWarning } from '#web/api/log.ts'
import { forgetDrafts } from '#web/session/drafts.ts'
import type { SessionStore } from '#web/session/session-store.ts'

import { forgetKept } from './forget-device.ts'

/**
 * Forgets what is kept to be read when a session ends, in each tab, because each may have written last. What waits to be
 * sent stays for its user: only the tab with the button knows that they want to leave, and asks before it empties the device.
 * Drafts go after a sign-out, also if this tab shows the login screen by then.
 */
export function followSession({ current, subscribe }: Pick<SessionStore, 'current' | 'subscribe'>): void {
  const look = () => {
    const now = current()
    if (now.state !== 'signed-out') return
    if (now.because === 'left') forgetDrafts()
    forgetKept().catch((error: unknown) => logWarning('This device could not be emptied', error))
  }
  subscribe(look)
  look()
}
