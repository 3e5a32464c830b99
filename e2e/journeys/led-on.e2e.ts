import type { Page } from '@playwright/test'

import { expectForEveryone } from '../support/accessibility.ts'
import { expectSignedIn, sendPassword } from '../support/account-forms.ts'
import { signOut } from '../support/authenticator.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { readCode } from '../support/mailbox.ts'
import { operate } from '../support/operator.ts'
import { register } from '../support/register.ts'

test.describe.configure({ timeout: 120_000 })

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.waitForURL('**/auth/login')
}

test('who was given a temporary password chooses one of their own, and from then on only that opens', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const printed = await operate(server, 'users', 'create', ana.name, ana.email)
  const temporary = { ...ana, password: printed.split('\n').at(-1) ?? '' }
  await page.goto('/auth/login')
  await sendPassword(page, temporary)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await expectForEveryone(page, 'a new password in place of a temporary one')
  await page.getByLabel('New password').fill('short')
  await page.getByLabel('Confirm password').fill('other')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible()
  await expect(page.getByLabel('New password')).toBeFocused()
  await page.getByLabel('New password').fill(ana.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await page.getByLabel('Confirm password').fill(ana.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectSignedIn(page)

  await signOut(page)
  await sendPassword(page, temporary)
  await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
  await signIn(page, ana)
})

test('whose password must be reset is led to where it is done, told why, and has the code already', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const renewed = { ...ana, password: 'Brand-new-w0rd' }
  await register(server, ana)
  await operate(server, 'users', 'require-reset', ana.name)
  await page.goto('/auth/login')
  await sendPassword(page, { ...ana, password: 'Wr0ng-password' })
  await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
  await sendPassword(page, ana)
  await expect(page).toHaveURL(/\/auth\/reset-password$/u)
  await expect(page.getByRole('status')).toContainText(
    `Your password must be reset before you can sign in. We sent a code to ${ana.email}.`,
  )
  await expect(page.getByLabel('E-mail')).toHaveValue(ana.email)
  await expectForEveryone(page, 'a reset that is required')
  await page.getByLabel('Verification code').fill(await readCode(server.dataDir, ana.email, 2))
  await setPassword(page, renewed.password)
  await signIn(page, renewed)
})

test('a link of the operator sets a new password without any mail, and leaves the address bar', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const renewed = { ...ana, password: 'Brand-new-w0rd' }
  await register(server, ana)
  await page.goto(await operate(server, 'users', 'reset-link', ana.name))
  await expect(page.getByLabel('E-mail')).toHaveValue(ana.name)
  await expect(page).toHaveURL(/\/auth\/reset-password$/u)
  await setPassword(page, renewed.password)
  await signIn(page, renewed)
})
