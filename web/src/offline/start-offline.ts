import { connection } from '#web/api/connection.ts'
import type { SessionStore } from '#web/session/session-store.ts'

import { followSession } from './follow-session.ts'
import { registerServiceWorker } from './register-worker.ts'

/** The app was opened without the server. */
export function missServer(): void {
  connection.miss()
}

/** What no first screen needs. */
export function startOffline(session: SessionStore): void {
  void registerServiceWorker()
  followSession(session)
}
