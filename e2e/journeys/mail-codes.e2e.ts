import { expectError, expectNoError, sendPassword } from '../support/forms.ts'
import { expect, signIn, signUp, test } from '../support/journey.ts'
import { readCode, wrongCodeFor } from '../support/mailbox.ts'
import { register } from '../support/register.ts'
import { WEEKLY } from '../support/variations.ts'

test('a new code replaces the previous one', WEEKLY, async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await signUp(page, ana)
  const code = page.getByLabel('Verification code')
  const first = await readCode(server.dataDir, ana.email)

  await page.getByRole('button', { name: 'Resend code' }).click()
  await expect(page.getByRole('status')).toHaveText(`A new code is on its way to ${ana.email}.`)
  const second = await readCode(server.dataDir, ana.email, 2)

  // Both codes are the same once in a million runs.
  await code.fill(first)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid verification code provided, please try again.')

  await code.fill(second)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(/\/auth\/login$/u)
  await expect(page.getByRole('status')).toHaveText('Your e-mail is verified. Please sign in.')
  await signIn(page, ana)
  await expect(page).toHaveURL(/\/watchlists$/u)
})

test(
  'an unconfirmed user who signs in is asked for the code and can finish the sign-up',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    const ana = aPerson('Ana')
    await signUp(page, ana)

    await page.goto('/auth/login')
    await sendPassword(page, ana)
    await expect(page).toHaveURL(/\/auth\/verify$/u)
    await expect(page.getByText(`We sent a code to ${ana.email}.`)).toBeVisible()

    await page.getByLabel('Verification code').fill(await readCode(server.dataDir, ana.email))
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page).toHaveURL(/\/auth\/login$/u)
    await signIn(page, ana)
    await expect(page).toHaveURL(/\/watchlists$/u)
  },
)

test('a user resets a forgotten password with the code from the mail', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await register(server, ana)
  const renewed = 'N3w-password'

  await test.step('the code is sent', async () => {
    await page.goto('/auth/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // The previous screen has a field with the same name.
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
    await page.getByLabel('E-mail').fill(ana.email)
    await page.getByRole('button', { name: 'Send instructions' }).click()
    await expect(page.getByRole('status')).toContainText(ana.email)
    await page.getByRole('button', { name: 'Reset now' }).click()
    await expect(page).toHaveURL(/\/auth\/reset-password$/u)
  })

  const email = page.getByLabel('E-mail')
  const code = page.getByLabel('Verification code')
  const newPassword = page.getByLabel('New password', { exact: true })
  const confirmPassword = page.getByLabel('Confirm password', { exact: true })
  const submit = page.getByRole('button', { name: 'Reset password' })

  await test.step('the fields have the autocomplete tokens that password managers use', async () => {
    await expect(email).toHaveValue(ana.email)
    await expect(email).not.toBeEditable()
    for (const [field, name, token] of [
      [email, 'email', 'username'],
      [code, 'code', 'one-time-code'],
      [newPassword, 'newPassword', 'new-password'],
      [confirmPassword, 'confirmPassword', 'new-password'],
    ] as const) {
      await expect(field).toHaveAttribute('name', name)
      await expect(field).toHaveAttribute('autocomplete', token)
      await expect(field).toHaveAttribute('required')
    }
  })

  await test.step('two different passwords show an error and nothing is sent', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await submit.click()
    await expectError(code, 'Verification code is required')
    await expectError(newPassword, 'Password is required')
    await code.fill('123')
    await newPassword.fill(renewed)
    await confirmPassword.fill(`${renewed}x`)
    await submit.click()
    await expectNoError(newPassword)
    await expectError(confirmPassword, 'Passwords do not match')
    expect(asked.filter((url) => url.includes('/identity/'))).toEqual([])
  })

  const sent = await readCode(server.dataDir, ana.email, 2)

  await test.step('a weak password shows an error at its field, a wrong code above the form', async () => {
    await newPassword.fill('weak')
    await confirmPassword.fill('weak')
    await submit.click()
    await expectError(newPassword, 'This password is too short.')
    await newPassword.fill(renewed)
    await confirmPassword.fill(renewed)
    await code.fill(wrongCodeFor(sent))
    await submit.click()
    await expect(page.getByRole('alert')).toHaveText('Invalid verification code provided, please try again.')
  })

  await test.step('the right code sets the new password', async () => {
    await code.fill(sent)
    await submit.click()
    await expect(page).toHaveURL(/\/auth\/login$/u)
    await expect(page.getByRole('status')).toHaveText('Your password was reset. Please sign in with the new one.')
  })

  await test.step('the old password is rejected, and the new one signs in', async () => {
    await sendPassword(page, ana)
    await expectError(page.getByLabel('E-mail'), 'Incorrect username or password.')
    await signIn(page, { ...ana, password: renewed })
    await expect(page).toHaveURL(/\/watchlists$/u)
  })
})

test('requesting a reset code does not reveal whether the account exists', WEEKLY, async ({ page, aPerson }) => {
  const { email } = aPerson('Unknown')
  await page.goto('/auth/forgot-password')

  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send instructions' }).click()

  await expect(page.getByRole('status')).toHaveText(
    `If ${email} belongs to an account, a code to reset its password is on its way.`,
  )
  await page.getByRole('button', { name: 'Reset now' }).click()
  await page.getByRole('link', { name: 'Request a new code' }).click()
  await expect(page).toHaveURL(/\/auth\/forgot-password$/u)
})
