import { expectAccessible } from '../support/accessibility.ts'
import { signOut } from '../support/authenticator.ts'
import { expectError, sendPassword } from '../support/forms.ts'
import { expect, test } from '../support/journey.ts'
import { readMail } from '../support/mailbox.ts'

test('the first visitor tests the mail, creates the first account and is signed in', async ({
  page,
  startWith,
  aPerson,
}) => {
  const server = await startWith({ REGISTRATION: 'closed' })
  const ana = aPerson('Ana')
  const link = /^No one has an account yet\. Create the first one at (\S+)$/mu.exec(server.output())?.[1] ?? ''
  // As through a proxy: callers on the machine of the server need no code.
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '192.0.2.7' })

  await test.step('the site shows that it is not set up', async () => {
    await page.goto(server.url)
    await expect(page.getByText('This site is not set up yet.')).toBeVisible()
    await expectAccessible(page, 'the login of an installation without accounts')
    await page.getByRole('link', { name: 'Set it up' }).click()
  })
  await page.getByLabel('Setup code').fill('a-guess')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectError(page.getByLabel('Setup code'), 'This code is wrong.')
  await expectAccessible(page, 'the code of the setup')

  await page.goto(link)
  await page.getByLabel('E-mail').fill(ana.email)
  await page.getByRole('button', { name: 'Send a test mail' }).click()
  await expect(page.getByText('No mail server is set')).toBeVisible()
  expect((await readMail(server.dataDir, ana.email)).subject).toBe('Marquee test mail')
  await expectAccessible(page, 'the form of the first account')
  await page.getByLabel('Name').fill(ana.name)
  await page.getByLabel('Password', { exact: true }).fill(ana.password)
  await page.getByLabel('Confirm password').fill(ana.password)
  await page.getByLabel('Confirm password').press('Enter')

  await expect(page.getByRole('heading', { name: 'Your watchlists', level: 1 })).toBeVisible()
  await signOut(page)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByText('This site is not set up yet.')).toHaveCount(0)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This site is set up' })).toBeVisible()
  await expectAccessible(page, 'the setup of an installation with an account', { weekly: true })
  await page.getByRole('link', { name: 'Sign in' }).click()
  await sendPassword(page, ana)
  await expect(page.getByRole('heading', { name: 'Your watchlists', level: 1 })).toBeVisible()
})
