import { createContext, use, useSyncExternalStore } from 'react'

import type { SessionState, SessionStore } from './session-store.ts'
import { session } from './session.ts'

/** The session of this tab. Tests provide their own. */
export const SessionContext = createContext<SessionStore>(session)

/** The state and the actions of the session. */
export function useSession(): SessionState & Pick<SessionStore, 'idToken' | 'signOut' | 'signInAgain' | 'refresh'> {
  const store = use(SessionContext)
  const current = useSyncExternalStore(store.subscribe, store.current)
  const { idToken, signOut, signInAgain, refresh } = store
  return { ...current, idToken, signOut, signInAgain, refresh }
}

/** The username, empty for a guest. */
export function useVisitorName(): string {
  const current = useSession()
  return current.state === 'signed-in' ? current.user.username : ''
}

/** The signed-in user. Only inside `<SignedIn>`. */
export function useSignedInUser() {
  const current = useSession()
  if (current.state !== 'signed-in') throw new Error('There is no signed-in user here')
  return current.user
}
