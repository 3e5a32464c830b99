import type { Page } from '@playwright/test'

import type { Person } from '../support/forms.ts'
import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { loadScreen } from '../support/screens.ts'
import { seedAs } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
import { openLiveWatchlist, openWatchlist } from '../support/watchlist.ts'

/** What a first view may load, in bytes as sent. */
const BUDGET = {
  login: { bytes: 105_600, files: 6 },
  watchlist: { bytes: 169_000, files: 10 },
}

const MOST_FONT_BYTES = 60_000

/** The files of a page with names that end like this. */
async function filesOf(page: Page, ending: string): Promise<{ bytes: number; files: number }> {
  return await page.evaluate((end) => {
    const files = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) =>
      new URL(name).pathname.endsWith(end),
    )
    return {
      bytes: files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      files: files.length,
    }
  }, ending)
}

/** A watchlist with one card, of a new user who is signed in. Returns its id. */
async function aWatchlist(page: Page, server: RunningServer, owner: Person): Promise<string> {
  await registerAndSignIn(page, server, owner)
  const seeder = await seedAs(page)
  const { id } = await seeder.watchlist('Friday film club')
  await seeder.card(id, { title: 'Night Tram', status: 'REVEALED' })
  return id
}

test('a first view stays within its JavaScript budget', async ({ page, server, aPerson }) => {
  await page.goto('/auth/login')
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
  const login = await filesOf(page, '.js')
  expect(login.bytes).toBeGreaterThan(0)
  expect(login.bytes).toBeLessThan(BUDGET.login.bytes)
  expect(login.files).toBeLessThanOrEqual(BUDGET.login.files)

  const id = await aWatchlist(page, server, aPerson('Ana'))
  // What reads its events loads when it is open.
  await page.route('**/events', async () => await new Promise(() => undefined))
  await openWatchlist(page, id, 1)
  const watchlist = await filesOf(page, '.js')
  expect(watchlist.bytes).toBeLessThan(BUDGET.watchlist.bytes)
  expect(watchlist.files).toBeLessThanOrEqual(BUDGET.watchlist.files)
  await expect.poll(async () => (await filesOf(page, '.woff2')).files).toBe(2)
  expect((await filesOf(page, '.woff2')).bytes).toBeLessThan(MOST_FONT_BYTES)
})

test('a page requests the watchlist and its first cards before its code has loaded', async ({
  page,
  server,
  aPerson,
}) => {
  const id = await aWatchlist(page, server, aPerson('Ana'))
  // Each is answered only when the other has been asked for.
  const asked = new Set<string>()
  const bothAsked = Promise.withResolvers<void>()
  await page.route(
    (url) => [`/api/watchlists/${id}`, `/api/watchlists/${id}/cards`].includes(url.pathname),
    async (route) => {
      asked.add(new URL(route.request().url()).pathname)
      if (asked.size === 2) bothAsked.resolve()
      await bothAsked.promise
      await route.continue()
    },
  )
  const answers: string[] = []
  page.on('response', (response) => void answers.push(new URL(response.url()).pathname))
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/start-*.js', async (route) => {
    await held.promise
    await route.continue()
  })

  await page.goto(`/watchlists/${id}`, { waitUntil: 'commit' })
  await expect(page.locator('#root svg')).toBeVisible()
  const reads = () => answers.filter((path) => path.startsWith('/api/watchlists/')).toSorted()
  await expect.poll(reads).toEqual([`/api/watchlists/${id}`, `/api/watchlists/${id}/cards`])
  await expect(page.locator('head > script[type=module][src^="/assets/schemas-"]')).toHaveCount(1)
  held.resolve()

  await expect(page.getByRole('heading', { name: 'Night Tram' })).toBeVisible()
  await expect(page.locator('#root > div[aria-hidden]')).toHaveCount(0)
})

test('an open watchlist repeats no request unless something changes', async ({ page, server, aPerson }) => {
  const id = await aWatchlist(page, server, aPerson('Ana'))
  const seeder = await seedAs(page)
  // Some time after the last event.
  await loadScreen(page, '/watchlists')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/watchlists/')) asked.push(pathname + search)
  })
  await openLiveWatchlist(page, id, 1)

  // What the opening of the stream asks for comes before what an event asks for.
  await seeder.card(id, { title: 'Low Tide' })
  await expect(page.getByText('1 card', { exact: true })).toBeVisible()
  const twice = asked.filter((url, n) => asked.indexOf(url) !== n)

  expect(asked).toContain(`/api/watchlists/${id}`)
  expect(twice).toEqual([`/api/watchlists/${id}/cards/suggested/count`])
})
