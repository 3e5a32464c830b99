import type { Page } from '@playwright/test'

import { expectForEveryone } from '../support/accessibility.ts'
import { authenticatorOf, openSecurity, signOut } from '../support/authenticator.ts'
import { expect, type Person, signIn, test } from '../support/journey.ts'
import { notThe, readCode } from '../support/mailbox.ts'
import { registerAndSignIn } from '../support/register.ts'

test.describe.configure({ timeout: 120_000 })

/** Sends e-mail and password: what comes next is another step. */
async function sendPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
}

async function answer(page: Page, code: string, label = 'Verification code'): Promise<void> {
  await page.getByLabel(label).fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** What the screen shows to be typed. */
async function secretOf(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  return (await page.getByTestId('app-secret').innerText()).replaceAll(' ', '')
}

async function setUpApp(page: Page) {
  await openSecurity(page)
  await page.getByRole('button', { name: 'Set up' }).click()
  const app = authenticatorOf(await secretOf(page))
  await page.getByLabel('Verification code').fill(app.code())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
  return app
}

test('an authenticator app is set up, asked for at sign-in, and turned off after a question', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  await openSecurity(page)
  await expectForEveryone(page, 'security, all off')
  await page.getByRole('button', { name: 'Set up' }).click()
  const app = authenticatorOf(await secretOf(page))

  await test.step('a wrong code turns nothing on', async () => {
    await page.getByLabel('Verification code').fill('000000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByRole('alert')).toHaveText('Code mismatch and fail enable Software Token MFA')
    await expectForEveryone(page, 'security, setting an app up')
    await page.getByLabel('Verification code').fill(app.code())
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByText('Signing in asks for a code of your app')).toBeVisible()
  })

  await test.step('signing in asks for the code; a wrong one is told and can be typed anew', async () => {
    await signOut(page)
    await sendPassword(page, ana)
    await expect(page.getByText('Enter the code your authenticator app shows')).toBeVisible()
    await expect(page.getByLabel('Verification code')).toHaveAttribute('autocomplete', 'one-time-code')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Verification code is required')).toBeVisible()
    await answer(page, '000000')
    await expect(page.getByRole('alert')).toHaveText('Invalid code received for user')
    await expectForEveryone(page, 'code of the app, wrong')
    await answer(page, app.code())
    await expect(page).toHaveURL(/\/watchlists$/u)
  })

  await test.step('it is turned off after a question that can be called off', async () => {
    await openSecurity(page)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await expectForEveryone(page, 'security, turning the app off')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
    await signOut(page)
    await signIn(page, ana)
  })
})

test('a second step that is left alone for three minutes, or reloaded, starts over', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await page.clock.install()
  await registerAndSignIn(page, server, ana)
  await setUpApp(page)
  await signOut(page)

  await sendPassword(page, ana)
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await sendPassword(page, ana)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await sendPassword(page, ana)
  await page.clock.fastForward('03:01')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(
    'That took too long, or too many codes were wrong. Please sign in again.',
  )
})

test('the e-mail changes once the code that went to the new one is given', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  const moved = { ...ana, email: `new.${ana.email}` }
  await registerAndSignIn(page, server, ana)
  await openSecurity(page)
  await expect(page.getByText(`You sign in with ${ana.email}.`)).toBeVisible()
  await page.getByRole('button', { name: 'Change e-mail' }).click()
  await page.getByLabel('New e-mail').fill('nowhere')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await page.getByLabel('New e-mail').fill(ana.email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('That is your address already.')).toBeVisible()
  await expectForEveryone(page, 'security, a new e-mail')

  await page.getByLabel('New e-mail').fill(moved.email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('status')).toContainText(`We sent a code to ${moved.email}.`)
  const code = await readCode(server.dataDir, moved.email)
  await page.getByLabel('Verification code').fill(notThe(code))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid verification code provided, please try again.')
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(`You sign in with ${moved.email}.`, { exact: true })).toBeVisible()

  await signOut(page)
  await signIn(page, moved)
})

test('signing out everywhere ends the session of another browser too', async ({ page, server, aPerson, openAs }) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const elsewhere = await openAs(ana)
  await openSecurity(page)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/auth\/login/u)

  await elsewhere.reload()
  await expect(elsewhere).toHaveURL(/\/auth\/login/u)
})
