import { expect, type Person, signUp, test } from '../support/journey.ts'

import { shoot } from './shoot.ts'

const ana: Person = { name: 'Ana', email: 'ana@example.org', password: 'Passw0rd-film' }

test('the account screens are photographed', async ({ page }) => {
  await page.goto('/auth/login')
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await shoot(page, 'login')

  await page.goto('/auth/signup')
  await page.getByLabel('E-mail').fill('ana@example')
  await page.getByLabel('Name', { exact: true }).fill(ana.name)
  await page.getByLabel('Password', { exact: true }).fill('marquee')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByRole('alert')).toHaveCount(3)
  await shoot(page, 'signup')

  await page.goto('/auth/forgot-password')
  await page.getByLabel('E-mail').fill(ana.email)
  await shoot(page, 'forgot-password')
  await page.getByRole('button', { name: 'Send instructions' }).click()
  await expect(page.getByRole('button', { name: 'Reset now' })).toBeVisible()
  await shoot(page, 'forgot-password-sent')
  await page.getByRole('button', { name: 'Reset now' }).click()
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible()
  await shoot(page, 'reset-password')

  await page.goto('/watchlists/invitation/accept?token=abc')
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await shoot(page, 'invitation-signed-out')

  await signUp(page, ana)
  await expect(page.getByRole('heading', { name: 'Verify your e-mail' })).toBeVisible()
  await shoot(page, 'verify')
})
