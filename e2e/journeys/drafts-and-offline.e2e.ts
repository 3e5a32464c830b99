import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { expect, type Person, signIn, test } from '../support/journey.ts'
import { register } from '../support/register.ts'
import { endSessionOf, POSTER_URL, type Seeder } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
import { cardOf, openWatchlist, untilThingsAreKept } from '../support/watchlist.ts'

const OFFLINE = 'You are offline.'
const UNREACHABLE = 'Marquee cannot be reached right now. Trying again every few seconds...'

/** Creates an account with a watchlist that has one revealed card. */
async function aWatchlistOf(server: RunningServer, person: Person): Promise<{ id: string; seeder: Seeder }> {
  const seeder = await register(server, person)
  const { id } = await seeder.watchlist('Friday film club')
  await seeder.card(id, { title: 'Night Tram', status: 'REVEALED' })
  return { id, seeder }
}

/** The two forms that keep drafts. */
function formsOf(page: Page) {
  const comments = page.getByRole('region', { name: 'Comments on Night Tram' })
  const movie = page.getByRole('form', { name: 'Add a movie' })
  return {
    comments,
    openComment: comments.getByRole('button', { name: 'Comment', exact: true }),
    comment: comments.getByLabel('Your comment'),
    addComment: comments.getByRole('button', { name: 'Add comment' }),
    openMovie: page.getByRole('button', { name: 'Add a movie' }),
    movie,
    title: movie.getByLabel('Title'),
    description: movie.getByLabel('Description'),
    imageUrl: movie.getByRole('textbox', { name: 'Image URL' }),
    reveal: movie.getByRole('checkbox', { name: 'Reveal immediately after adding' }),
    addMovie: movie.getByRole('button', { name: 'Add to watchlist' }),
  }
}

async function beginBoth(page: Page): Promise<void> {
  const forms = formsOf(page)
  await forms.openComment.click()
  await forms.comment.fill('Half a thought')
  await forms.openMovie.click()
  await forms.title.fill('Low Tide')
  await forms.description.fill('Two sisters sell a boat.')
  await forms.imageUrl.fill(POSTER_URL)
  await forms.reveal.check()
}

async function expectBothBegun(page: Page): Promise<void> {
  const forms = formsOf(page)
  await expect(forms.comment).toHaveValue('Half a thought')
  await expect(forms.title).toHaveValue('Low Tide')
  await expect(forms.description).toHaveValue('Two sisters sell a boat.')
  await expect(forms.imageUrl).toHaveValue(POSTER_URL)
  await expect(forms.reveal).toBeChecked()
}

test('drafts of a comment and a movie survive a reload until they are sent or cancelled', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id } = await aWatchlistOf(server, ana)
  const page = await openAs(ana)
  await openWatchlist(page, id, 1)
  const forms = formsOf(page)
  await beginBoth(page)

  await page.reload()
  await expectBothBegun(page)

  await test.step('sending or cancelling removes the draft', async () => {
    await forms.addMovie.click()
    await expect(cardOf(page, 'Low Tide')).toBeVisible()
    await forms.comments.getByRole('button', { name: 'Cancel' }).click()
    await expect(forms.comment).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(forms.comment).toHaveCount(0)
    await expect(forms.movie).toHaveCount(0)
  })

  await test.step('signing out removes all drafts', async () => {
    await forms.openComment.click()
    await forms.comment.fill('Not for others')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page).toHaveURL('/auth/login')
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('Not for others')
  })
})

test('drafts of a comment and a movie survive the end of the session', async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const { id } = await aWatchlistOf(server, ana)
  const page = await openAs(ana)
  await openWatchlist(page, id, 1)
  const forms = formsOf(page)
  await beginBoth(page)

  await endSessionOf(page)
  await forms.addComment.click()
  await expect(page).toHaveURL(`/auth/login?redirect=${encodeURIComponent(`/watchlists/${id}`)}`)
  await expect(page.getByRole('alert')).toHaveText('Your session has ended. Please sign in again.')
  await signIn(page, ana)

  await expect(page).toHaveURL(`/watchlists/${id}`)
  await expectBothBegun(page)
  await forms.addComment.click()
  await expect(forms.comments.getByRole('listitem')).toContainText(['Half a thought'])
  await expect(forms.comment).toHaveValue('')
})

test('a banner appears when the network is lost, loaded data stays readable, and typed text is kept', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlistOf(server, ana)
  const page = await openAs(ana)
  await page.clock.install()
  const loaded: string[] = []
  page.on('requestfinished', (request) => loaded.push(request.url()))
  await openWatchlist(page, id, 1)
  const forms = formsOf(page)
  await beginBoth(page)
  await expect(page.getByText(OFFLINE)).toHaveCount(0)
  await page.clock.fastForward('00:10')
  for (const name of ['headless-menu', 'open-outbox', 'waiting-part-', 'waiting-parts-']) {
    await expect.poll(() => loaded).toContainEqual(expect.stringContaining(name))
  }

  await page.context().setOffline(true)
  await expect(page.getByText(OFFLINE)).toBeVisible()
  await expect(page.getByText('we keep what you type', { exact: false })).toBeVisible()

  await test.step('menus still open', async () => {
    await page.getByRole('button', { name: 'Account' }).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('loaded data is still shown, and new comments wait to be sent', async () => {
    await expect(cardOf(page, 'Night Tram')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
    await forms.addComment.click()
    await expect(forms.comments.getByRole('listitem')).toContainText(['Half a thought'])
    await expect(forms.comments.getByText('Waiting')).toBeVisible()
    await forms.addMovie.click()
    await expect(page.getByRole('list', { name: 'Movies that are not sent yet' })).toContainText('Low Tide')
    await cardOf(page, 'Night Tram').getByRole('button', { name: 'Accept' }).click()
    await expect(cardOf(page, 'Night Tram').getByText('Accept Night Tram')).toBeVisible()
    await expect(cardOf(page, 'Night Tram').getByText('Revealed', { exact: true })).toBeVisible()
  })

  await test.step('the banner disappears once online, missed changes appear, and waiting comments are sent', async () => {
    await seeder.card(id, { title: 'Paper Lions', status: 'REVEALED' })
    await page.context().setOffline(false)
    await expect(page.getByText(OFFLINE)).toHaveCount(0)
    await expect(cardOf(page, 'Paper Lions')).toBeVisible()
    await expect(forms.comments.getByRole('listitem')).toContainText(['Half a thought'])
    await expect(cardOf(page, 'Low Tide')).toBeVisible()
    await expect(cardOf(page, 'Night Tram').getByText('Watched', { exact: true })).toBeVisible()
    await expect(page.getByText('Waiting', { exact: true })).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  })
})

test('an unreachable server has its own banner, which disappears when the server is back', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id } = await aWatchlistOf(server, ana)
  const page = await openAs(ana)
  await openWatchlist(page, id, 1)
  await untilThingsAreKept(page)
  const calls = /\/(?:api\/|readyz)/u

  await page.route(calls, async (route) => await route.abort())
  await cardOf(page, 'Night Tram').getByRole('button', { name: 'Accept' }).click()
  await expect(page.getByText(UNREACHABLE)).toBeVisible()
  await expect(cardOf(page, 'Night Tram').getByText('Revealed', { exact: true })).toBeVisible()

  await page.unroute(calls)
  await expect(page.getByText(UNREACHABLE)).toHaveCount(0)
  await expect(page.getByText(OFFLINE)).toHaveCount(0)
  await expect(cardOf(page, 'Night Tram').getByText('Watched', { exact: true })).toBeVisible()
})

test('a banner is shown while the server is out of service, and the page then reloads its data', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id } = await aWatchlistOf(server, ana)
  const page = await openAs(ana)
  const calls = /\/(?:api\/|readyz)/u
  await page.route(calls, async (route) => {
    await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { type: 'SERVICE_UNAVAILABLE' } })
  })

  await page.goto(`/watchlists/${id}`)
  await expect(page.getByText(UNREACHABLE)).toBeVisible()
  await expect(page.getByText('Failed to load watchlist')).toBeVisible()
  await expectAccessible(page, 'out of service')

  await page.unroute(calls)
  await expect(page.getByText(UNREACHABLE)).toHaveCount(0)
  await expect(cardOf(page, 'Night Tram')).toBeVisible()
})
