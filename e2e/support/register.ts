import type { Page } from '@playwright/test'

import { callIdentity, readAuthConfig } from './api.ts'
import type { Person } from './forms.ts'
import { readCode, readSmsCode } from './mailbox.ts'
import { type Seeder, seedWith } from './seed.ts'
import type { RunningServer } from './server.ts'

type Tokens = { IdToken: string; AccessToken: string; RefreshToken: string }

/** Creates a confirmed account through the identity API, and seeds as its user. */
export async function register(server: RunningServer, person: Person): Promise<Seeder> {
  await createAccount(server, person)
  return seedWith(server.url, (await tokensOf(server, person)).IdToken)
}

/** Creates an account and signs in, both without a form. Opens no screen. */
export async function registerAndSignIn(page: Page, server: RunningServer, person: Person): Promise<void> {
  await createAccount(server, person)
  await signInWithoutForm(page, server, person)
}

/** Signs in without a form, by storing tokens as Amplify does. Opens no screen. */
export async function signInWithoutForm(page: Page, server: RunningServer, person: Person): Promise<void> {
  const { userPoolClientId } = await readAuthConfig(server.url)
  const userAgent = await page.evaluate(() => navigator.userAgent)
  const { IdToken, AccessToken, RefreshToken } = await tokensOf(server, person, userAgent)
  const { sub } = JSON.parse(Buffer.from(IdToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
  const pool = `CognitoIdentityServiceProvider.${userPoolClientId}`
  const kept = {
    [`${pool}.LastAuthUser`]: sub,
    [`${pool}.${sub}.idToken`]: IdToken,
    [`${pool}.${sub}.accessToken`]: AccessToken,
    [`${pool}.${sub}.refreshToken`]: RefreshToken,
    [`${pool}.${sub}.clockDrift`]: '0',
    [`${pool}.${sub}.signInDetails`]: JSON.stringify({ loginId: person.email, authFlowType: 'USER_SRP_AUTH' }),
  }
  // Any document of this origin has access to its storage. This one runs no script.
  await page.goto(`${server.url}/favicon.svg`)
  await page.evaluate((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, kept)
}

/** Adds a phone to an account and verifies it with the code from the text message. */
export async function addPhone(server: RunningServer, person: Person, phone: string): Promise<{ AccessToken: string }> {
  const { AccessToken } = await tokensOf(server, person)
  await callIdentity(server.url, 'UpdateUserAttributes', {
    AccessToken,
    UserAttributes: [{ Name: 'phone_number', Value: phone }],
  })
  const Code = await readSmsCode(server.dataDir, phone)
  await callIdentity(server.url, 'VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code })
  return { AccessToken }
}

/** Adds a phone as the second factor of an account. */
export async function addPhoneStep(server: RunningServer, person: Person, phone: string): Promise<void> {
  const { AccessToken } = await addPhone(server, person, phone)
  await callIdentity(server.url, 'SetUserMFAPreference', {
    AccessToken,
    SMSMfaSettings: { Enabled: true, PreferredMfa: true },
  })
}

/** Creates a confirmed account through the identity API, without a sign-in. */
export async function createAccount(server: RunningServer, { name, email, password }: Person): Promise<void> {
  await callIdentity(server.url, 'SignUp', {
    Username: name,
    Password: password,
    UserAttributes: [{ Name: 'email', Value: email }],
  })
  await callIdentity(server.url, 'ConfirmSignUp', {
    Username: name,
    ConfirmationCode: await readCode(server.dataDir, email),
  })
}

async function tokensOf(server: RunningServer, { email, password }: Person, userAgent?: string): Promise<Tokens> {
  const input = { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: email, PASSWORD: password } }
  const { AuthenticationResult } = await callIdentity<{ AuthenticationResult: Tokens }>(
    server.url,
    'InitiateAuth',
    input,
    userAgent,
  )
  return AuthenticationResult
}
