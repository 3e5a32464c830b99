import type { Account, SessionUser } from '#web/account/account.ts'

import { lastSignOut, noteSignOut } from './sign-outs.ts'

type Because = 'none' | 'left' | 'expired' | 'again'

/**
 * `loading` until it is known; `isUnreachable` while the identity service does not answer. Signed out `because` there
 * is no session (`none`), the user signed out (`left`), the session expired, or the user has to sign in again. The last
 * two keep where the user was.
 */
export type SessionState =
  | { state: 'loading'; isUnreachable: boolean }
  | { state: 'signed-out'; because: Because }
  | { state: 'signed-in'; user: SessionUser }

export type SessionStore = {
  current: () => SessionState
  subscribe: (listener: () => void) => () => void
  refresh: () => Promise<void>
  look: () => Promise<void>
  reportUnreachable: (user?: SessionUser) => void
  signOut: () => Promise<void>
  signInAgain: () => Promise<void>
  expired: () => Promise<void>
  idToken: () => Promise<string | undefined>
  renewedIdToken: () => Promise<string | undefined>
}

/** Why there is no session any more, apart from a sign-out. */
function endOf(state: SessionState): Because {
  if (state.state === 'signed-in') return 'expired'
  return state.state === 'loading' ? 'none' : state.because
}

/** The state of a session. Another tab may end it. */
function createState() {
  let state: SessionState = { state: 'loading', isUnreachable: false }
  /** The last sign-out when this tab got its user. */
  let before: string | null = null
  const listeners = new Set<() => void>()

  function become(next: SessionState): void {
    // They are plain data.
    if (JSON.stringify(state) === JSON.stringify(next)) return
    state = next
    for (const listener of listeners) listener()
  }

  /** The mark of a sign-out in another tab may come after its tokens are gone. */
  function end(): void {
    const because = endOf(state)
    become({ state: 'signed-out', because: because !== 'none' && lastSignOut() !== before ? 'left' : because })
  }

  return {
    current: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    become,
    end,

    /** `last` was the last sign-out before the user was read. */
    admit: (user: SessionUser, last: string | null) => {
      if (state.state !== 'signed-in' || state.user.userId !== user.userId) {
        // This tab may have missed the sign-out of the user before.
        if (state.state === 'signed-in' && last !== before) end()
        before = last
      }
      become({ state: 'signed-in', user })
    },
  }
}

/** The session of this tab: its state, and the only access to the tokens. */
export function createSessionStore(account: Account): SessionStore {
  const { current, subscribe, become, end, admit } = createState()
  let reading: Promise<void> | undefined
  let isStale = false

  async function read(): Promise<void> {
    do {
      isStale = false
      const last = lastSignOut()
      const user = await account.readUser()
      if (user === undefined) end()
      else admit(user, last)
      // isStale may have been set while we waited.
    } while (isStale as boolean)
  }

  async function look(): Promise<void> {
    isStale = true
    reading ??= read().finally(() => (reading = undefined))
    return reading
  }

  /** This tab is signed out even if the service does not answer. */
  async function leave(because: 'left' | 'again'): Promise<void> {
    const noteInTabs = () => because === 'left' && noteSignOut()
    noteInTabs()
    try {
      await account.signOut()
    } finally {
      // Tabs may have been opened meanwhile, and before there may have been no room for the mark.
      noteInTabs()
      become({ state: 'signed-out', because })
    }
  }

  async function tokenOf(renew: 'when-over' | 'always'): Promise<string | undefined> {
    const token = await account.idToken(renew)
    if (token === undefined && current().state === 'signed-in') end()
    return token
  }

  return {
    current,
    subscribe,

    /** Reads who is signed in, at the start and after each possible change in another tab. */
    look,

    /** The same, after a change in this tab: without a user, they have signed out. */
    refresh: async () => {
      if (current().state === 'signed-in' && (await account.readUser()) === undefined) noteSignOut()
      return look()
    },

    /** Reports that the service does not answer, and lets in the given user until it does. Has no effect once the state is known. */
    reportUnreachable: (user) => {
      if (current().state !== 'loading') return
      if (user === undefined) become({ state: 'loading', isUnreachable: true })
      else admit(user, lastSignOut())
    },

    /** Ends the session. */
    signOut: async () => leave('left'),

    /** Ends the session so that the user signs in again, and keeps where they were. */
    signInAgain: async () => leave('again'),

    /** The server no longer accepts the session. */
    expired: async () => {
      if (current().state !== 'signed-in') return
      end()
      await account.signOut()
    },

    idToken: async () => tokenOf('when-over'),
    renewedIdToken: async () => tokenOf('always'),
  }
}
