import { expectAccessible, expectNoSidewaysScroll } from '../support/accessibility.ts'
import { openAccount, openTab, setUpApp, signOut } from '../support/authenticator.ts'
import { answerStep, expectSignedIn, sendPassword } from '../support/forms.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { register, signInWithoutForm } from '../support/register.ts'

test('a remembered device needs no authenticator code until it is forgotten', async ({ page, startWith, aPerson }) => {
  const server = await startWith({ DEVICE_TRACKING: 'on' })
  const ana = aPerson('Ana')
  await register(server, ana)
  await page.goto(`${server.url}/auth/login`)
  await signIn(page, ana)
  await openAccount(page, 'Devices')
  const devices = page.getByRole('list', { name: 'Your devices' }).getByRole('listitem')
  await expect(devices).toHaveCount(1)
  await expect(devices).toContainText('Chrome on Linux')
  await openTab(page, 'Sign-in')
  const app = await setUpApp(page)

  await test.step('a sign-in on the device needs only the password', async () => {
    await signOut(page)
    await signIn(page, ana)
    await openAccount(page, 'Devices')
    await expect(devices).toHaveCount(1)
  })

  await test.step('a forgotten device is asked for the code and remembered again', async () => {
    await page.getByRole('button', { name: 'Forget Chrome on Linux' }).click()
    await expectAccessible(page, 'security, forgetting a device', { weekly: true })
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click()
    await expect(page.getByText('No remembered devices.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Remembered devices' })).toBeFocused()
    await signOut(page)
    await sendPassword(page, ana)
    await answerStep(page, app.code())
    await expectSignedIn(page)
    await openAccount(page, 'Devices')
    await expect(devices).toHaveCount(1)
  })
})

test('the account page hides second factors and passkeys when both are disabled', async ({
  page,
  startWith,
  aPerson,
}) => {
  const server = await startWith({ MFA: 'off', PASSKEYS: 'off' })
  const ana = aPerson('Ana')
  await register(server, ana)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${server.url}/auth/login`)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
  await signInWithoutForm(page, server, ana)
  await openAccount(page)
  await expect(page.getByText(`You sign in with ${ana.email}.`)).toBeVisible()
  for (const name of ['Passkeys', 'Authenticator app', 'Recovery codes']) {
    await expect(page.getByRole('heading', { name })).toHaveCount(0)
  }
  await expect(page.getByRole('switch', { name: 'Code by e-mail' })).toHaveCount(0)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, 'security, without second factors and passkeys', { weekly: true })
  await openTab(page, 'Devices')
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Remembered devices' })).toHaveCount(0)
  await expectNoSidewaysScroll(page)
})
