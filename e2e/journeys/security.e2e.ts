import { readFile } from 'node:fs/promises'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { DataExport } from '@marquee/contract/entities/account'
import type { Locator, Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { addressOf, holdRequests } from '../support/api.ts'
import { authenticatorOf, openAccount, openTab, scan, setUpApp, signOut } from '../support/authenticator.ts'
import { answerStep, sendPassword } from '../support/forms.ts'
import { expect, type Person, signIn, test } from '../support/journey.ts'
import { readCode, wrongCodeFor } from '../support/mailbox.ts'
import { register, registerAndSignIn } from '../support/register.ts'
import { join, seedAs } from '../support/seed.ts'
import { WEEKLY } from '../support/variations.ts'

function recoveryCodesOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem')
}

/** Submits e-mail and password and waits for the next step. */
async function beginSteps(page: Page, person: Person): Promise<void> {
  await sendPassword(page, person)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
}

test('an authenticator app is set up from its QR code, used to sign in, and turned off after a confirmation', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  await openAccount(page)
  await expectAccessible(page, 'security, all off', { weekly: true })
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByText('Scan this code with an authenticator app')).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Set up' })).toBeFocused()
  await page.getByRole('button', { name: 'Set up' }).click()
  const app = authenticatorOf(await scan(page.getByRole('img', { name: 'QR code' })))

  await test.step('the secret can be typed, and a wrong code is rejected', async () => {
    expect(app.label).toBe(`Marquee:${ana.name}`)
    await expect(page.getByTestId('app-secret')).toHaveText(app.secret.replaceAll(/.{4}(?=.)/gu, '$& '))
    await page.getByLabel('Verification code').fill('000000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByRole('alert')).toHaveText('This code is wrong. Enter the code that the app shows now.')
    await expectAccessible(page, 'security, setting up an app')
    await page.getByLabel('Verification code').fill(app.code())
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByText('After your password, you enter a code from your app.')).toBeVisible()
    await expect(page.getByText('Your app is on. Create recovery codes now')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create new codes' })).toBeFocused()
  })

  await test.step('a sign-in asks for the code, and again after a wrong one', async () => {
    await signOut(page)
    await beginSteps(page, ana)
    await expect(page.getByText('Enter the code your authenticator app shows')).toBeVisible()
    const code = page.getByLabel('Verification code')
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(code).toBeFocused()
    await expect(code).toHaveAccessibleDescription(/^Enter the code your authenticator app shows/u)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByText('Verification code is required')).toBeVisible()
    await answerStep(page, '000000')
    await expect(page.getByRole('alert')).toHaveText('Invalid code received for user')
    await expectAccessible(page, 'wrong code of the app', { weekly: true })
    await answerStep(page, app.code())
    await expect(page).toHaveURL(/\/watchlists$/u)
  })

  await test.step('turning the app off asks first and can be cancelled', async () => {
    await openAccount(page)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await expectAccessible(page, 'security, turning the app off', { weekly: true })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Authenticator app' })).toBeFocused()
    await signOut(page)
    await signIn(page, ana)
  })
})

test('recovery codes are shown once, and each can replace a code of the app', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  await openAccount(page)
  const counting = await holdRequests(page, addressOf(ENDPOINTS.countRecoveryCodes))
  await setUpApp(page)
  await page.getByRole('button', { name: 'Create new codes' }).click()
  counting.release()
  const codes = recoveryCodesOf(page)
  await expect(codes).toHaveCount(10)
  const [first = ''] = await codes.allTextContents()
  await expect(page.getByText('10 codes are left.')).toBeVisible()
  await expectAccessible(page, 'security, recovery codes')
  await page.reload()
  await expect(page.getByText('10 codes are left.')).toBeVisible()
  await expect(codes).toHaveCount(0)

  await test.step('a recovery code signs in, in any letter case', async () => {
    await signOut(page)
    await beginSteps(page, ana)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await expectAccessible(page, 'recovery code', { weekly: true })
    await answerStep(page, first.toLowerCase(), 'Recovery code')
    await expect(page).toHaveURL(/\/watchlists$/u)
    await openAccount(page)
    await expect(page.getByText('9 codes are left.')).toBeVisible()
  })
})

test('a used or replaced recovery code is rejected', WEEKLY, async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  await openAccount(page)
  await setUpApp(page)
  const codes = recoveryCodesOf(page)
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await expect(codes).toHaveCount(10)
  const [first = '', second = ''] = await codes.allTextContents()
  await signOut(page)
  await beginSteps(page, ana)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await answerStep(page, first, 'Recovery code')
  await expect(page).toHaveURL(/\/watchlists$/u)

  await openAccount(page)
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create new codes' }).click()
  await expect(codes).toHaveCount(10)
  await expect(codes.first()).not.toHaveText(first)
  const [fresh = ''] = await codes.allTextContents()
  await signOut(page)
  await beginSteps(page, ana)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await answerStep(page, first, 'Recovery code')
  await expect(page.getByRole('alert')).toHaveText('Invalid code received for user')
  await answerStep(page, second, 'Recovery code')
  await expect(page.getByRole('alert')).toHaveText('Invalid code received for user')
  await answerStep(page, fresh, 'Recovery code')
  await expect(page).toHaveURL(/\/watchlists$/u)
})

test('a code by e-mail can be turned on, and a user with both factors chooses one', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  await openAccount(page)
  const mailCodes = page.getByRole('switch', { name: 'Code by e-mail' })
  await mailCodes.click()
  await expect(mailCodes).toBeChecked()
  await expect(mailCodes).not.toHaveAttribute('aria-busy')

  await test.step('the code from the mail signs in, and a wrong one does not', async () => {
    await signOut(page)
    await beginSteps(page, ana)
    await expect(page.getByText('We sent a code to a***@e***.')).toBeVisible()
    // The first mail was the code of the sign-up.
    const code = await readCode(server.dataDir, ana.email, 2)
    await answerStep(page, wrongCodeFor(code))
    await expect(page.getByRole('alert')).toHaveText('Invalid code or auth state for the user.')
    await answerStep(page, code)
    await expect(page).toHaveURL(/\/watchlists$/u)
  })

  await test.step('a user who also has an app can choose between the two', async () => {
    await openAccount(page)
    const app = await setUpApp(page)
    await signOut(page)
    await beginSteps(page, ana)
    await expect(page.getByText('How do you want to prove that it is you?')).toBeVisible()
    await expectAccessible(page, 'choice of the second factor', { weekly: true })
    await page.getByRole('button', { name: 'Authenticator app' }).click()
    await expect(page.getByText('Enter the code your authenticator app shows')).toBeVisible()
    await answerStep(page, app.code())
    await expect(page).toHaveURL(/\/watchlists$/u)
  })
})

test('the sign-in starts over if the second step takes three minutes or is reloaded', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await page.clock.install()
  await registerAndSignIn(page, server, ana)
  await openAccount(page)
  await setUpApp(page)
  await signOut(page)

  await beginSteps(page, ana)
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await beginSteps(page, ana)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await beginSteps(page, ana)
  await page.clock.fastForward('03:01')
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(
    'That took too long, or too many codes were wrong. Please sign in again.',
  )
})

// Evidence: asvs-7.4.3
test('a personal token works until it is revoked, and a sign-out everywhere ends tokens and sessions', async ({
  page,
  server,
  request,
  aPerson,
  openAs,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  await openAccount(page, 'Tokens')
  const section = page.getByRole('region', { name: 'Personal access tokens' })
  await expect(section.getByText('You have no token yet.')).toBeVisible()
  await section.getByRole('button', { name: 'New token' }).click()
  await expect(section.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Backup script')
  await expectAccessible(page, 'security, a new personal token')
  await page.keyboard.press('Enter')
  const shown = section.getByTestId('personal-token')
  let token = await shown.textContent()
  const call = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await request.get(`${server.url}/api${path}`, { headers })).status()
  }

  await expect(section.getByText('This is your token Backup script.')).toBeFocused()
  await expectAccessible(page, 'security, a personal token that is shown')
  expect([await call('/watchlists'), await call('/account/tokens')]).toEqual([200, 403])
  await page.reload()
  await expect(section.getByText(/^Read only · Created .* · Last used .* · Expires /u)).toBeVisible()
  await expect(shown).toHaveCount(0)
  await section.getByRole('button', { name: 'Revoke Backup script' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(section.getByText('You have no token yet.')).toBeVisible()
  expect(await call('/watchlists')).toBe(401)

  await section.getByRole('button', { name: 'New token' }).click()
  await section.getByLabel('Name').fill('Another script')
  await section.getByRole('button', { name: 'Create token' }).click()
  token = await shown.textContent()
  expect(await call('/watchlists')).toBe(200)
  const elsewhere = await openAs(ana)
  await elsewhere.goto('/')
  await openTab(page, 'Devices')
  await expect(page.getByText('Personal access token created').first()).toBeVisible()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/auth\/login/u)
  expect(await call('/watchlists')).toBe(401)
  await elsewhere.reload()
  await expect(elsewhere).toHaveURL(/\/auth\/login/u)
})

// Evidence: asvs-7.5.1
test('security settings need a recent sign-in with both factors', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await page.clock.install()
  await registerAndSignIn(page, server, ana)
  await openAccount(page)
  const app = await setUpApp(page)
  const guarded = ['Turn off', 'Create new codes', 'Add a passkey', 'Change e-mail']
  for (const name of guarded) await expect(page.getByRole('button', { name })).toBeEnabled()

  await test.step('the settings are locked after a quarter of an hour, but a sign-out everywhere is still possible', async () => {
    await page.clock.fastForward('15:00')
    await expect(page.getByRole('status').filter({ hasText: 'You signed in a while ago.' })).toBeVisible()
    for (const name of guarded) await expect(page.getByRole('button', { name })).toBeDisabled()
    await expectAccessible(page, 'security, signed in a while ago')
    await openTab(page, 'Your data')
    await page.clock.fastForward('15:00')
    for (const name of ['Download my data', 'Delete account']) {
      await expect(page.getByRole('button', { name })).toBeDisabled()
    }
    await openTab(page, 'Devices')
    await expect(page.getByRole('button', { name: 'Sign out everywhere' })).toBeEnabled()
    await openTab(page, 'Sign-in')
    await page.clock.fastForward('15:00')
  })

  await test.step('a new sign-in asks for both factors and returns to the settings', async () => {
    await page.getByRole('button', { name: 'Sign in again' }).click()
    await expect(page).toHaveURL(`/auth/login?redirect=${encodeURIComponent('/account/sign-in')}`)
    await expect(page.getByText('Please sign in again to confirm that it is you.')).toBeVisible()
    await beginSteps(page, ana)
    await answerStep(page, app.code())
    await expect(page).toHaveURL(/\/account\/sign-in$/u)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await expect(page.getByRole('button', { name: 'Set up' })).toBeVisible()
  })
})

test('the e-mail changes after the code sent to the new address is entered', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  const moved = { ...ana, email: `new.${ana.email}` }
  await registerAndSignIn(page, server, ana)
  await openAccount(page)
  await expect(page.getByText(`You sign in with ${ana.email}.`)).toBeVisible()
  await page.getByRole('button', { name: 'Change e-mail' }).click()
  await expect(page.getByLabel('New e-mail')).toBeFocused()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Change e-mail' })).toBeFocused()
  await page.getByRole('button', { name: 'Change e-mail' }).click()
  await page.getByLabel('New e-mail').fill('nowhere')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Invalid email address')).toBeVisible()
  await page.getByLabel('New e-mail').fill(ana.email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('This is already your address.')).toBeVisible()
  await expectAccessible(page, 'security, a new e-mail')

  await page.getByLabel('New e-mail').fill(moved.email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByRole('status')).toContainText(`We sent a code to ${moved.email}.`)
  const code = await readCode(server.dataDir, moved.email)
  await page.getByLabel('Verification code').fill(wrongCodeFor(code))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid verification code provided, please try again.')
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText(`From now on you sign in with ${moved.email}.`)).toBeVisible()
  await expect(page.getByText(`You sign in with ${moved.email}.`, { exact: true })).toBeVisible()

  await signOut(page)
  await signIn(page, moved)
})

test('an account is deleted after its name is typed, and its shared watchlists get a new owner', async ({
  page,
  server,
  aPerson,
  openAs,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  await registerAndSignIn(page, server, ana)
  const bens = await register(server, ben)
  const anas = await seedAs(page)
  const { id } = await anas.watchlist('Friday film club')
  await join(id, anas, bens, ben.name)
  const left = await openAs(ben)
  await left.goto(`/watchlists/${id}/settings`)
  const deleteWatchlist = left.getByRole('button', { name: 'Delete watchlist' })
  await expect(left.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(deleteWatchlist).toHaveCount(0)
  await openAccount(page, 'Your data')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const confirm = page.getByRole('button', { name: 'Delete for good' })
  await expect(confirm).toBeDisabled()
  await expectAccessible(page, 'security, deleting the account')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByLabel(`Type ${ana.name} to confirm`).fill(ana.name)
  await confirm.click()
  await expect(page).toHaveURL(/\/auth\/login/u)

  await sendPassword(page, ana)
  await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
  await expect(deleteWatchlist, 'without a reload').toBeVisible()
  await left.goto(`/watchlists/${id}`)
  await expect(left.getByRole('heading', { name: 'Friday film club' }).first()).toBeVisible()
})

// Evidence: asvs-7.5.2, asvs-10.7.3
test('another session is listed, can be ended, and appears in the activity', async ({
  page,
  server,
  aPerson,
  openAs,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const elsewhere = await openAs(ana)
  await elsewhere.goto('/')
  await openAccount(page, 'Devices')
  const sessions = page.getByRole('list', { name: 'Where you are signed in' })
  await expect(sessions.getByText('This device')).toHaveCount(1)
  await expect(sessions.getByText('Chrome on Linux')).toHaveCount(2)
  await expectAccessible(page, 'security, sessions and activity')

  await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(sessions.getByText('Chrome on Linux')).toHaveCount(1)
  await elsewhere.reload()
  await expect(elsewhere).toHaveURL(/\/auth\/login/u)

  const activity = page.getByRole('list', { name: 'Activity' })
  await expect(activity.getByRole('listitem').first()).toContainText('Signed out somewhere')
  await expect(activity.getByRole('listitem').last()).toContainText('Account created')

  await test.step('repeated wrong passwords share one entry', async () => {
    await elsewhere.getByLabel('E-mail').fill(ana.email)
    for (let guess = 0; guess < 2; guess += 1) {
      await elsewhere.getByLabel('Password', { exact: true }).fill(`Wr0ng-password-${guess}`)
      await elsewhere.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(elsewhere.getByRole('alert')).toHaveText('Incorrect username or password.')
    }
    await page.reload()
    await expect(activity.getByRole('listitem').first()).toContainText('Wrong password entered')
    await expect(activity.getByRole('listitem').first()).toContainText('Chrome on Linux · 2 times that day')
  })
})

test('a user downloads all their data as a file', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const seeder = await seedAs(page)
  const { id } = await seeder.watchlist('Club films')
  await seeder.card(id, { title: 'Alien', status: 'REVEALED' })
  await seeder.card(id, { title: 'Still in the box' })
  await openAccount(page, 'Your data')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  await expect(page.getByText('Your data is in the file marquee.json.')).toBeVisible()
  const data = DataExport.parse(JSON.parse(await readFile(await download.path(), 'utf8')))

  expect(download.suggestedFilename()).toBe('marquee.json')
  expect(data.account).toMatchObject({ email: ana.email })
  expect(data.watchlists[0]).toMatchObject({ name: 'Club films', cards: [{ title: 'Alien' }] })
  expect(JSON.stringify(data)).not.toContain('Still in the box')
})
