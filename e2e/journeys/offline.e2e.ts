import type { Page } from '@playwright/test'

import { expect, type Person, test } from '../support/journey.ts'
import { aPng } from '../support/png.ts'
import { openSignedIn, register } from '../support/register.ts'
import type { Seeder } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
import { cardOf, openWatchlist, untilThingsAreKept } from '../support/watchlist.ts'

test.use({ serviceWorkers: 'allow' })

const POSTER = `data:image/png;base64,${aPng({ width: 40, height: 60 }).toString('base64')}`
const NO_CONNECTION = /^From .+\. No connection\.$/u

/** A watchlist with a card that has a poster and a comment. */
async function aWatchlist(server: RunningServer, person: Person): Promise<{ id: string; seeder: Seeder }> {
  const seeder = await register(server, person)
  const { id } = await seeder.watchlist('Friday film club')
  const card = await seeder.card(id, { title: 'Night Tram', status: 'REVEALED', image: POSTER })
  await seeder.comment(id, card.id, 'Bring popcorn')
  return { id, seeder }
}

/** What the browser keeps for the site, as one text: storages, databases with their content, caches. */
async function storedIn(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const contentOf = async (name: string) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(new Error(name)))
      })
      const stores = [...database.objectStoreNames]
      const all = await Promise.all(
        stores.map(
          async (store) =>
            await new Promise<unknown>((resolve) => {
              const request = database.transaction(store).objectStore(store).getAll()
              request.addEventListener('success', () => resolve(request.result))
            }),
        ),
      )
      database.close()
      return [name, all]
    }
    const databases = await indexedDB.databases()
    const names = await caches.keys()
    const cached = await Promise.all(
      names.map(async (name) => [name, (await (await caches.open(name)).keys()).map(({ url }) => url)]),
    )
    return JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await Promise.all(databases.map(async ({ name }) => await contentOf(name ?? ''))),
      cached,
    ])
  })
}

/** Waits until this device has kept the card, its picture, and the app. */
async function expectKept(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const stored = await storedIn(page)
      return ['Night Tram', 'Bring popcorn', '/images/', '/index.html'].filter((part) => !stored.includes(part))
    })
    .toEqual([])
}

async function expectPoster(page: Page): Promise<void> {
  const poster = cardOf(page, 'Night Tram').getByRole('img').first()
  await expect
    .poll(async () => await poster.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
}

test('what this device has seen opens without a connection, and says how old it is', async ({
  page,
  context,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlist(server, ana)
  await openSignedIn(page, server, ana)
  await openWatchlist(page, id, 1)
  await expect(page.getByText(NO_CONNECTION)).toHaveCount(0)
  await expectKept(page)

  await context.setOffline(true)
  await test.step('a reload', async () => {
    await page.reload()
    await expect(cardOf(page, 'Night Tram')).toBeVisible()
    await expect(page.getByText('Bring popcorn')).toBeVisible()
    await expect(page.getByText(NO_CONNECTION)).toHaveCount(1)
    await expectPoster(page)
  })

  await test.step('a new tab, from the start page on', async () => {
    const tab = await context.newPage()
    await tab.goto('/')
    await expect(tab).toHaveURL(`/watchlists/${id}`)
    await expect(cardOf(tab, 'Night Tram')).toBeVisible()
    await tab.goto('/watchlists')
    await expect(tab.getByRole('link', { name: /Friday film club/u })).toBeVisible()
    await expect(tab.getByText(NO_CONNECTION)).toHaveCount(1)
    await tab.close()
  })

  await test.step('back online the line goes, and what is new appears', async () => {
    await seeder.card(id, { title: 'Paper Lions', status: 'REVEALED' })
    await context.setOffline(false)
    await expect(cardOf(page, 'Paper Lions')).toBeVisible()
    await expect(page.getByText(/^From /u)).toHaveCount(0)
  })
})

test('a browser that starts while the server is stopped opens what it has seen', async ({
  browser,
  startWith,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const server = await startWith({})
  const { id } = await aWatchlist(server, ana)
  const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'allow' })
  const page = await context.newPage()
  await openSignedIn(page, server, ana)
  await openWatchlist(page, id, 1)
  await expectKept(page)
  await page.close()

  await server.stop()
  const tab = await context.newPage()
  await tab.goto(`/watchlists/${id}`)
  await expect(cardOf(tab, 'Night Tram')).toBeVisible()
  await expect(tab.getByText(NO_CONNECTION)).toHaveCount(1)
  await expectPoster(tab)
  await context.close()
})

test('a comment written without a connection is there after a cold start, and is sent once', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlist(server, ana)
  await openSignedIn(page, server, ana)
  await openWatchlist(page, id, 1)
  await untilThingsAreKept(page)
  await expectKept(page)
  const comments = page.getByRole('region', { name: 'Comments on Night Tram' })
  const waiting = comments.getByRole('list', { name: 'Your comments that are not sent yet' })
  await page.context().setOffline(true)
  await comments.getByRole('button', { name: 'Comment', exact: true }).click()
  await comments.getByRole('textbox', { name: 'Your comment' }).fill('Written in a cellar')
  await comments.getByRole('button', { name: 'Add comment' }).click()
  await expect(waiting).toBeVisible()

  await page.reload()

  await expect(waiting.getByText('Written in a cellar')).toBeVisible()
  await page.context().setOffline(false)
  await expect(waiting).toHaveCount(0)
  await expect(comments.getByText('Written in a cellar')).toBeVisible()
  const [tram] = await seeder.feed(id)
  expect(tram?.lastComments.map(({ content }) => content)).toEqual(['Written in a cellar', 'Bring popcorn'])
})
