import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'

const STEP_SECONDS = 30

/** An authenticator app with this secret: each code it gives is of a later step than the one before. */
export function authenticatorOf(secret: string) {
  let usedStep = 0
  return {
    /** The code of now, or of the step after the last one used: the service takes each once, one step ahead too. */
    code: () => {
      usedStep = Math.max(usedStep + 1, Math.floor(Date.now() / 1000 / STEP_SECONDS))
      return generateSync({ secret, epoch: usedStep * STEP_SECONDS })
    },
  }
}

/** Opens the security screen by the menu. */
export async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
}

/** Signs out by the menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/auth/login')
}
