import { amplifyAccount, configureAmplify, onOtherTabs, type PoolConfig } from './amplify-account.ts'
import { createSessionStore } from './session-store.ts'

const RETRY_MS = 5_000

/** The session of this tab. */
export const session = createSessionStore(amplifyAccount)

/**
 * Starts the session of this tab; called once, before the app is mounted. Where the identity service cannot be
 * reached to renew old tokens, the state stays `loading` and is asked for again until it is known.
 */
export function startSession(pool: PoolConfig): void {
  configureAmplify(pool)
  const read = () => {
    session.refresh().catch(() => setTimeout(read, RETRY_MS))
  }
  onOtherTabs(read)
  read()
}
