import { expectForEveryone } from '../support/accessibility.ts'
import { sendPassword } from '../support/account-forms.ts'
import { serveHostedPages, startWithHostedPages } from '../support/hosted-pages.ts'
import { expect } from '../support/journey.ts'
import { test } from '../support/own-server.ts'
import { register } from '../support/register.ts'

test.describe.configure({ timeout: 90_000 })

test('who signs in on the pool’s own pages comes back to where they were going, and signs out at both', async ({
  browser,
  startWith,
  aPerson,
}) => {
  const { pool, app } = await startWithHostedPages(startWith)
  const ana = aPerson('Ana')
  await register(pool, ana)
  const context = await browser.newContext({ baseURL: app.url })
  await serveHostedPages(context, pool)
  const page = await context.newPage()

  await test.step('from the login screen to the pool’s pages', async () => {
    await page.goto('/watchlists/create')
    await expect(page.getByRole('button', { name: 'Other ways to sign in' })).toBeVisible()
    await expectForEveryone(page, 'login, with pages of the pool')
    await page.getByRole('button', { name: 'Other ways to sign in' }).click()
    await expect(page).toHaveURL(new RegExp(`^${pool.url}/auth/`, 'u'))
  })

  await test.step('given up there, the login screen says so and still signs in', async () => {
    await page.goto(`${app.url}/watchlists/create`)
    await expect(page.getByText('That sign-in did not come to its end.')).toBeVisible()
    await page.getByRole('button', { name: 'Other ways to sign in' }).click()
    // Both screens have fields of the same names.
    await expect(page).toHaveURL(new RegExp(`^${pool.url}/auth/`, 'u'))
  })

  await test.step('signed in there, and back', async () => {
    await sendPassword(page, ana)
    await page.getByRole('button', { name: 'Continue to Marquee for films' }).click()
    await expect(page).toHaveURL(`${app.url}/watchlists/create`)
    await page.getByLabel('Name').fill('Friday film club')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
  })

  await test.step('signing out leads to the pool’s page, and back to the login screen', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(new RegExp(`^${pool.url}/auth/logout`, 'u'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${app.url}/auth/login`)
    await expect(page.getByRole('button', { name: 'Other ways to sign in' })).toBeVisible()
  })
  await context.close()
})
