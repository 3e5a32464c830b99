import type { Locator, Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { startFront } from '../support/front.ts'
import { expect, type Person, test } from '../support/journey.ts'
import { aPng } from '../support/png.ts'
import { register, signInWithoutForm } from '../support/register.ts'
import type { Seeder } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
import { WEEKLY } from '../support/variations.ts'
import { cardOf, openWatchlist, shareWatchlist, untilThingsAreKept } from '../support/watchlist.ts'

test.use({ serviceWorkers: 'allow' })

const POSTER = `data:image/png;base64,${aPng({ width: 40, height: 60 }).toString('base64')}`
const NIGHT = 'Fri, Nov 28, 8:00 PM'
const NO_CONNECTION = /^Last updated .+\. No connection\.$/u

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
    // Opening a cache that the app has just removed would make it again. The app removes pictures under this lock.
    const cached = await navigator.locks.request('marquee-images', async () => {
      const names = await caches.keys()
      return await Promise.all(
        names.map(async (name) => [name, (await (await caches.open(name)).keys()).map(({ url }) => url)]),
      )
    })
    return JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await Promise.all(databases.map(async ({ name }) => await contentOf(name ?? ''))),
      cached,
    ])
  })
}

/** Waits until this device has kept the card, its picture, and the app, whose files all have to be loaded again. */
async function expectKept(page: Page): Promise<void> {
  await expect
    .poll(
      async () => {
        const stored = await storedIn(page)
        return ['Night Tram', 'Bring popcorn', '/images/', '/index.html'].filter((part) => !stored.includes(part))
      },
      { timeout: 60_000 },
    )
    .toEqual([])
}

/** Signs in and sees the watchlist, until this device has kept it. */
async function openKept(page: Page, server: RunningServer, person: Person, id: string): Promise<void> {
  await signInWithoutForm(page, server, person)
  await openWatchlist(page, id, 1)
  await expectKept(page)
}

async function expectLoaded(picture: Locator): Promise<void> {
  await expect
    .poll(async () => await picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
}

async function expectPoster(page: Page): Promise<void> {
  await expectLoaded(cardOf(page, 'Night Tram').getByRole('img').first())
}

/** Sees the planned night, until this device has kept it. */
async function openNight(page: Page, id: string): Promise<void> {
  await page.goto(`/watchlists/${id}/night`)
  await expect(page.getByRole('heading', { name: NIGHT })).toBeVisible()
  await expect.poll(async () => await storedIn(page)).toContain('At Ana’s')
}

/** The kept night shows. */
async function expectNight(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: NIGHT })).toBeVisible()
  await expect(page.getByText('At Ana’s')).toBeVisible()
  await expect(page.getByText(NO_CONNECTION)).toHaveCount(1)
}

test('visited pages open without a connection, and show how old they are', async ({
  page,
  context,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlist(server, ana)
  await seeder.avatar()
  await seeder.plan(id, '2098-11-28T20:00')
  await openKept(page, server, ana, id)
  await expect(page.getByText(NO_CONNECTION)).toHaveCount(0)
  await openNight(page, id)
  await page.goto(`/watchlists/${id}/library`)
  await expect.poll(async () => await storedIn(page)).toContain('library pages')

  await context.setOffline(true)
  await test.step('the library opens with its posters and the user’s avatar', async () => {
    await page.reload()
    const movie = page.getByRole('list', { name: 'Movies' }).getByRole('button', { name: /Night Tram/u })
    await expectLoaded(movie.locator('img'))
    await expectLoaded(page.getByRole('button', { name: 'Account' }).locator('img'))
    await expect(page.getByText(NO_CONNECTION)).toHaveCount(1)
    await expectAccessible(page, 'kept library', { weekly: true })
  })

  await test.step('the planned night opens and accepts an answer', async () => {
    await page.goto(`/watchlists/${id}/night`)
    await expectNight(page)
    await page
      .getByRole('group', { name: `Your answer for ${NIGHT}` })
      .getByText('In', { exact: true })
      .click()
    await expect(page.getByText(`Answer for ${NIGHT} · Waiting`)).toBeVisible()
    await expect(page.getByText('In: –')).toBeVisible()
    await expectAccessible(page, 'kept night with an answer that waits')
  })

  await test.step('the feed opens with its comments', async () => {
    await page.goto(`/watchlists/${id}`)
    await expect(cardOf(page, 'Night Tram')).toBeVisible()
    await expect(page.getByText('Bring popcorn')).toBeVisible()
    await expect(page.getByText(NO_CONNECTION)).toHaveCount(1)
    await expectPoster(page)
    await expectAccessible(page, 'kept watchlist', { weekly: true })
  })

  await test.step('a new tab opens from the start page', async () => {
    const tab = await context.newPage()
    await tab.goto('/')
    await expect(tab).toHaveURL(`/watchlists/${id}`)
    await expect(cardOf(tab, 'Night Tram')).toBeVisible()
    await tab.goto('/watchlists')
    await expect(tab.getByRole('link', { name: /Friday film club/u })).toBeVisible()
    await expect(tab.getByText(NO_CONNECTION)).toHaveCount(1)
    await tab.close()
  })

  await test.step('the notice disappears once online, new cards appear, and the answer is sent', async () => {
    await page.goto(`/watchlists/${id}/night`)
    await expect(page.getByRole('radio', { name: 'In', exact: true })).toBeChecked()
    await page.goto(`/watchlists/${id}`)
    await seeder.card(id, { title: 'Paper Lions', status: 'REVEALED' })
    await context.setOffline(false)
    await expect(cardOf(page, 'Paper Lions')).toBeVisible()
    await expect(page.getByText(/^From /u)).toHaveCount(0)
    await expect
      .poll(async () => (await seeder.nights(id))[0]?.times[0]?.answers)
      .toEqual([{ username: ana.name, answer: 'in' }])
  })
})

test(
  'a browser that starts while the server is stopped opens the pages it has seen',
  WEEKLY,
  async ({ browser, startWith, aPerson }) => {
    const ana = aPerson('Ana')
    const server = await startWith({})
    const { id, seeder } = await aWatchlist(server, ana)
    await seeder.plan(id, '2098-11-28T20:00')
    const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'allow' })
    const page = await context.newPage()
    await openKept(page, server, ana, id)
    await openNight(page, id)
    await page.close()

    await server.stop()
    const tab = await context.newPage()
    await tab.goto(`/watchlists/${id}`)
    await expect(cardOf(tab, 'Night Tram')).toBeVisible()
    await expect(tab.getByText(NO_CONNECTION)).toHaveCount(1)
    await expectPoster(tab)
    await tab.goto(`/watchlists/${id}/night`)
    await expectNight(tab)
    await context.close()
  },
)

test('the last screen is shown at the start, cannot be used, and disappears when the feed is there', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlist(server, ana)
  await delayServiceWorker(page)
  await openKept(page, server, ana, id)
  await expect.poll(async () => await lastScreen(page)).toContain('Night Tram')
  await page.goto('/favicon.svg')
  await seeder.card(id, { title: 'Paper Lions', status: 'REVEALED' })
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/watchlists/**', async (route) => {
    await answer.promise
    await route.continue()
  })

  await page.goto(`/watchlists/${id}`, { waitUntil: 'commit' })

  const before = page.locator('#last-screen')
  await expect(before).toContainText('Night Tram')
  await expect(before).toContainText(/Last updated .+\. Loading what is new/u)
  await expect(before).not.toContainText('Paper Lions')
  await expect(before).toHaveJSProperty('inert', true)
  await expect(page.getByRole('article')).toHaveCount(0)
  answer.resolve()
  await expect(cardOf(page, 'Paper Lions')).toBeVisible()
  await expect(before).toHaveCount(0)
})

test('the last screen is not shown if the user’s tokens are gone', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  const { id } = await aWatchlist(server, ana)
  await openKept(page, server, ana, id)
  await expect.poll(async () => await lastScreen(page)).toContain('Night Tram')
  const kept = await lastScreen(page)
  await page.goto('/favicon.svg')
  await page.evaluate((text) => {
    localStorage.clear()
    localStorage.setItem('marquee.last-screen', text)
  }, kept)
  await page.route('**/config.json', () => undefined)

  await page.goto(`/watchlists/${id}`)

  await expect(page.locator('script[src*="show-last-screen"]')).toHaveCount(1)
  await expect(page.locator('#last-screen')).toHaveCount(0)
})

/** As on a slow phone: everything has been read and kept when the service worker comes. */
async function delayServiceWorker(page: Page): Promise<void> {
  await page.addInitScript((delayMs) => {
    const register = navigator.serviceWorker.register.bind(navigator.serviceWorker)
    navigator.serviceWorker.register = async (...given) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      return await register(...given)
    }
  }, 3_000)
}

async function lastScreen(page: Page): Promise<string> {
  return await page.evaluate(() => localStorage.getItem('marquee.last-screen') ?? '')
}

// Evidence: asvs-14.3.1
test('a sign-out removes all data of the user from the device, in every tab', async ({
  page,
  context,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id } = await aWatchlist(server, ana)
  await openKept(page, server, ana, id)
  const otherTab = await context.newPage()
  await openWatchlist(otherTab, id, 1)
  await otherTab.goto(`/watchlists/${id}/library`)
  await expect(otherTab.getByText('Night Tram').first()).toBeVisible()
  expect(await storedIn(page)).toContain(ana.name)

  await otherTab.getByRole('button', { name: 'Account' }).click()
  await otherTab.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(otherTab).toHaveURL('/auth/login')
  await expect(page).toHaveURL('/auth/login')

  for (const tab of [page, otherTab]) {
    const stored = await storedIn(tab)
    for (const trace of [id, 'Friday film club', 'Night Tram', 'Bring popcorn', '/images/', ana.name, ana.email]) {
      expect(stored).not.toContain(trace)
    }
  }
  await context.setOffline(true)
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
})

test('the next user who signs in finds no data of the previous one', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  const ben = aPerson('Ben')
  const { id } = await aWatchlist(server, ana)
  await register(server, ben)
  await openKept(page, server, ana, id)
  await expect.poll(async () => await lastScreen(page)).toContain('Night Tram')

  // The tokens are replaced, as if the browser had lost those of Ana.
  await signInWithoutForm(page, server, ben)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Your watchlists' })).toBeVisible()

  await expect
    .poll(async () => {
      const stored = await storedIn(page)
      return ['Night Tram', 'Friday film club', ana.name].filter((trace) => stored.includes(trace))
    })
    .toEqual([])
  expect(await lastScreen(page)).toBe('')
})

async function hasPictures(page: Page): Promise<boolean> {
  return await page.evaluate(async () => await caches.has('marquee-images'))
}

/** Removes the kept pictures while the service worker waits to keep one that has just arrived. */
async function forgetDuring(page: Page, picture: string): Promise<void> {
  await page.evaluate(async (path) => {
    const isWaiting = async () => (await navigator.locks.query()).pending?.some(({ name }) => name === 'marquee-images')
    await navigator.locks.request('marquee-images', async () => {
      await caches.delete('marquee-images')
      await caches.open('marquee-images')
      await fetch(path)
      while ((await isWaiting()) !== true) await new Promise((resolve) => setTimeout(resolve, 20))
      await caches.delete('marquee-images')
    })
    // The worker asked for the lock before, so its turn is over by then.
    await navigator.locks.request('marquee-images', () => undefined)
  }, picture)
}

test('a setting removes the data kept on the device and stops further storage', async ({
  page,
  context,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id } = await aWatchlist(server, ana)
  await openKept(page, server, ana, id)

  await test.step('a picture that arrives during the removal is not kept', async () => {
    const poster = await cardOf(page, 'Night Tram').getByRole('img').first().getAttribute('src')
    const [src = ''] = /\/images\/[^"]+/u.exec(poster ?? '') ?? []
    await forgetDuring(page, src)
    expect(await hasPictures(page)).toBe(false)
    await page.reload()
    await expect.poll(async () => await hasPictures(page)).toBe(true)
  })

  await page.goto('/account/devices')
  const keep = page.getByRole('switch', { name: 'Keep on this device' })
  await expect(keep).toBeChecked()
  await expectAccessible(page, 'devices', { weekly: true })
  await keep.click()
  await expect(keep).not.toBeChecked()
  await expect.poll(async () => await storedIn(page)).not.toContain('Night Tram')
  await expect.poll(async () => await hasPictures(page)).toBe(false)

  await openWatchlist(page, id, 1)
  await page.clock.install()
  await page.reload()
  await expect(cardOf(page, 'Night Tram')).toBeVisible()
  await page.clock.fastForward('00:30')
  expect(await storedIn(page)).not.toContain('Night Tram')
  expect(await storedIn(page)).not.toContain('/images/')

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText('You are offline.')).toBeVisible()
  await expect(cardOf(page, 'Night Tram')).toHaveCount(0)
})

test('a removed member no longer sees kept cards once the server has refused them', async ({
  page,
  context,
  server,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')] as const
  const { id, asOwner, asMembers } = await shareWatchlist(server, [ben, ana])
  const card = await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED', image: POSTER })
  await asMembers[0]?.comment(id, card.id, 'Bring popcorn')
  await asOwner.makePrivate(id)
  await openKept(page, server, ana, id)
  await expect.poll(async () => await lastScreen(page)).toContain('Night Tram')

  await context.setOffline(true)
  await page.reload()
  await expect(cardOf(page, 'Night Tram')).toBeVisible()
  await asOwner.remove(id, ana.name)
  await context.setOffline(false)

  await expect(cardOf(page, 'Night Tram')).toHaveCount(0)
  await expect.poll(async () => await storedIn(page)).not.toContain('Night Tram')
  expect(await lastScreen(page)).toBe('')
})

test('a new version opens without a connection only if all of its files are kept', async ({
  browser,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id } = await aWatchlist(server, ana)
  const front = await startFront(server.url)
  const context = await browser.newContext({ baseURL: front.url, serviceWorkers: 'allow' })
  const page = await context.newPage()
  await openKept(page, { ...server, url: front.url }, ana, id)
  const files = (await (await fetch(`${front.url}/shell.json`)).json()) as string[]
  const deploy = (missing: readonly string[]) => {
    const build = '/assets/build-2.js'
    front.deploy((html) => html.replace('</head>', `<script type="module" src="${build}"></script></head>`), {
      [build]: "document.documentElement.dataset.build = '2'",
      '/shell.json': JSON.stringify([...files, build, ...missing]),
    })
  }
  const buildOf = async () => await page.evaluate(() => document.documentElement.dataset['build'])

  await test.step('the previous version opens while a file is missing', async () => {
    deploy(['/assets/missing.js'])
    await page.reload()
    await expect.poll(buildOf).toBe('2')
    await expect.poll(() => front.asked()).toContain('/assets/missing.js')
    await front.close()
    await page.reload()
    await expect(cardOf(page, 'Night Tram')).toBeVisible()
    expect(await buildOf()).toBeUndefined()
  })

  await test.step('the new version opens once all files are kept', async () => {
    await front.open()
    deploy([])
    await expect(page.getByText(/^From /u)).toHaveCount(0)
    await page.reload()
    await expect.poll(buildOf).toBe('2')
    await expect
      .poll(async () => await page.evaluate(async () => await (await caches.match('/index.html'))?.text()))
      .toContain('build-2')
    await front.close()
    await page.reload()
    await expect(cardOf(page, 'Night Tram')).toBeVisible()
    await expect.poll(buildOf).toBe('2')
  })

  await test.step('the server comes back', async () => {
    await front.open()
    await expect(page.getByText(/^From /u)).toHaveCount(0)
    await expect(cardOf(page, 'Night Tram')).toBeVisible()
  })
  await context.close()
  await front.close()
})

test('a comment written without a connection survives a cold start, and is sent once', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlist(server, ana)
  await openKept(page, server, ana, id)
  await untilThingsAreKept(page)
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
