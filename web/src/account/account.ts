/** The signed-in user. `username` is the one of the product API, `loginId` is what they typed to sign in. */
export type SessionUser = { userId: string; username: string; loginId: string }

/** What a session needs of the identity service's client. */
export type Account = {
  /** The signed-in user, from valid tokens. Undefined without any. Rejects if that cannot be known. */
  readUser: () => Promise<SessionUser | undefined>
  /** The id token, renewed if it has expired, or always. Undefined without a session. */
  idToken: (renew: 'when-over' | 'always') => Promise<string | undefined>
  /** Revokes and removes the tokens of this browser. */
  signOut: () => Promise<void>
}
