import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { expectForEveryone } from '../support/accessibility.ts'
import { authenticatorOf, scan, signOut } from '../support/authenticator.ts'
import { expect, type Person } from '../support/journey.ts'
import { notThe, readCode, readSmsCode } from '../support/mailbox.ts'
import { test } from '../support/own-server.ts'
import { addPhone, register } from '../support/register.ts'

test.describe.configure({ timeout: 120_000 })

async function sendPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function answer(page: Page, text: string, label = 'Verification code'): Promise<void> {
  await page.getByLabel(label).fill(text)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('where everybody needs a second step, it is set up while signing in', async ({ page, startWith, aPerson }) => {
  const server = await startWith({ MFA: 'required' })
  const ana = aPerson('Ana')
  await page.goto(`${server.url}/auth/signup`)
  await page.locator('input[name=email]').fill(ana.email)
  await page.locator('input[name=name]').fill(ana.name)
  await page.locator('input[name=password]').fill(ana.password)
  await page.locator('input[name=confirmPassword]').fill(ana.password)
  await page.locator('form button[type=submit]').click()
  await page.locator('input[name=code]').fill(await readCode(server.dataDir, ana.email))
  await page.locator('form button[type=submit]').click()
  await page.waitForURL('**/auth/login')

  await sendPassword(page, ana)
  await expect(page.getByText('This account needs a second step.')).toBeVisible()
  await expectForEveryone(page, 'which second step to set up')
  await page.getByRole('button', { name: 'Authenticator app' }).click()
  await expect(page.getByRole('heading', { name: 'Set up an authenticator app' })).toBeVisible()
  const app = authenticatorOf(await scan(page.getByRole('img', { name: 'QR code' })))
  await expectForEveryone(page, 'setting an app up while signing in')
  await answer(page, '000000')
  await expect(page.getByRole('alert')).toBeVisible()
  await answer(page, app.code())
  await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))

  await signOut(page)
  await sendPassword(page, ana)
  await expect(page.getByText('Enter the code your authenticator app shows')).toBeVisible()
  await answer(page, app.code())
  await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
})

test('a code by text message is asked for after the password, of who has that', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  const phone = '+491701234567'
  await register(server, ana)
  await addPhone(server, ana, phone)
  await page.goto('/auth/login')
  await sendPassword(page, ana)
  await expect(page.getByText('We sent a code to')).toContainText('4567')
  await expectForEveryone(page, 'code of a text message')
  const code = await readSmsCode(server.dataDir, phone, 2)
  await answer(page, notThe(code))
  await expect(page.getByRole('alert')).toHaveText('Invalid code or auth state for the user.')
  await answer(page, code)
  await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
})

test('who has no passkey at hand signs in with a code by e-mail in place of the password', async ({
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
  await answer(page, await readCode(server.dataDir, ana.email, 2))
  await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
})

test.describe('with a question of the installation', () => {
  let folder: string
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'marquee-plug-in-'))
    await writeFile(join(folder, 'sled.mjs'), PLUG_IN)
  })
  test.afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
  })

  test('it is asked after the password, again after a wrong answer, and the right one signs in', async ({
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
    await expectForEveryone(page, 'a question')
    await answer(page, 'Cool Runnings', 'Answer')
    await expect(page.getByText('Is it a film of 1941?')).toBeVisible()
    await answer(page, 'citizen kane', 'Answer')
    await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
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
