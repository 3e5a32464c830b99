import { randomUUID } from 'node:crypto'

import type { RunningPool } from './a-pool.ts'
import { type Challenge, srpClient } from './srp-client.ts'

export type Person = { username: string; email: string; password: string }

/** A person with a unique name and address. */
export function aPerson(known: Partial<Person> = {}): Person {
  const id = randomUUID().slice(0, 13)
  return { username: `Zoë ${id}`, email: `zoe.${id}@example.com`, password: 'Passw0rdX', ...known }
}

export async function signUp(pool: RunningPool, person: Person): Promise<string> {
  const { status, body } = await pool.call('SignUp', {
    Username: person.username,
    Password: person.password,
    UserAttributes: [{ Name: 'email', Value: person.email }],
  })
  if (status !== 200) throw new Error(`${String(body['__type'])}: ${String(body['message'])}`)
  return String(body['UserSub'])
}

/** A user who has confirmed the address with the code from the mail. */
export async function aConfirmedUser(
  pool: RunningPool,
  known: Partial<Person> = {},
): Promise<Person & { sub: string }> {
  const person = aPerson(known)
  const sub = await signUp(pool, person)
  const ConfirmationCode = await pool.readCode(person.email)
  const { status } = await pool.call('ConfirmSignUp', { Username: person.username, ConfirmationCode })
  if (status !== 200) throw new Error('The user could not be confirmed')
  return { ...person, sub }
}

export type Tokens = { AccessToken: string; IdToken: string; RefreshToken: string }
export type Reply = { status: number; body: Record<string, unknown> }

/** Begins a sign-in and returns the answer that finishes it. */
export async function beginSignIn(pool: RunningPool, login: string, password: string): Promise<Record<string, string>> {
  const client = srpClient(pool.identity.pool.userPoolId)
  const { body } = await pool.call('InitiateAuth', {
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: login, SRP_A: client.A },
  })
  return client.answer(body['ChallengeParameters'] as Challenge, password)
}

export async function finishSignIn(pool: RunningPool, responses: Record<string, string | null>): Promise<Reply> {
  return await pool.call('RespondToAuthChallenge', {
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses: responses,
  })
}

/** Signs in with SRP and returns the last reply. */
export async function trySignIn(pool: RunningPool, login: string, password: string): Promise<Reply> {
  return await finishSignIn(pool, await beginSignIn(pool, login, password))
}

export function tokensOf({ body }: Reply): Tokens {
  const result = body['AuthenticationResult']
  if (result === undefined) throw new Error(`${String(body['__type'])}: ${String(body['message'])}`)
  return result as Tokens
}

export async function signIn(pool: RunningPool, person: Pick<Person, 'email' | 'password'>): Promise<Tokens> {
  return tokensOf(await trySignIn(pool, person.email, person.password))
}
