import { amplifyAccount, configureAmplify, onOtherTabs, type PoolConfig } from './amplify-account.ts'
import { features } from './features.ts'
import { failHostedReturn } from './hosted-failure.ts'
import { createSessionStore } from './session-store.ts'

const RETRY_MS = 5_000
/** A service that takes longer to answer counts as unreachable, though the answer may still come. */
const SLOW_MS = 8_000

/** The session of this tab. */
export const session = createSessionStore(amplifyAccount)

/**
 * Starts the session of this tab; called once, before the app is mounted. Where the identity service cannot be
 * reached to renew old tokens, the state stays `loading`, says so, and is read again until it is known.
 */
export function startSession(pool: PoolConfig): void {
  configureAmplify(pool)
  const returned = features().hostedPages ? takeHostedReturn() : Promise.resolve()
  const read = () => {
    const slow = setTimeout(session.reportUnreachable, SLOW_MS)
    returned
      .then(session.refresh)
      .catch(() => {
        session.reportUnreachable()
        setTimeout(read, RETRY_MS)
      })
      .finally(() => clearTimeout(slow))
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
