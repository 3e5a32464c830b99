import { features, type PoolConfig } from '#web/config.ts'

import { failHostedReturn } from './hosted-sign-in.ts'
import { createSessionStore, type Account } from './session-store.ts'

let account: Promise<Account> | undefined
let userPool: PoolConfig | undefined

/** Loads Amplify. It is not needed to show a screen to a visitor who is not signed in. */
async function loadAccount(): Promise<Account> {
  account ??= importAccount().catch((error: unknown) => {
    account = undefined
    throw error
  })
  return account
}

async function importAccount(): Promise<Account> {
  const { amplifyAccount, configureAmplify } = await import('./amplify-account.ts')
  if (userPool !== undefined) configureAmplify(userPool)
  return amplifyAccount
}

const LAST_USER_KEY = /^CognitoIdentityServiceProvider\..+\.LastAuthUser$/u

/** Without this key Amplify finds no tokens. Amplify has to answer if it is in use or local storage is blocked. */
function mayHaveTokens(): boolean {
  if (account !== undefined) return true
  try {
    return Object.keys(localStorage).some((key) => LAST_USER_KEY.test(key))
  } catch {
    return true
  }
}

const browserAccount: Account = {
  readUser: async () => (mayHaveTokens() ? (await loadAccount()).readUser() : undefined),
  idToken: async (renew) => (mayHaveTokens() ? (await loadAccount()).idToken(renew) : undefined),
  signOut: async () => (await loadAccount()).signOut(),
}

const SIGN_IN_KEYS = /^CognitoIdentityServiceProvider\..+\.(?:LastAuthUser|refreshToken|clockDrift)$/u

/** Calls back when another tab may have signed in or out: it did, or this page was suspended. */
function onOtherTabs(callback: () => void): void {
  globalThis.addEventListener('storage', ({ key }) => {
    if (key === null || SIGN_IN_KEYS.test(key)) callback()
  })
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) callback()
  })
}

const RETRY_MS = 5_000
/** A service that takes longer to answer counts as unreachable. Its answer still counts. */
const SLOW_MS = 8_000

/** The session of this tab. */
export const session = createSessionStore(browserAccount)

/**
 * Starts the session of this tab. Called once, before the app is mounted. If the identity service cannot be reached to
 * renew old tokens, the state stays `loading` and unreachable, and is read again until it is known.
 */
export function startSession(pool: PoolConfig): void {
  userPool = pool
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

/** Finishes a sign-in on the pool's hosted pages. Everything else works without it. */
async function takeHostedReturn(): Promise<void> {
  try {
    await loadAccount()
    const { startHostedReturn } = await import('./hosted-return.ts')
    await startHostedReturn()
  } catch {
    failHostedReturn()
  }
}

/** Loads the actions of signing in. Call it early, such as when a form gets the focus. */
export async function loadIdentity() {
  const [identity] = await Promise.all([import('#web/account/identity.ts'), loadAccount()])
  return identity
}
