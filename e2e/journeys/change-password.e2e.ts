import { holdRequests } from '../support/api.ts'
import { expectError, expectNoError, sendPassword } from '../support/forms.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'

// Evidence: asvs-6.2.2
test('only the new password signs in after a password change', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  const renewed = 'N3w-password'
  await registerAndSignIn(page, server, ana)
  await page.goto('/')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Change password' }).click()
  await expect(page).toHaveURL(/\/account\/change-password$/u)

  const currentPassword = page.getByLabel('Current password', { exact: true })
  const newPassword = page.getByLabel('New password', { exact: true })
  const confirmPassword = page.getByLabel('Confirm password', { exact: true })
  const submit = page.getByRole('button', { name: 'Change password' })

  await test.step('the fields have the autocomplete tokens that password managers use', async () => {
    for (const [field, name, token] of [
      [currentPassword, 'currentPassword', 'current-password'],
      [newPassword, 'newPassword', 'new-password'],
      [confirmPassword, 'confirmPassword', 'new-password'],
    ] as const) {
      await expect(field).toHaveAttribute('name', name)
      await expect(field).toHaveAttribute('autocomplete', token)
      await expect(field).toHaveAttribute('required')
    }
  })

  await test.step('each error is shown at its field, and the broken password rules in turn', async () => {
    await submit.click()
    await expectError(currentPassword, 'Password is required')
    await expectError(newPassword, 'Password must be at least 8 characters long')
    for (const [typed, text] of [
      ['alllowercase', 'Password must contain at least one uppercase letter'],
      ['NoDigitHere', 'Password must contain at least one number'],
    ] as const) {
      await newPassword.fill(typed)
      await submit.click()
      await expectError(newPassword, text)
    }
    await newPassword.fill(renewed)
    await submit.click()
    await expectNoError(newPassword)
    await expectError(confirmPassword, 'Passwords do not match')
  })

  await test.step('a wrong current password is rejected', async () => {
    await currentPassword.fill('Passw0rd-wrong')
    await confirmPassword.fill(renewed)
    await submit.click()
    await expectError(currentPassword, 'This is not your current password.')
    await expect(page.getByText('Incorrect username or password.')).toHaveCount(0)
    await expect(currentPassword).toBeFocused()
  })

  await test.step('the button is disabled during the change, and then the home screen opens', async () => {
    await currentPassword.fill(ana.password)
    const identity = await holdRequests(page, '**/identity/**')
    await submit.click()
    await expect(submit).toBeDisabled()
    identity.release()
    await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
    await expect(page.getByRole('status')).toContainText('Your password was changed.')
    await page.getByRole('button', { name: 'Back to home' }).click()
    await expect(page).toHaveURL(/\/watchlists$/u)
  })

  await test.step('the old password is rejected, and the new one signs in', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await sendPassword(page, ana)
    await expectError(page.getByLabel('E-mail'), 'Incorrect username or password.')
    await signIn(page, { ...ana, password: renewed })
    await expect(page).toHaveURL(/\/watchlists$/u)
  })
})
