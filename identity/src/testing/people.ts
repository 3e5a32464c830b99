import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'

import {
  claimSignature,
  K,
  N,
  pad,
  power,
  powerOfGenerator,
  scramble,
  sha256,
  toGroupBytes,
  toInteger,
} from '../base/srp/srp.ts'
import { poolNameOf } from '../compose.ts'
import type { RunningPool } from './a-pool.ts'

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

export type Challenge = { SALT: string; SECRET_BLOCK: string; SRP_B: string; USERNAME: string; USER_ID_FOR_SRP: string }

type SrpClient = { A: string; answer: (challenge: Challenge, password: string) => Record<string, string> }

/** The client side of SRP: its public value, and the answer to the challenge. */
export function srpClient(userPoolId: string): SrpClient {
  return srpClientOf(poolNameOf(userPoolId))
}

/** The same for a given pool name, or for the group key of a device. */
export function srpClientOf(poolName: string): SrpClient {
  const a = randomBytes(128)
  const A = toInteger(powerOfGenerator(a))
  return {
    A: A.toString(16),
    answer: (challenge, password) => {
      const B = BigInt(`0x${challenge.SRP_B}`)
      const u = toInteger(scramble(A, B))
      const identity = sha256(Buffer.from(`${poolName}${challenge.USER_ID_FOR_SRP}:${password}`, 'utf8'))
      const x = toInteger(sha256(pad(BigInt(`0x${challenge.SALT}`)), identity))
      const gx = toInteger(powerOfGenerator(toGroupBytes(x)))
      const base = (((B - K * gx) % N) + N) % N
      const S = toInteger(power(toGroupBytes(base), toGroupBytes(toInteger(a) + u * x)))
      const key = Buffer.from(hkdfSync('sha256', pad(S), pad(u), 'Caldera Derived Key', 16))
      const timestamp = 'Fri Nov 20 18:34:15 UTC 2026'
      const claim = { secretBlock: Buffer.from(challenge.SECRET_BLOCK, 'base64'), timestamp }
      const signature = claimSignature(key, { poolName, userId: challenge.USER_ID_FOR_SRP }, claim)
      return {
        USERNAME: challenge.USERNAME,
        PASSWORD_CLAIM_SECRET_BLOCK: challenge.SECRET_BLOCK,
        PASSWORD_CLAIM_SIGNATURE: signature.toString('base64'),
        TIMESTAMP: timestamp,
      }
    },
  }
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
