import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Page } from '@playwright/test'

import { holdRequests } from '../support/api.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { idTokenOf, seedAs } from '../support/seed.ts'
import { WEEKLY } from '../support/variations.ts'

/** Asks to sign out. The tokens are there until the user pool has answered. */
async function beginSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

async function tokensKept(page: Page): Promise<string[]> {
  const keys = await page.evaluate(() => Object.keys(localStorage))
  return keys.filter((key) => /\.(?:idToken|accessToken|refreshToken|LastAuthUser)$/u.test(key))
}

test('a reload keeps the session, and signing in or out in one tab does the same in the other', async ({
  page,
  context,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  await page.goto('/')
  await page.reload()
  await expect(page).toHaveURL('/watchlists')
  const otherTab = await context.newPage()
  await otherTab.goto('/account/change-password')
  await expect(otherTab.getByRole('heading', { name: 'Change password' })).toBeVisible()

  await test.step('a sign-out in one tab signs out the other', async () => {
    await beginSignOut(page)
    await expect(page).toHaveURL('/auth/login')
    await expect(otherTab).toHaveURL('/auth/login')
    await otherTab.reload()
    await expect(otherTab).toHaveURL('/auth/login')
  })

  await test.step('a sign-in in one tab signs in the other', async () => {
    await otherTab.goto('/auth/login?redirect=%2Fwatchlists%2Fcreate')
    await expect(otherTab.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
    await signIn(page, ana)
    await expect(otherTab).toHaveURL('/watchlists/create')
  })
})

// Evidence: asvs-7.4.1, asvs-14.3.1
test('signing out blocks the screen until the tokens are revoked and removed', async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/')
  const authorization = `Bearer ${await idTokenOf(page)}`
  const ask = async () =>
    await fetch(`${server.url}/api${ENDPOINTS.listWatchlists.path}`, { headers: { authorization } })
  expect((await ask()).status).toBe(200)

  const identity = await holdRequests(page, '**/identity/')
  await beginSignOut(page)
  await expect(page.getByText('Loading...')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
  identity.release()
  await expect(page).toHaveURL('/auth/login')

  expect(await tokensKept(page)).toEqual([])
  const answer = await ask()
  expect(answer.status).toBe(401)
  expect(await answer.json()).toEqual({ type: 'UNAUTHORIZED', message: 'Unauthorized access' })
})

test('a sign-out without a connection still signs this browser out', WEEKLY, async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/')
  await page.route('**/identity/**', async (route) => await route.abort())

  await beginSignOut(page)

  await expect(page).toHaveURL('/auth/login')
  expect(await tokensKept(page)).toEqual([])
})

test('a user whose session was ended elsewhere returns to the same screen after signing in', async ({
  page,
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const renewed = 'N3w-password'
  await registerAndSignIn(page, server, ana)
  const { watchlist } = await seedAs(page)
  const { id } = await watchlist('Friday film club')
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByRole('heading', { name: 'Friday film club' })).toBeVisible()

  await test.step('a password change on another device ends all other sessions', async () => {
    const otherPage = await openAs(ana)
    await otherPage.goto('/account/change-password')
    await otherPage.getByLabel('Current password', { exact: true }).fill(ana.password)
    await otherPage.getByLabel('New password', { exact: true }).fill(renewed)
    await otherPage.getByLabel('Confirm password', { exact: true }).fill(renewed)
    await otherPage.getByRole('button', { name: 'Change password' }).click()
    await expect(otherPage.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  })

  await expect(page).toHaveURL(`/auth/login?redirect=${encodeURIComponent(`/watchlists/${id}`)}`)
  await expect(page.getByRole('alert')).toHaveText('Your session has ended. Please sign in again.')

  await signIn(page, { ...ana, password: renewed })
  await expect(page).toHaveURL(`/watchlists/${id}`)
  await expect(page.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
})

// Evidence: wcag-2.2.1
test('a user is still signed in after two hours, with new tokens', async ({ page, server, aPerson }) => {
  await page.clock.install()
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/')
  const before = await idTokenOf(page)

  await page.clock.fastForward('02:00:00')
  await page.getByLabel('Name').fill('Friday film club')
  await page.getByRole('button', { name: 'Create watchlist' }).click()

  await expect(page.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
  expect(await idTokenOf(page)).not.toBe(before)

  await test.step('a start without a connection shows a message, and continues once the tokens are renewed', async () => {
    await page.route('**/identity/**', async (route) => await route.abort())
    await page.clock.fastForward('02:00:00')
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('The sign-in service cannot be reached.')
    await page.unroute('**/identity/**')
    await expect(page.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
  })
})
