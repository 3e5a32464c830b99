import { expectAccessible } from '../support/accessibility.ts'
import { sendPassword } from '../support/forms.ts'
import { serveHostedPages, startWithHostedPages } from '../support/installations.ts'
import { expect, test } from '../support/journey.ts'
import { register } from '../support/register.ts'

test('a user who signs in on the hosted pages returns to the requested screen and signs out of both', async ({
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

  await test.step('the login screen opens the hosted pages', async () => {
    await page.goto('/watchlists/create')
    await expect(page.getByRole('button', { name: 'Other ways to sign in' })).toBeVisible()
    await expectAccessible(page, 'login, with hosted pages', { weekly: true })
    await page.getByRole('button', { name: 'Other ways to sign in' }).click()
    await expect(page).toHaveURL(new RegExp(`^${pool.url}/auth/`, 'u'))
  })

  await test.step('a cancelled sign-in shows an error on the login screen', async () => {
    await page.goto(`${app.url}/watchlists/create`)
    await expect(page.getByText('You did not finish signing in. Try again, or sign in here.')).toBeVisible()
    await page.getByRole('button', { name: 'Other ways to sign in' }).click()
    // Both screens have fields with the same names.
    await expect(page).toHaveURL(new RegExp(`^${pool.url}/auth/`, 'u'))
  })

  await test.step('a sign-in on the hosted pages returns to the app', async () => {
    await sendPassword(page, ana)
    await page.getByRole('button', { name: 'Continue to Marquee for films' }).click()
    await expect(page).toHaveURL(`${app.url}/watchlists/create`)
    await page.getByLabel('Name').fill('Friday film club')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
  })

  await test.step('a sign-out opens the pool’s page, then the login screen', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(new RegExp(`^${pool.url}/auth/logout`, 'u'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${app.url}/auth/login`)
    await expect(page.getByRole('button', { name: 'Other ways to sign in' })).toBeVisible()
  })
  await context.close()
})
