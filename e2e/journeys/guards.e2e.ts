import { ENDPOINTS } from '@marquee/contract/endpoints'

import { addressOf, holdRequests } from '../support/api.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { register, registerAndSignIn } from '../support/register.ts'
import { seedAs } from '../support/seed.ts'
import { WEEKLY } from '../support/variations.ts'

const NOBODYS = '/watchlists/00000000-0000-7000-8000-000000000000'
const FOR_SIGNED_IN = ['/account/change-password', '/profile/edit', '/watchlists', '/watchlists/create', NOBODYS]
const FOR_SIGNED_OUT = ['/auth/login', '/auth/signup', '/auth/verify', '/auth/forgot-password', '/auth/reset-password']
const UNKNOWN = ['/nowhere', '/auth/nowhere', '/watchlists/one/two']

test('a signed-out visitor is redirected to the login screen', WEEKLY, async ({ page }) => {
  for (const path of FOR_SIGNED_IN) {
    await page.goto(path)
    await expect(page, path).toHaveURL(`/auth/login?redirect=${encodeURIComponent(path)}`)
  }
  for (const path of ['/', ...UNKNOWN]) {
    await page.goto(path)
    await expect(page, path).toHaveURL('/auth/login')
  }
})

test('screens that need an e-mail redirect to the screen that asks for it', WEEKLY, async ({ page }) => {
  await page.goto('/auth/verify')
  await expect(page).toHaveURL('/auth/login')
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()

  await page.goto('/auth/reset-password')
  await expect(page).toHaveURL('/auth/forgot-password')
})

test(
  'a signed-in user is redirected home from the account screens and from unknown paths',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    await registerAndSignIn(page, server, aPerson('Ana'))
    await page.goto('/')
    await expect(page).toHaveURL('/watchlists')
    const { watchlist } = await seedAs(page)
    const { id } = await watchlist('Friday film club')

    for (const path of ['/', ...FOR_SIGNED_OUT, ...UNKNOWN]) {
      await page.goto(path)
      await expect(page, path).toHaveURL(`/watchlists/${id}`)
    }
    for (const path of FOR_SIGNED_IN) {
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Account' }), path).toBeVisible()
      await expect(page, path).toHaveURL(path)
    }
    await page.goto('/watchlists/%20')
    await expect(page).toHaveURL('/watchlists')
  },
)

test('home opens the current watchlist, or the list if there is none', WEEKLY, async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/')
  await expect(page).toHaveURL('/watchlists')

  const { watchlist, makeCurrent } = await seedAs(page)
  await watchlist('Friday film club')
  const { id } = await watchlist('Rainy Sundays')
  await makeCurrent(id)
  const answers = await holdRequests(page, addressOf(ENDPOINTS.getCurrentWatchlist))
  await page.goto('/')
  await expect(page.getByText('Loading...')).toBeVisible()
  answers.release()
  await expect(page).toHaveURL(`/watchlists/${id}`)

  await page.goto('/watchlists')
  await page.getByRole('link', { name: 'Marquee' }).click()
  await expect(page).toHaveURL(`/watchlists/${id}`)
})

test('a deep link is followed after the sign-in', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await register(server, ana)
  await page.goto('/watchlists/create?from=mail#name')
  await signIn(page, ana)
  await expect(page).toHaveURL('/watchlists/create?from=mail#name')
})

test('signing in ignores a redirect to another origin', WEEKLY, async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await register(server, ana)
  await page.goto(`/auth/login?redirect=${encodeURIComponent('https://evil.example/login')}`)
  await signIn(page, ana)
  await expect(page).toHaveURL('/watchlists')

  for (const evil of ['//evil.example', String.raw`/\evil.example`, '/\t/evil.example', 'javascript:alert(1)']) {
    await page.goto(`/auth/login?redirect=${encodeURIComponent(evil)}`)
    await expect(page, evil).toHaveURL('/watchlists')
  }
})

test('an invitation asks a signed-out user to sign in, then continues', WEEKLY, async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  const invitation = '/watchlists/invitation/accept?token=a%2Bb'
  await registerAndSignIn(page, server, ana)
  await page.evaluate(() => localStorage.clear())

  await page.goto(invitation)
  await expect(page.getByText('You need to be logged in to accept this invitation.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`/auth/login?redirect=${encodeURIComponent(invitation)}`)

  await signIn(page, ana)
  await expect(page).toHaveURL(invitation)
})

test('an invitation link without a token is invalid', WEEKLY, async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))

  await page.goto('/watchlists/invitation/accept')
  await expect(page.getByRole('alert')).toHaveText('Invalid or expired invitation link')

  await page.getByRole('link', { name: 'Back to watchlists' }).click()
  await expect(page).toHaveURL('/watchlists')
})
