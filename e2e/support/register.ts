import type { Page } from '@playwright/test'

import { type Person, signIn } from './journey.ts'
import { readCode, readSmsCode } from './mailbox.ts'
import { type Seeder, seedWith } from './seed.ts'
import type { RunningServer } from './server.ts'
import { type SrpChallenge, startSrp } from './srp.ts'

/** Makes an account without a browser, for those whose signing up is not what a journey is about. */
export async function register(server: RunningServer, person: Person): Promise<Seeder> {
  const { name, email, password } = person
  const { call } = await identityOf(server)
  await call('SignUp', { Username: name, Password: password, UserAttributes: [{ Name: 'email', Value: email }] })
  await call('ConfirmSignUp', { Username: name, ConfirmationCode: await readCode(server.dataDir, email) })
  return seedWith(server.url, (await tokensOf(server, person)).IdToken)
}

/** Gives an account a phone, proven with the code of a text message. */
export async function addPhone(server: RunningServer, person: Person, phone: string): Promise<{ AccessToken: string }> {
  const { call } = await identityOf(server)
  const { AccessToken } = await tokensOf(server, person)
  await call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'phone_number', Value: phone }] })
  const Code = await readSmsCode(server.dataDir, phone)
  await call('VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })
  return { AccessToken }
}

/** Gives an account a phone, to which a code goes after the password from now on. */
export async function addPhoneStep(server: RunningServer, person: Person, phone: string): Promise<void> {
  const { AccessToken } = await addPhone(server, person, phone)
  const { call } = await identityOf(server)
  await call('SetUserMFAPreference', { AccessToken, SMSMfaSettings: { Enabled: true, PreferredMfa: true } })
}

async function tokensOf(
  server: RunningServer,
  { email, password }: Person,
): Promise<{ IdToken: string; AccessToken: string }> {
  const { pool, call } = await identityOf(server)
  const { srpA, answer } = startSrp()
  const { ChallengeParameters } = await call<{ ChallengeParameters: SrpChallenge }>('InitiateAuth', {
    AuthFlow: 'USER_SRP_AUTH',
    AuthParameters: { USERNAME: email, SRP_A: srpA },
  })
  type Proven = { AuthenticationResult: { IdToken: string; AccessToken: string } }
  const { AuthenticationResult } = await call<Proven>('RespondToAuthChallenge', {
    ChallengeName: 'PASSWORD_VERIFIER',
    ChallengeResponses: answer(pool, password, ChallengeParameters),
  })
  return AuthenticationResult
}

/** Makes an account without a browser, and signs in on a page: the person stands on their first screen. */
export async function registerAndSignIn(page: Page, server: RunningServer, person: Person): Promise<void> {
  await register(server, person)
  await page.goto('/auth/login')
  await signIn(page, person)
}

type Config = { auth: { userPoolId: string; userPoolClientId: string } }

async function identityOf(server: RunningServer) {
  const config = (await (await fetch(`${server.url}/config.json`)).json()) as Config
  const { userPoolId, userPoolClientId: ClientId } = config.auth
  return {
    pool: userPoolId.split('_')[1] ?? '',
    call: async <Reply>(operation: string, body: Record<string, unknown>): Promise<Reply> => {
      const response = await fetch(`${server.url}/identity/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify({ ...body, ClientId }),
      })
      if (!response.ok) throw new Error(`${operation} was answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as Reply
    },
  }
}
