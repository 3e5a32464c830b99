import { amplifyAccount, configureAmplify, onOtherTabs, type PoolConfig } from './amplify-account.ts'
import { features } from './features.ts'
import { failHostedReturn } from './hosted-failure.ts'
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
  const returned = features().hostedPages ? takeHostedReturn() : Promise.resolve()
  const read = () => {
    returned.then(session.refresh).catch(() => setTimeout(read, RETRY_MS))
  }
  onOtherTabs(read)
  read()
}

/** Without what it takes, a sign-in on the pool's pages came to nothing, and everything else goes on. */
async function takeHostedReturn(): Promise<void> {
  try {
    const { startHostedReturn } = await import('./hosted-return.ts')
    await startHostedReturn()
  } catch {
    failHostedReturn()
  }
}
