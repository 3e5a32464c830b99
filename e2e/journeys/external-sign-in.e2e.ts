import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { openAccount } from '../support/authenticator.ts'
import { expectError, sendPassword } from '../support/forms.ts'
import { startPair } from '../support/installations.ts'
import { expect, type Person, test } from '../support/journey.ts'
import { register } from '../support/register.ts'

/** Signs in with the provider, starting from the login screen. */
async function signInWithProvider(page: Page, person: Person): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with Film club' }).click()
  await expect(page.getByRole('link', { name: 'Sign in with Film club' })).toBeHidden()
  await sendPassword(page, person)
  await page.getByRole('button', { name: 'Continue to The other Marquee' }).click()
}

async function chooseSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account of' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

test.use({ serviceWorkers: 'allow' })

// Evidence: asvs-6.8.4, asvs-7.5.1, asvs-7.6.1, asvs-7.6.2
test('a new user signs in with the provider, gets an account, signs out of both, and signs in again', async ({
  page,
  aPerson,
  browser,
  startWith,
}) => {
  const { here, there } = await startPair(startWith)
  const ana = aPerson('Ana')
  await register(there, ana)
  await page.clock.install()

  await page.goto(`${here.url}/watchlists/create`)
  await expectAccessible(page, 'login screen with a provider')
  // The service worker must not ask the server for the provider's answer, which is good for one request.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.reload()
  await signInWithProvider(page, ana)
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await expect(page.locator('input[name=name]')).toHaveValue(ana.name)
  await expectAccessible(page, 'welcome from the provider')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(`${here.url}/watchlists/create`)

  await openAccount(page)
  await expect(page.getByText('Your account is connected')).toBeVisible()

  await test.step('signing out opens the provider’s page, then returns', async () => {
    await chooseSignOut(page)
    await page.waitForURL(`${there.url}/auth/logout**`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${here.url}/auth/login`)
  })

  await test.step('the next sign-in asks no question in the app', async () => {
    await signInWithProvider(page, ana)
    await expect(page).toHaveURL(/\/watchlists$/u)
  })

  await test.step('the provider asks a user who has to sign in again, even if they have a session there', async () => {
    await openAccount(page)
    await page.clock.fastForward('15:00')
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await expect(page).toHaveURL(/\/auth\/login/u)
    await page.reload()
    await signInWithProvider(page, ana)
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeEnabled()
  })

  const other = await (await browser.newContext({ baseURL: here.url })).newPage()
  await test.step('a link from another site leads to the login screen', async () => {
    await other.goto(`${there.url}/auth/login`)
    await other.evaluate((start) => {
      location.assign(start)
    }, `${here.url}/oauth2/external/start?redirect=%2Fwatchlists`)
    await expect(other).toHaveURL(`${here.url}/auth/login?redirect=%2Fwatchlists`)
  })

  await there.stop()
  await test.step('signing out shows an error if the provider is unreachable', async () => {
    await chooseSignOut(page)
    await expect(page.getByText('An error occurred when attempting to log out from OAuth provider.')).toBeVisible()
  })

  await test.step('an unreachable provider and a cancelled sign-in lead back to the login screen', async () => {
    await other.getByRole('link', { name: 'Sign in with Film club' }).click()
    await expect(other.getByRole('alert')).toContainText('cannot be reached')
    await expectAccessible(other, 'unreachable provider', { weekly: true })
    await other.goto(`${here.url}/oauth2/external/callback?code=x&state=y`)
    await expect(other.getByRole('alert')).toContainText('was already used or took too long')
  })
  await other.context().close()
})

test('an account with the same e-mail is connected only after its owner signs in', async ({
  page,
  aPerson,
  startWith,
}) => {
  const { here, there } = await startPair(startWith)
  const ben = aPerson('Ben')
  const benHere = { ...ben, password: 'An0ther-password' }
  await register(there, ben)
  await register(here, benHere)

  await page.goto(`${here.url}/auth/login`)
  await signInWithProvider(page, ben)
  await page.locator('input[name=name]').fill('an@address.example')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expectError(page.getByLabel('Name'), 'Choose another name')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.locator('input[name=name]').fill('Another name')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await expect(page.getByRole('alert')).toContainText('There is already an account with')

  await page.getByRole('link', { name: 'Sign in and connect' }).click()
  await expect(page.getByText('then you can connect it to Film club')).toBeVisible()
  await sendPassword(page, benHere)
  await expect(page.getByRole('heading', { name: 'Connect with Film club' })).toBeVisible()
  await expectAccessible(page, 'connect with the provider')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page).toHaveURL(/\/watchlists$/u)

  await openAccount(page)
  await page.getByRole('button', { name: 'Disconnect from Film club' }).click()
  await expectAccessible(page, 'disconnect from the provider', { weekly: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect from Film club' }).click()
  await expect(page.getByText('Your account is not connected')).toBeVisible()
})
