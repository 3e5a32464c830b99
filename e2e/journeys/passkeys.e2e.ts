import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { openAccount, signOut } from '../support/authenticator.ts'
import { expect, test } from '../support/journey.ts'
import { addAuthenticator } from '../support/passkeys.ts'
import { registerAndSignIn } from '../support/register.ts'

const passkeys = (page: Page) => page.getByRole('list', { name: 'Your passkeys' }).getByRole('listitem')

async function askForPasskey(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
}

// Evidence: wcag-3.3.8
test('a passkey is created, named, used to sign in, and removed after a confirmation', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const authenticator = await addAuthenticator(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'Account of' }).click()
  await page.getByRole('menuitem', { name: 'Sign-in' }).click()
  await expect(page.getByText('You have no passkey yet.')).toBeVisible()

  await test.step('the browser creates the passkey, which is then listed', async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(passkeys(page)).toHaveCount(1)
    await expect(passkeys(page)).toContainText('Not used yet')
    expect(await authenticator.count()).toBe(1)
    await expectAccessible(page, 'security, with a passkey', { weekly: true })
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()
  })

  await test.step('the passkey is named', async () => {
    await page.getByRole('button', { name: /^Rename/u }).click()
    await expectAccessible(page, 'security, naming a passkey')
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.getByLabel('Name', { exact: true }).fill('Laptop in the kitchen')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(passkeys(page)).toContainText('Laptop in the kitchen')
    await expect(page.getByRole('button', { name: 'Rename Laptop in the kitchen' })).toBeFocused()
  })

  await test.step('the passkey signs in without a password, and the list shows when it was used', async () => {
    await signOut(page)
    await askForPasskey(page, ana.email)
    await expect(page).toHaveURL(/\/watchlists$/u)
    await openAccount(page)
    await expect(passkeys(page)).toContainText('Last used')
  })

  await test.step('a removed passkey is no longer listed, and the sign-in offers other ways', async () => {
    await page.getByRole('button', { name: 'Remove Laptop in the kitchen' }).click()
    await expectAccessible(page, 'security, removing a passkey', { weekly: true })
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('You have no passkey yet.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused()
    await signOut(page)
    await askForPasskey(page, ana.email)
    const noPasskey = 'There is no passkey to use for this e-mail. Choose another way to sign in.'
    await expect(page.getByText(noPasskey)).toBeVisible()
    await expectAccessible(page, 'first factor')
    await page.getByRole('button', { name: 'Password' }).click()
    await expect(page.getByRole('heading', { name: 'Enter your password' })).toBeVisible()
    await expectAccessible(page, 'password as a next step')
    await page.getByLabel('Password', { exact: true }).fill(ana.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page).toHaveURL(/\/watchlists$/u)
  })
})

test('cancelling a passkey leaves the form unchanged and shows what to do', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const authenticator = await addAuthenticator(page)
  await openAccount(page)

  await test.step('the user cancels the creation of a passkey', async () => {
    await authenticator.setConfirming(false)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(page.getByText('No passkey was made.')).toBeVisible()
    await authenticator.setConfirming(true)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(passkeys(page)).toHaveCount(1)
  })

  await test.step('the user cancels a sign-in by passkey', async () => {
    await signOut(page)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page.getByLabel('E-mail')).toBeFocused()
    await authenticator.setConfirming(false)
    await askForPasskey(page, ana.email)
    await expect(page.getByText('The passkey was not used.')).toBeVisible()
    await expectAccessible(page, 'cancelled passkey', { weekly: true })
    await expect(page.getByLabel('E-mail')).toHaveValue(ana.email)
    await authenticator.setConfirming(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await expect(page).toHaveURL(/\/watchlists$/u)
  })
})

test('a browser without passkeys and an insecure connection each show a hint', async ({ page, server, aPerson }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
  await registerAndSignIn(page, server, aPerson('Ana'))
  await openAccount(page)
  await expect(page.getByText('This browser cannot create passkeys.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)

  await page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }))
  await page.reload()
  await expect(page.getByText('Passkeys need a secure connection.')).toBeVisible()
  await expectAccessible(page, 'security, no passkeys on an unsafe connection')
})
