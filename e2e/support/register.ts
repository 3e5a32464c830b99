import type { Page } from '@playwright/test'

import type { Person } from './account-forms.ts'
import { readCode, readSmsCode } from './mailbox.ts'
import { type Seeder, seedWith } from './seed.ts'
import type { RunningServer } from './server.ts'

type Tokens = { IdToken: string; AccessToken: string; RefreshToken: string }

/** Creates a confirmed account through the identity API. */
export async function register(server: RunningServer, person: Person): Promise<Seeder> {
  await createAccount(server, person)
  return seedWith(server.url, (await tokensOf(server, person)).IdToken)
}

/** Creates an account and opens the first screen signed in, without any form. */
export async function registerAndSignIn(page: Page, server: RunningServer, person: Person): Promise<void> {
  await createAccount(server, person)
  await openSignedIn(page, server, person)
}

/** Opens the first screen signed in, by storing tokens as Amplify does. */
export async function openSignedIn(page: Page, server: RunningServer, person: Person): Promise<void> {
  const { clientId } = await identityOf(server)
  const userAgent = await page.evaluate(() => navigator.userAgent)
  const { IdToken, AccessToken, RefreshToken } = await tokensOf(server, person, userAgent)
  const { sub } = JSON.parse(Buffer.from(IdToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
  const pool = `CognitoIdentityServiceProvider.${clientId}`
  const kept = {
    [`${pool}.LastAuthUser`]: sub,
    [`${pool}.${sub}.idToken`]: IdToken,
    [`${pool}.${sub}.accessToken`]: AccessToken,
    [`${pool}.${sub}.refreshToken`]: RefreshToken,
    [`${pool}.${sub}.clockDrift`]: '0',
    [`${pool}.${sub}.signInDetails`]: JSON.stringify({ loginId: person.email, authFlowType: 'USER_SRP_AUTH' }),
  }
  // Any document of this origin has access to its storage. This one runs no script.
  await page.goto('/favicon.svg')
  await page.evaluate((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, kept)
  await page.goto('/')
}

/** Adds a phone to an account and verifies it with the code from the text message. */
export async function addPhone(server: RunningServer, person: Person, phone: string): Promise<{ AccessToken: string }> {
  const { call } = await identityOf(server)
  const { AccessToken } = await tokensOf(server, person)
  await call('UpdateUserAttributes', { AccessToken, UserAttributes: [{ Name: 'phone_number', Value: phone }] })
  const Code = await readSmsCode(server.dataDir, phone)
  await call('VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })
  return { AccessToken }
}

/** Adds a phone as the second factor of an account. */
export async function addPhoneStep(server: RunningServer, person: Person, phone: string): Promise<void> {
  const { AccessToken } = await addPhone(server, person, phone)
  const { call } = await identityOf(server)
  await call('SetUserMFAPreference', { AccessToken, SMSMfaSettings: { Enabled: true, PreferredMfa: true } })
}

async function createAccount(server: RunningServer, { name, email, password }: Person): Promise<void> {
  const { call } = await identityOf(server)
  await call('SignUp', { Username: name, Password: password, UserAttributes: [{ Name: 'email', Value: email }] })
  await call('ConfirmSignUp', { Username: name, ConfirmationCode: await readCode(server.dataDir, email) })
}

async function tokensOf(server: RunningServer, { email, password }: Person, userAgent?: string): Promise<Tokens> {
  const { call } = await identityOf(server, userAgent)
  const { AuthenticationResult } = await call<{ AuthenticationResult: Tokens }>('InitiateAuth', {
    AuthFlow: 'USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: email, PASSWORD: password },
  })
  return AuthenticationResult
}

type Config = { auth: { userPoolClientId: string } }

async function identityOf(server: RunningServer, userAgent = 'a journey') {
  const config = (await (await fetch(`${server.url}/config.json`)).json()) as Config
  const { userPoolClientId: clientId } = config.auth
  return {
    clientId,
    call: async <Reply>(operation: string, body: Record<string, unknown>): Promise<Reply> => {
      const response = await fetch(`${server.url}/identity/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'user-agent': userAgent,
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify({ ...body, ClientId: clientId }),
      })
      if (!response.ok) throw new Error(`${operation} was answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as Reply
    },
  }
}
