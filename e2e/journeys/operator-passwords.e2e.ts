import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { signOut } from '../support/authenticator.ts'
import { expectSignedIn, sendPassword } from '../support/forms.ts'
import { runCommand } from '../support/installations.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { readCode } from '../support/mailbox.ts'
import { register } from '../support/register.ts'
import { WEEKLY } from '../support/variations.ts'

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.waitForURL('**/auth/login')
}

test('a user with a temporary password chooses a new one, and only that one signs in afterwards', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const printed = await runCommand(server, 'users', 'create', ana.name, ana.email)
  const temporary = { ...ana, password: printed.split('\n').at(-1) ?? '' }
  await page.goto('/auth/login')
  await sendPassword(page, temporary)
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
  await expectAccessible(page, 'the new password that replaces a temporary one')
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

test(
  'a user who has to reset the password is redirected, sees the reason, and gets a code',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    const ana = aPerson('Ana')
    const renewed = { ...ana, password: 'Brand-new-w0rd' }
    await register(server, ana)
    await runCommand(server, 'users', 'require-reset', ana.name)
    await page.goto('/auth/login')
    await sendPassword(page, { ...ana, password: 'Wr0ng-password' })
    await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
    await sendPassword(page, ana)
    await expect(page).toHaveURL(/\/auth\/reset-password$/u)
    await expect(page.getByRole('status')).toContainText(
      `You need a new password before you can sign in. We sent a code to ${ana.email}.`,
    )
    await expect(page.getByLabel('E-mail')).toHaveValue(ana.email)
    await expectAccessible(page, 'a required reset')
    await page.getByLabel('Verification code').fill(await readCode(server.dataDir, ana.email, 2))
    await setPassword(page, renewed.password)
    await signIn(page, renewed)
  },
)

test('an operator’s reset link sets a new password without a mail, and its secret leaves the address bar', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const renewed = { ...ana, password: 'Brand-new-w0rd' }
  await register(server, ana)
  await page.goto(await runCommand(server, 'users', 'reset-link', ana.name))
  await expect(page.getByLabel('E-mail')).toHaveValue(ana.name)
  await expect(page).toHaveURL(/\/auth\/reset-password$/u)
  await setPassword(page, renewed.password)
  await signIn(page, renewed)
})
