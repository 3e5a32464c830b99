import { createContext, use, useSyncExternalStore } from 'react'

import type { SessionState, SessionStore } from './session-store.ts'
import { session } from './session.ts'

/** The session a tree looks at: that of this tab, unless a test hands in its own. */
export const SessionContext = createContext<SessionStore>(session)

/** Who is signed in, and the actions of the session. Renders again when that changes. */
export function useSession(): SessionState & Pick<SessionStore, 'idToken' | 'signOut' | 'signInAgain' | 'refresh'> {
  const store = use(SessionContext)
  const current = useSyncExternalStore(store.subscribe, store.current)
  const { idToken, signOut, signInAgain, refresh } = store
  return { ...current, idToken, signOut, signInAgain, refresh }
}

/** What replies of the product API call whoever looks: their username, nothing for a guest. */
export function useVisitorName(): string {
  const current = useSession()
  return current.state === 'signed-in' ? current.user.username : ''
}

/** The signed-in user; only for what is rendered inside `<SignedIn>`. */
export function useSignedInUser() {
  const current = useSession()
  if (current.state !== 'signed-in') throw new Error('There is no signed-in user here')
  return current.user
}
