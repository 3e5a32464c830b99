import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { authenticatorOf, scan, signOut } from '../support/authenticator.ts'
import { answerStep, expectError, expectSignedIn, fillSignUp, sendPassword } from '../support/forms.ts'
import { expect, test } from '../support/journey.ts'
import { readCode, readSmsCode, wrongCodeFor } from '../support/mailbox.ts'
import { addPhone, addPhoneStep, createAccount, register } from '../support/register.ts'

/** A wrong code shows an error, then the right one signs in. */
async function signInWith(page: Page, code: string): Promise<void> {
  await answerStep(page, wrongCodeFor(code))
  await expect(page.getByRole('alert')).toHaveText('Invalid code or auth state for the user.')
  await answerStep(page, code)
  await expectSignedIn(page)
}

test('a required second factor is set up during the sign-in', async ({ page, startWith, aPerson }) => {
  const server = await startWith({ MFA: 'required' })
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  await page.goto(`${server.url}/auth/signup`)
  await fillSignUp(page, server, ana)

  await test.step('Ana sets up an authenticator app', async () => {
    await sendPassword(page, ana)
    await expect(page.getByText('This account needs a second step.')).toBeVisible()
    await expectAccessible(page, 'choice of the second factor to set up')
    await page.getByRole('button', { name: 'Authenticator app' }).click()
    await expect(page.getByRole('heading', { name: 'Set up an authenticator app' })).toBeVisible()
    const app = authenticatorOf(await scan(page.getByRole('img', { name: 'QR code' })))
    await expectAccessible(page, 'setting up an app during the sign-in', { weekly: true })
    await answerStep(page, '000000')
    await expect(page.getByRole('alert')).toBeVisible()
    await answerStep(page, app.code())
    await expectSignedIn(page)

    await signOut(page)
    await sendPassword(page, ana)
    await expect(page.getByText('Enter the code your authenticator app shows')).toBeVisible()
    await answerStep(page, app.code())
    await expectSignedIn(page)
    await signOut(page)
  })

  await createAccount(server, ben)
  await test.step('Ben sets up codes by e-mail', async () => {
    await sendPassword(page, ben)
    await page.getByRole('button', { name: 'Code by e-mail' }).click()
    const email = page.getByLabel('E-mail')
    await expect(email).toHaveValue(ben.email)
    await expectAccessible(page, 'setting up codes by e-mail during the sign-in', { weekly: true })
    await answerStep(page, 'nowhere', 'E-mail')
    await expectError(email, 'Invalid email address')
    await answerStep(page, `other.${ben.email}`, 'E-mail')
    await expect(page.getByRole('alert')).toHaveText('The e-mail address must be the verified one of this account.')
    await answerStep(page, ben.email, 'E-mail')
    await expect(page.getByText('We sent a code to')).toBeVisible()
    await signInWith(page, await readCode(server.dataDir, ben.email, 2))
  })

  await test.step('later sign-ins ask for the second factor after the password', async () => {
    await signOut(page)
    await sendPassword(page, ben)
    await answerStep(page, await readCode(server.dataDir, ben.email, 3))
    await expectSignedIn(page)
  })
})

test('a user with a phone enters a code from a text message after the password', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  const phone = '+491701234567'
  await register(server, ana)
  await addPhoneStep(server, ana, phone)
  await page.goto('/auth/login')
  await sendPassword(page, ana)
  await expect(page.getByText('We sent a code to')).toContainText('4567')
  await expectAccessible(page, 'code of a text message', { weekly: true })
  const code = await readSmsCode(server.dataDir, phone, 2)
  await signInWith(page, code)
})

test('a user without a passkey signs in with a code by e-mail instead of the password', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await register(server, ana)
  await page.goto('/auth/login')
  await page.getByLabel('E-mail').fill(ana.email)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('button', { name: 'Code by e-mail' }).click()
  await expect(page.getByText('We sent a code to')).toBeVisible()
  const code = await readCode(server.dataDir, ana.email, 2)
  await signInWith(page, code)
})

test('a user with a phone signs in with a code by text message instead of the password', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const phone = '+491709876543'
  await register(server, ana)
  await addPhone(server, ana, phone)
  await page.goto('/auth/login')
  await page.getByLabel('E-mail').fill(ana.email)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('button', { name: 'Passkey', exact: true })).toHaveCount(0)
  await expectAccessible(page, 'first factors, with a phone', { weekly: true })
  await page.getByRole('button', { name: 'Code by text message' }).click()
  await expect(page.getByText('We sent a code to')).toContainText('6543')
  const code = await readSmsCode(server.dataDir, phone, 2)
  await signInWith(page, code)
})

test.describe('a sign-in with a custom challenge', () => {
  let folder: string
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'marquee-plug-in-'))
    await writeFile(join(folder, 'sled.mjs'), PLUG_IN)
  })
  test.afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  test('the question follows the password, is repeated after a wrong answer, and a right answer signs in', async ({
    page,
    startWith,
    aPerson,
  }) => {
    const server = await startWith({ CUSTOM_CHALLENGES: join(folder, 'sled.mjs') })
    const ana = aPerson('Ana')
    await register(server, ana)
    await page.goto(`${server.url}/auth/login`)
    await sendPassword(page, { ...ana, password: 'Wr0ng-password' })
    await expect(page.getByText('Incorrect username or password.')).toBeVisible()
    await sendPassword(page, ana)
    await expect(page.getByText('Which film has a sled in it?')).toBeVisible()
    await expectAccessible(page, 'a question')
    await answerStep(page, 'Cool Runnings', 'Answer')
    await expect(page.getByText('Is it a film of 1941?')).toBeVisible()
    await expect(page.getByRole('alert')).toHaveText('That answer was wrong.')
    await answerStep(page, 'citizen kane', 'Answer')
    await expectSignedIn(page)
    await signOut(page)
    await sendPassword(page, ana)
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect(page.getByLabel('E-mail')).toBeVisible()
  })
})

const PLUG_IN = `
const QUESTIONS = ['Which film has a sled in it?', 'Is it a film of 1941?']
export function define({ request: { session }, response }) {
  const last = session.at(-1)
  if (last?.challengeName === 'SRP_A') response.challengeName = 'PASSWORD_VERIFIER'
  else if (last?.challengeName === 'CUSTOM_CHALLENGE' && last.challengeResult) response.issueTokens = true
  else if (session.length >= 4) response.failAuthentication = true
  else response.challengeName = 'CUSTOM_CHALLENGE'
}
export function create({ request: { session }, response }) {
  response.publicChallengeParameters = { question: QUESTIONS[session.length - 2] }
  response.privateChallengeParameters = { answer: 'citizen kane' }
}
export function verify({ request, response }) {
  response.answerCorrect = request.challengeAnswer.toLowerCase() === request.privateChallengeParameters.answer
}
`
