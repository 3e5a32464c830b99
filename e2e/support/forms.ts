import { expect, type Locator, type Page } from '@playwright/test'

import { readCode } from './mailbox.ts'
import type { RunningServer } from './server.ts'

export type Person = { email: string; name: string; password: string }

/** Submits the open sign-up form and confirms the account with the code from the mail. */
export async function fillSignUp(page: Page, server: RunningServer, person: Person): Promise<void> {
  await sendSignUp(page, person)
  await page.locator('input[name=code]').fill(await readCode(server.dataDir, person.email))
  await submit(page)
  await page.waitForURL((url) => url.pathname !== '/auth/verify')
}

/** Submits the open sign-up form. */
export async function sendSignUp(page: Page, { email, name, password }: Person): Promise<void> {
  // The name first: the login screen, which may still be shown, does not have this field.
  await page.locator('input[name=name]').fill(name)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.locator('input[name=confirmPassword]').fill(password)
  await submit(page)
  await page.waitForURL(/\/auth\/verify/u)
}

/** Submits e-mail and password on the open login screen. */
export async function sendPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await submit(page)
}

/** Answers the open step of a sign-in. */
export async function answerStep(page: Page, text: string, label = 'Verification code'): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

/** Waits until the account screens are left. */
export async function expectSignedIn(page: Page): Promise<void> {
  await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
}

async function submit(page: Page): Promise<void> {
  await page.locator('form button[type=submit]').click()
}

/** The field is invalid, and its accessible description begins with the error. A hint may follow. */
export async function expectError(field: Locator, text: string): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(beginning(text))
}

export async function expectNoError(field: Locator): Promise<void> {
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
}

function beginning(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)}`, 'u')
}
