import type { RunningPool } from '../a-pool.ts'
import type { Person } from '../people.ts'

export type Endpoint = { userPoolId: string; userPoolClientId: string; userPoolEndpoint: string }

/** The official libraries behind one set of names. A failed call rejects with the library's own error. */
export type Client = {
  signUp: (person: Person) => Promise<void>
  confirm: (username: string, code: string) => Promise<void>
  resend: (username: string) => Promise<void>
  /**
   * Signs in with SRP; returns the username, or `CONFIRM_SIGN_UP` or `RESET_PASSWORD` if the library reports that step.
   */
  signIn: (login: string, password: string) => Promise<{ username: string } | 'CONFIRM_SIGN_UP' | 'RESET_PASSWORD'>
  /** Refreshes the tokens and returns the new id token. */
  refresh: () => Promise<string>
  changePassword: (previous: string, proposed: string) => Promise<void>
  requestReset: (login: string) => Promise<string>
  confirmReset: (login: string, code: string, password: string) => Promise<void>
  /** Signs out of this session and revokes its token. */
  signOut: () => Promise<void>
  /** Ends every session of the user. */
  signOutEverywhere: () => Promise<void>
}

/** Lets clients reach a pool on a port of its own. */
export async function listen({ app, identity }: RunningPool): Promise<Endpoint> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { ...identity.pool, userPoolEndpoint: `${app.listeningOrigin}/identity/` }
}

/** The name of the error of a failed call. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof Error ? error.name : JSON.stringify(error)),
  )
}
