import type { Page, Request } from '@playwright/test'

import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { seedAs } from '../support/seed.ts'
import { openWatchlist } from '../support/watchlist.ts'

const PRIVATE = ['Friday film club', 'Night Tram', 'Bring popcorn', 'Sunday at noon']

/** Everything that the browser stores for the site, as one text: storages, databases, caches of the worker. */
async function readStorages(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const cached = await Promise.all(
      (await caches.keys()).map(async (name) => {
        const cache = await caches.open(name)
        return await Promise.all(
          (await cache.matchAll()).map(async (response) => response.url + (await response.text())),
        )
      }),
    )
    const databases = await indexedDB.databases()
    return JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), databases, cached])
  })
}

/** Reads these URLs from the HTTP cache. What it does not have is requested from the server without a token. */
async function readFromHttpCache(page: Page, urls: readonly string[]): Promise<string> {
  return await page.evaluate(
    async (all) =>
      JSON.stringify(
        await Promise.all(all.map(async (url) => await (await fetch(url, { cache: 'force-cache' })).text())),
      ),
    urls,
  )
}

// Evidence: asvs-14.3.1
test('no private data can be read in this browser after a sign-out', async ({ browser, server, aPerson }) => {
  // A new context without routes: requests that Playwright routes bypass the HTTP cache.
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'allow' })
  const page = await context.newPage()
  const ana = aPerson('Ana')
  const read = new Set<string>()
  const remember = (request: Request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname.startsWith('/api/')) read.add(request.url())
  }
  await registerAndSignIn(page, server, ana)
  const seeder = await seedAs(page)
  const { id } = await seeder.watchlist('Friday film club')
  const card = await seeder.card(id, { title: 'Night Tram', status: 'REVEALED' })
  await seeder.comment(id, card.id, 'Bring popcorn')
  page.on('request', remember)
  await page.goto('/watchlists')
  await openWatchlist(page, id, 1)
  await page.evaluate(async () => await navigator.serviceWorker.ready)
  await page.reload()
  await expect(page.getByText('Bring popcorn')).toBeVisible()
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.getByLabel('Your comment').fill('Sunday at noon')
  expect(await readStorages(page)).toContain('Sunday at noon')
  const otherTab = await context.newPage()
  await openWatchlist(otherTab, id, 1)
  await otherTab.getByRole('button', { name: 'Comment' }).click()
  await otherTab.getByLabel('Your comment').fill('Sunday at noon')

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/auth/login')
  await expect(otherTab).toHaveURL('/auth/login')

  await test.step('the back button and a reload show the login screen', async () => {
    await page.goBack()
    await expect(page).toHaveURL('/auth/login?redirect=%2Fwatchlists')
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  })

  await test.step('no storage and no cache has data of the watchlist or its member', async () => {
    expect([...read].some((url) => url.includes(`/watchlists/${id}/cards?`))).toBe(true)
    const kept = [await readFromHttpCache(page, [...read]), await readStorages(page), await readStorages(otherTab)]
    for (const secret of [...PRIVATE, ana.name, ana.email]) {
      for (const text of kept) expect(text).not.toContain(secret)
    }
  })
  await context.close()
})

test('a page that was suspended during the sign-out shows no data when it resumes', async ({
  page,
  server,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Your watchlists' })).toBeVisible()

  // A suspended page gets no events from other tabs. The browser resumes it with this event, after a sign-out in another tab.
  await page.evaluate(() => {
    localStorage.clear()
    localStorage.setItem('marquee.sign-out', 'the mark of another tab')
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })

  await expect(page).toHaveURL('/auth/login')
})
