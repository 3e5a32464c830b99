import { generateSync } from 'otplib'

import type { RunningPool } from './a-pool.ts'
import { aConfirmedUser, type Person, type Reply, signIn, type Tokens } from './people.ts'

/** The code an authenticator app shows at a moment. */
export function appCode(secret: string, at: Date): string {
  return generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) })
}

/** Sends the password in the clear and returns the reply. */
export async function givePassword(pool: RunningPool, login: string, password: string): Promise<Reply> {
  const AuthParameters = { USERNAME: login, PASSWORD: password }
  return await pool.call('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters })
}

/** Answers the challenge of a reply. */
export async function respond(
  pool: RunningPool,
  reply: Reply,
  responses: Record<string, string>,
  USERNAME: string,
): Promise<Reply> {
  return await pool.call('RespondToAuthChallenge', {
    ChallengeName: reply.body['ChallengeName'],
    Session: reply.body['Session'],
    ChallengeResponses: { USERNAME, ...responses },
  })
}

/** A confirmed user with an enabled authenticator app; its first code is used up. */
export async function aUserWithApp(
  pool: RunningPool,
  now: () => Date,
): Promise<Person & { sub: string; secret: string; tokens: Tokens }> {
  const person = await aConfirmedUser(pool)
  const tokens = await signIn(pool, person)
  const secret = await setUpApp(pool, tokens, now())
  return { ...person, secret, tokens }
}

/** Sets up and enables an app for the signed-in user; returns its secret. */
async function setUpApp(pool: RunningPool, { AccessToken }: Tokens, now: Date): Promise<string> {
  const { body } = await pool.call('AssociateSoftwareToken', { AccessToken })
  const secret = String(body['SecretCode'])
  await mustSucceed(pool, 'VerifySoftwareToken', { AccessToken, UserCode: appCode(secret, now) })
  await mustSucceed(pool, 'SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: true } })
  return secret
}

export async function mustSucceed(pool: RunningPool, operation: string, body: object): Promise<Reply> {
  const reply = await pool.call(operation, body)
  if (reply.status !== 200) throw new Error(`${String(reply.body['__type'])}: ${String(reply.body['message'])}`)
  return reply
}
