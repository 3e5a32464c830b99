/** Who is signed in. `username` is what replies of the product API call them, `loginId` what they signed in with. */
export type SessionUser = { userId: string; username: string; loginId: string }

/**
 * `loading` until it is known; `isUnreachable` while the identity service does not answer. Signed out `because` there was no session, the user left, the session ended by
 * itself, or the user is to sign in again; the last two keep where the user was.
 */
export type SessionState =
  | { state: 'loading'; isUnreachable: boolean }
  | { state: 'signed-out'; because: 'none' | 'left' | 'expired' | 'again' }
  | { state: 'signed-in'; user: SessionUser }

/** What a session needs of the identity service's client. */
export type Account = {
  /** The signed-in user, from tokens that are valid now; undefined without any. Rejects when that cannot be known. */
  readUser: () => Promise<SessionUser | undefined>
  /** The id token, renewed when it is over, or in any case; undefined without a session. */
  idToken: (renew: 'when-over' | 'always') => Promise<string | undefined>
  /** Revokes what can be revoked and forgets the tokens of this browser. */
  signOut: () => Promise<void>
}

export type SessionStore = {
  current: () => SessionState
  subscribe: (listener: () => void) => () => void
  refresh: () => Promise<void>
  reportUnreachable: () => void
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

/** The session of this tab: its state, and the only way to the tokens. Spec section 4, "Auth state". */
export function createSessionStore(account: Account): SessionStore {
  let state: SessionState = { state: 'loading', isUnreachable: false }
  let reading: Promise<void> | undefined
  let isStale = false
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
      else become({ state: 'signed-out', because: state.state === 'signed-in' ? 'left' : 'none' })
      // isStale may have been set while we waited.
    } while (isStale as boolean)
  }

  /** This tab is signed out even if the service cannot be told. */
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

    /** Reads who is signed in, at the start and after whatever may have changed it, here or in another tab. */
    refresh: async () => {
      isStale = true
      reading ??= read().finally(() => (reading = undefined))
      return reading
    },

    /** It cannot be known yet who is signed in. Changes nothing once it is known. */
    reportUnreachable: () => {
      if (state.state === 'loading') become({ state: 'loading', isUnreachable: true })
    },

    /** Ends the session. */
    signOut: async () => leave('left'),

    /** Ends the session of who is to prove anew who they are, and then to go on where they were. */
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
