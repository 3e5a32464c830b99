import type { Page } from '@playwright/test'

import { holdRequests } from '../support/api.ts'
import { expectError, expectNoError } from '../support/forms.ts'
import { expect, signUp, signUpAndIn, test } from '../support/journey.ts'
import { readCode, wrongCodeFor } from '../support/mailbox.ts'
import { WEEKLY } from '../support/variations.ts'

const WRONG_LOGIN = 'Incorrect username or password.'

function fieldsOf(page: Page) {
  const labelled = (label: string) => page.getByLabel(label, { exact: true })
  return {
    email: labelled('E-mail'),
    name: labelled('Name'),
    password: labelled('Password'),
    confirmPassword: labelled('Confirm password'),
    code: labelled('Verification code'),
  }
}

test(
  'the sign-up form shows one error per field, and the broken password rules one at a time',
  WEEKLY,
  async ({ page }) => {
    await page.goto('/auth/signup')
    const { email, name, password, confirmPassword } = fieldsOf(page)
    const submit = page.getByRole('button', { name: 'Sign up' })

    await submit.click()
    await expectError(name, 'Username is required')
    await expectError(password, 'Password must be at least 8 characters long')
    await expectNoError(confirmPassword)
    await expectError(email, 'Invalid email address')

    await name.fill('   ')
    await submit.click()
    await expectError(name, 'Username is required')

    for (const [typed, text] of [
      ['Short1x', 'Password must be at least 8 characters long'],
      ['alllowercase', 'Password must contain at least one uppercase letter'],
      ['alllowercase1', 'Password must contain at least one uppercase letter'],
      ['NoDigitHere', 'Password must contain at least one number'],
    ] as const) {
      await password.fill(typed)
      await submit.click()
      await expectError(password, text)
    }

    await password.fill('Passw0rd')
    await confirmPassword.fill('Passw0rt')
    await submit.click()
    await expectNoError(password)
    await expectError(confirmPassword, 'Passwords do not match')

    for (const typed of ['ana', 'ana@example', 'a na@example.org']) {
      await email.fill(typed)
      await submit.click()
      await expectError(email, 'Invalid email address')
    }
    await expect(page).toHaveURL(/\/auth\/signup$/u)
  },
)

test(
  'a taken name is shown below the e-mail and at the name, an invalid name only at the name',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    const ana = aPerson('Ana')
    await signUpAndIn(page, server, ana)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/auth/signup')
    const { email, name, password, confirmPassword } = fieldsOf(page)

    await email.fill(`other.${ana.email}`)
    await name.fill(ana.name.toUpperCase())
    await password.fill(ana.password)
    await confirmPassword.fill(ana.password)
    await page.getByRole('button', { name: 'Sign up' }).click()

    await expect(email).toHaveAccessibleDescription('User already exists')
    await expectNoError(email)
    await expectError(name, 'This name is taken. Choose another one.')
    await expect(page).toHaveURL(/\/auth\/signup$/u)
    await name.press('End')
    await name.pressSequentially('x')
    await expect(page.getByText('User already exists')).toHaveCount(0)
    await expectNoError(name)

    await name.fill('Ana  Bel')
    await password.fill('Passw0rd ')
    await confirmPassword.fill('Passw0rd ')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expectError(name, 'Use letters, digits and symbols, with single spaces between words.')
    await expectError(password, 'A password cannot begin or end with a space.')
    await expectNoError(email)
  },
)

test('the login form requires an e-mail and a password', WEEKLY, async ({ page }) => {
  await page.goto('/auth/login')
  const { email, password } = fieldsOf(page)

  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  await expectError(email, 'Invalid email address')
  await expectError(password, 'Password is required')
})

test(
  'a wrong password and an unknown e-mail give the same error, below the e-mail',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    const ana = aPerson('Ana')
    await signUpAndIn(page, server, ana)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/auth/login')
    const { email, password } = fieldsOf(page)
    const submit = page.getByRole('button', { name: 'Sign in', exact: true })

    await email.fill(ana.email)
    await password.fill('Passw0rd-wrong')
    await submit.click()
    await expectError(email, WRONG_LOGIN)

    await email.fill(`unknown.${ana.email}`)
    await expectNoError(email)
    await submit.click()
    await expectError(email, WRONG_LOGIN)
    await expect(page).toHaveURL(/\/auth\/login$/u)
  },
)

test('a sign-in without a network shows an error below the e-mail', async ({ page }) => {
  await page.goto('/auth/login')
  const { email, password } = fieldsOf(page)
  await page.route('**/identity/**', async (route) => await route.abort())

  await email.fill('ana@example.org')
  await password.fill('Passw0rd')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  await expectError(email, 'A network error has occurred.')
})

test('verification rejects an empty and a wrong code', WEEKLY, async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await signUp(page, ana)
  const { code } = fieldsOf(page)
  const submit = page.getByRole('button', { name: 'Verify' })
  await expect(page.getByText(`We sent a code to ${ana.email}.`)).toBeVisible()
  await expect(code).toHaveAccessibleDescription('The code has 6 digits.')
  await expect(code).toHaveAttribute('name', 'code')
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code).toHaveAttribute('required')

  await submit.click()
  await expectError(code, 'Verification code is required')

  await code.fill(wrongCodeFor(await readCode(server.dataDir, ana.email)))
  await submit.click()
  await expect(page.getByRole('alert')).toHaveText('Invalid verification code provided, please try again.')
  await expect(page).toHaveURL(/\/auth\/verify$/u)
})

test('requesting a reset code needs an e-mail', WEEKLY, async ({ page }) => {
  await page.goto('/auth/forgot-password')

  await page.getByLabel('E-mail').fill('ana@')
  await page.getByRole('button', { name: 'Send instructions' }).click()

  await expectError(page.getByLabel('E-mail'), 'Invalid email address')
})

test('no form can be submitted twice while its request is pending', async ({ page, aPerson }) => {
  const held = aPerson('Held')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/identity/')) asked.push(request.url())
  })

  for (const { path, button, fields } of [
    { path: '/auth/login', button: 'Sign in', fields: { password: held.password } },
    { path: '/auth/forgot-password', button: 'Send instructions', fields: {} },
    {
      path: '/auth/signup',
      button: 'Sign up',
      fields: { name: held.name, password: held.password, confirmPassword: held.password },
    },
  ]) {
    await test.step(path, async () => {
      await page.goto(path)
      const identity = await holdRequests(page, '**/identity/**')
      const submit = page.getByRole('button', { name: button, exact: true })
      await page.locator('input[name=email]').fill(held.email)
      for (const [name, value] of Object.entries(fields)) await page.locator(`input[name=${name}]`).fill(value)
      asked.length = 0

      await submit.click()
      await expect(submit).toBeDisabled()
      await expect(submit).toHaveAttribute('aria-busy', 'true')
      await page.getByLabel('E-mail').press('Enter')
      await expect.poll(() => asked).toHaveLength(1)

      identity.release()
      await expect(page.getByRole('button', { name: button, exact: true, disabled: true })).toHaveCount(0)
    })
  }
})

test('each password can be shown and hidden', WEEKLY, async ({ page }) => {
  await page.goto('/auth/login')
  const { password } = fieldsOf(page)
  await password.fill('Passw0rd')
  await expect(password).toHaveAttribute('type', 'password')

  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await expect(password).toHaveValue('Passw0rd')

  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
})

test('the fields have the names and autocomplete tokens that password managers use', WEEKLY, async ({ page }) => {
  for (const { path, fields } of [
    { path: '/auth/login', fields: { email: 'username', password: 'current-password' } },
    { path: '/auth/forgot-password', fields: { email: 'username' } },
    {
      path: '/auth/signup',
      fields: { email: 'username', name: 'nickname', password: 'new-password', confirmPassword: 'new-password' },
    },
  ]) {
    await page.goto(path)
    for (const [name, token] of Object.entries(fields)) {
      const field = page.locator(`input[name=${name}]`)
      await expect(field, `${name} of ${path}`).toHaveAttribute('autocomplete', token)
      await expect(field, `${name} of ${path}`).toHaveAttribute('required')
    }
  }
})

test('the account screens link to each other and show the app’s name', WEEKLY, async ({ page }) => {
  await page.goto('/auth/login')
  await expect(page.getByText('Marquee', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL(/\/auth\/forgot-password$/u)
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/u)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/auth\/signup$/u)
  await expect(page.getByText('Marquee', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/auth\/login$/u)
})
