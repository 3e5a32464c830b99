import type { Person } from '../people.ts'

export type Endpoint = { userPoolId: string; userPoolClientId: string; userPoolEndpoint: string }

/** What each official library can do, called by one set of names. A refusal rejects with the library's own error. */
export type Client = {
  signUp: (person: Person) => Promise<void>
  confirm: (username: string, code: string) => Promise<void>
  resend: (username: string) => Promise<void>
  /** Signs in with SRP, and gives who the library thinks it is; `CONFIRM_SIGN_UP` or `RESET_PASSWORD` if it shows that step. */
  signIn: (login: string, password: string) => Promise<{ username: string } | 'CONFIRM_SIGN_UP' | 'RESET_PASSWORD'>
  /** Refreshes the tokens by hand and gives the new id token. */
  refresh: () => Promise<string>
  changePassword: (previous: string, proposed: string) => Promise<void>
  requestReset: (login: string) => Promise<string>
  confirmReset: (login: string, code: string, password: string) => Promise<void>
  /** Signs out of this session with a revoked token. */
  signOut: () => Promise<void>
  /** Ends every session of the user. */
  signOutEverywhere: () => Promise<void>
}
