import type { Account, SessionUser } from '#web/account/account.ts'

/**
 * `loading` until it is known; `isUnreachable` while the identity service does not answer. Signed out `because` there
 * is no session (`none`), the user signed out (`left`), the session expired, or the user has to sign in again. The last
 * two keep where the user was.
 */
export type SessionState =
  | { state: 'loading'; isUnreachable: boolean }
  | { state: 'signed-out'; because: 'none' | 'left' | 'expired' | 'again' }
  | { state: 'signed-in'; user: SessionUser }

export type SessionStore = {
  current: () => SessionState
  subscribe: (listener: () => void) => () => void
  refresh: () => Promise<void>
  reportUnreachable: (user?: SessionUser) => void
  signOut: () => Promise<void>
  signInAgain: () => Promise<void>
  expired: () => Promise<void>
  idToken: () => Promise<string | undefined>
  renewedIdToken: () => Promise<string | undefined>
}

function isSame(one: SessionState, other: SessionState): boolean {
  if (one.state === 'signed-in' && other.state === 'signed-in') {
    return one.user.userId === other.user.userId && one.user.username === other.user.username
  }
  if (one.state === 'loading' && other.state === 'loading') return one.isUnreachable === other.isUnreachable
  return one.state === other.state
}

/** The session of this tab: its state, and the only access to the tokens. */
export function createSessionStore(account: Account): SessionStore {
  let state: SessionState = { state: 'loading', isUnreachable: false }
  let reading: Promise<void> | undefined
  let isStale = false
  /** The user was let in unasked. */
  let isUnproven = false
  const listeners = new Set<() => void>()

  function become(next: SessionState): void {
    if (isSame(state, next)) return
    state = next
    for (const listener of listeners) listener()
  }

  async function read(): Promise<void> {
    do {
      isStale = false
      const user = await account.readUser()
      if (user !== undefined) become({ state: 'signed-in', user })
      else if (state.state === 'signed-in') become({ state: 'signed-out', because: isUnproven ? 'expired' : 'left' })
      else become({ state: 'signed-out', because: 'none' })
      isUnproven = false
      // isStale may have been set while we waited.
    } while (isStale as boolean)
  }

  /** This tab is signed out even if the service does not answer. */
  async function leave(because: 'left' | 'again'): Promise<void> {
    try {
      await account.signOut()
    } finally {
      become({ state: 'signed-out', because })
    }
  }

  async function tokenOf(renew: 'when-over' | 'always'): Promise<string | undefined> {
    const token = await account.idToken(renew)
    if (token === undefined && state.state === 'signed-in') become({ state: 'signed-out', because: 'expired' })
    return token
  }

  return {
    current: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    /** Reads who is signed in, at the start and after each possible change, here or in another tab. */
    refresh: async () => {
      isStale = true
      reading ??= read().finally(() => (reading = undefined))
      return reading
    },

    /** Reports that the service does not answer, and lets in the given user until it does. Has no effect once the state is known. */
    reportUnreachable: (user) => {
      if (state.state !== 'loading') return
      isUnproven = user !== undefined
      become(user === undefined ? { state: 'loading', isUnreachable: true } : { state: 'signed-in', user })
    },

    /** Ends the session. */
    signOut: async () => leave('left'),

    /** Ends the session so that the user signs in again, and keeps where they were. */
    signInAgain: async () => leave('again'),

    /** The server no longer accepts the session. */
    expired: async () => {
      if (state.state !== 'signed-in') return
      become({ state: 'signed-out', because: 'expired' })
      await account.signOut()
    },

    idToken: async () => tokenOf('when-over'),
    renewedIdToken: async () => tokenOf('always'),
  }
}
