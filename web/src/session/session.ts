import type { Account } from '#web/account/account.ts'
import { features, userPool } from '#web/config.ts'

import { failHostedReturn } from './hosted-sign-in.ts'
import { isSignInKey, type KeptSession, keptTokens } from './kept-tokens.ts'
import { createSessionStore } from './session-store.ts'
import { noteSignOut, SIGN_OUT_KEY } from './sign-outs.ts'

let account: Promise<Account> | undefined

/** Loads Amplify, which renews tokens and signs in and out. No screen needs it to appear. */
async function loadAccount(): Promise<Account> {
  account ??= import('#web/account/amplify-account.ts').then(
    ({ amplifyAccount }) => amplifyAccount,
    (error: unknown) => {
      account = undefined
      throw error
    },
  )
  return account
}

function tokensHere() {
  return keptTokens(userPool()?.userPoolClientId ?? '')
}

/** Amplify has to answer if a token must be renewed, if it is in use and local storage is blocked, or for an identity pool. */
function readStorage(): KeptSession | 'none' | 'ask-amplify' {
  if (userPool()?.identityPoolId !== undefined) return 'ask-amplify'
  try {
    const tokens = tokensHere()
    const kept = tokens.read(new Date())
    if (kept !== undefined) return kept
    return tokens.exist() || account !== undefined ? 'ask-amplify' : 'none'
  } catch {
    return 'ask-amplify'
  }
}

let isRevoking = false

async function revokeTokens(): Promise<void> {
  isRevoking = true
  try {
    const amplify = await loadAccount().catch(() => undefined)
    await amplify?.signOut()
  } finally {
    isRevoking = false
  }
}

const browserAccount: Account = {
  readUser: async () => {
    const kept = readStorage()
    if (kept === 'none') return undefined
    return kept === 'ask-amplify' ? (await loadAccount()).readUser() : kept.user
  },

  idToken: async (renew) => {
    const kept = readStorage()
    if (kept === 'none') return undefined
    return kept === 'ask-amplify' || renew === 'always' ? (await loadAccount()).idToken(renew) : kept.idToken
  },

  signOut: async () => {
    const late = new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    try {
      await Promise.race([revokeTokens(), late])
    } finally {
      // Without a network they cannot be revoked, but this browser forgets them.
      tokensHere().forget()
    }
  },
}

/** Calls back when another tab may have signed in or out: it did, or this page was suspended; or when all was removed. */
function onOtherTabs(callback: () => void): void {
  globalThis.addEventListener('storage', ({ key }) => {
    // Removing all that the browser keeps counts as a sign-out.
    if (key === null) noteSignOut()
    if (key === null || isSignInKey(key) || key === SIGN_OUT_KEY) callback()
  })
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) callback()
  })
}

const RETRY_MS = 5_000
/** A service that takes longer to answer counts as unreachable. Its answer still counts. */
const SLOW_MS = 8_000
/** When the first screen has long loaded. */
const QUIET_MS = 10_000

/** The session of this tab. */
export const session = createSessionStore(browserAccount)

/**
 * Starts the session of this tab. Called once, before the app is mounted. If the identity service cannot be reached to
 * renew old tokens, the state stays `loading` and unreachable, and is read again until it is known. If the app was opened
 * without the server, the last user is let in meanwhile: they see what this device has kept.
 */
export function startSession(isWithoutServer: boolean): void {
  if (isWithoutServer) admitLastUser()
  const returned = features().hostedPages ? takeHostedReturn() : Promise.resolve()
  const read = () => {
    const slow = setTimeout(() => session.reportUnreachable(), SLOW_MS)
    returned
      .then(session.look)
      .then(keepAmplifyReady)
      .catch(() => {
        session.reportUnreachable()
        setTimeout(read, RETRY_MS)
      })
      .finally(() => clearTimeout(slow))
  }
  onOtherTabs(read)
  read()
}

/** Whether or not their tokens are still valid. */
function admitLastUser(): void {
  try {
    const last = tokensHere().read('any-age')
    if (last !== undefined) session.reportUnreachable(last.user)
  } catch {
    // Local storage is blocked.
  }
}

/** A new version of the app may remove the file that this one would load to renew a token. */
function keepAmplifyReady(): void {
  if (session.current().state === 'signed-in') setTimeout(() => void loadAccount().catch(() => undefined), QUIET_MS)
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
  // A sign-out that is still on its way would remove the tokens of the next user.
  if (isRevoking) location.reload()
  await loadAccount()
  return import('#web/account/identity.ts')
}
