import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from '@playwright/test'
import { freePort } from '@marquee/platform/testing/free-port'

import { expectAccessible } from '../support/accessibility.ts'
import { failRequests } from '../support/api.ts'
import { A_PICTURE } from '../support/files.ts'
import { expect, type Person, signIn } from '../support/journey.ts'
import { test as base } from '../support/other-tool.ts'
import { anOwnBrowser, type OwnBrowser } from '../support/own-browser.ts'
import { register, signInWithoutForm } from '../support/register.ts'
import { endSessionOf, POSTER_URL, type Seeder } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
import { WEEKLY } from '../support/variations.ts'
import { cardOf, openWatchlist, untilThingsAreKept } from '../support/watchlist.ts'

const test = base.extend<{ ownBrowser: OwnBrowser }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright asks for a destructured first parameter
  ownBrowser: async ({}, use) => {
    const browser = await anOwnBrowser()
    await use(browser)
    await browser.remove()
  },
})

async function aWatchlistOf(server: RunningServer, person: Person): Promise<{ id: string; seeder: Seeder }> {
  const seeder = await register(server, person)
  const { id } = await seeder.watchlist('Friday film club')
  await seeder.card(id, { title: 'Night Tram', status: 'REVEALED' })
  return { id, seeder }
}

/** Opens the watchlist and waits until the code that keeps things is there. */
async function openCalm(page: Page, id: string): Promise<void> {
  await openWatchlist(page, id, 1)
  await untilThingsAreKept(page)
}

function partsOf(page: Page) {
  const comments = page.getByRole('region', { name: 'Comments on Night Tram' })
  return {
    comments,
    openComment: comments.getByRole('button', { name: 'Comment', exact: true }),
    comment: comments.getByRole('textbox', { name: 'Your comment' }),
    addComment: comments.getByRole('button', { name: 'Add comment' }),
    waitingComments: comments.getByRole('list', { name: 'Your comments that are not sent yet' }),
    list: page.getByRole('region', { name: 'What is not sent yet' }),
  }
}

async function comment(page: Page, text: string): Promise<void> {
  const { openComment, comment: field, addComment } = partsOf(page)
  if (await openComment.isVisible()) await openComment.click()
  await field.fill(text)
  await addComment.click()
}

test('actions made without a connection wait in their place and are sent once there is one', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlistOf(server, ana)
  const [seeded] = await seeder.feed(id)
  await seeder.comment(id, seeded?.id ?? '', 'Bring popcron')
  await seeder.card(id, { title: 'A secret of the box' })
  const page = await openAs(ana)
  await openCalm(page, id)
  const { waitingComments, list, comments } = partsOf(page)
  const card = cardOf(page, 'Night Tram')
  const needsOthers = page.getByText('Revealing a card needs a connection.')
  await expect(needsOthers).toHaveCount(0)
  await page.context().setOffline(true)

  await test.step('the reveal button shows that it needs a connection', async () => {
    await expect(needsOthers).toBeVisible()
    await expectAccessible(page, 'the box without a connection')
  })

  await test.step('a comment waits', async () => {
    await comment(page, 'Half a thought')
    await expect(waitingComments.getByText('Half a thought')).toBeVisible()
    await expect(waitingComments.getByText('Waiting')).toBeVisible()
    await expect(list.getByRole('button', { name: '1 thing waits to be sent' })).toBeVisible()
  })

  await test.step('a rating that is changed while it waits is listed once', async () => {
    for (const stars of ['3 stars', '4.5 stars']) {
      await card.getByRole('button', { name: 'I have seen it' }).click()
      await card.getByLabel(stars, { exact: true }).press('Space')
      await card.getByRole('button', { name: 'Save' }).click()
      await expect(card.getByText('Seen: Night Tram')).toBeVisible()
    }
    await expect(list.getByRole('button', { name: '2 things wait to be sent' })).toBeVisible()
  })

  await test.step('a new movie waits', async () => {
    await page.getByRole('button', { name: 'Add a movie' }).click()
    const form = page.getByRole('form', { name: 'Add a movie' })
    await form.getByLabel('Title').fill('Low Tide')
    await form.getByRole('textbox', { name: 'Image URL' }).fill(POSTER_URL)
    await form.getByRole('checkbox', { name: 'Reveal immediately after adding' }).check()
    await form.getByRole('button', { name: 'Add to watchlist' }).click()
    await expect(page.getByRole('list', { name: 'Movies that are not sent yet' }).getByText('Low Tide')).toBeVisible()
    await expect(form).toHaveCount(0)
  })

  await test.step('a decision waits without changing the status of the card', async () => {
    await card.getByRole('button', { name: 'Accept' }).click()
    await expect(card.getByText('Accept Night Tram')).toBeVisible()
    await expect(card.getByText('Revealed', { exact: true })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Decline' })).toHaveCount(0)
    await expectAccessible(page, 'waiting', { weekly: true })
  })

  await test.step('a change of the user’s own comment is listed once, even if changed again', async () => {
    for (const text of ['Bring popcorn', 'Bring popcorn and salt']) {
      await comments.getByRole('button', { name: 'Edit' }).click()
      await comments.getByRole('textbox', { name: 'Edit your comment' }).fill(text)
      await comments.getByRole('button', { name: 'Save' }).click()
      const changed = comments.getByRole('listitem').filter({ hasText: text })
      await expect(changed).toContainText('Changed comment on Night Tram · Waiting')
    }
  })

  await test.step('the list names all waiting actions, and can take them back', async () => {
    const unfold = list.getByRole('button', { name: '5 things wait to be sent' })
    await unfold.press('Enter')
    await expect(list.getByRole('listitem')).toHaveText([
      /Comment on Night Tram.*Waiting/u,
      /Seen: Night Tram.*Waiting/u,
      /Add Low Tide.*Waiting/u,
      /Accept Night Tram.*Waiting/u,
      /Changed comment on Night Tram.*Waiting.*Bring popcorn and salt/u,
    ])
    await expectAccessible(page, 'list of what waits')
    await comment(page, 'Never mind')
    await expect(list.getByRole('listitem')).toHaveCount(6)
    await list.getByRole('button', { name: 'Take back: Comment on Night Tram' }).last().click()
    await expect(list.getByRole('listitem')).toHaveCount(5)
  })

  await test.step('all waiting actions are sent in order, and the list disappears', async () => {
    await page.context().setOffline(false)
    await expect(list).toHaveCount(0)
    await expect(comments.getByText('Half a thought')).toBeVisible()
    await expect(cardOf(page, 'Night Tram').getByText('Watched', { exact: true })).toBeVisible()
    await expect(cardOf(page, 'Low Tide')).toBeVisible()
    await expect(needsOthers).toHaveCount(0)
    const cards = await seeder.feed(id)
    expect(Object.fromEntries(cards.map(({ title, status }) => [title, status]))).toEqual({
      'Low Tide': 'REVEALED',
      'Night Tram': 'WATCHED',
    })
    const tram = cards.find(({ title }) => title === 'Night Tram')
    expect(tram?.lastComments.map(({ content }) => content)).toEqual(['Half a thought', 'Bring popcorn and salt'])
  })
})

test('waiting actions survive a reload, appear in both tabs, and are sent once', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlistOf(server, ana)
  const page = await openAs(ana)
  await openCalm(page, id)
  let lost = 0
  // The server does it, and its answer is lost.
  await page.route(/\/comments$/u, async (route) => {
    lost += 1
    await route.fetch()
    await route.abort()
  })
  await comment(page, 'Once is enough')
  const { list, comments } = partsOf(page)
  await expect(comments.getByText('No answer yet')).toBeVisible()
  expect(lost).toBeGreaterThan(0)
  await list.getByRole('button', { name: '1 thing waits to be sent' }).click()
  await expect(list.getByRole('button', { name: /^Take back/u })).toHaveCount(0)

  const other = await page.context().newPage()
  await other.goto(`/watchlists/${id}`)
  await expect(cardOf(other, 'Night Tram')).toBeVisible()
  await page.unroute(/\/comments$/u)
  await page.reload()

  await expect(comments.getByText('Once is enough')).toBeVisible()
  await expect(list).toHaveCount(0)
  await expect(partsOf(other).list).toHaveCount(0)
  await expect(partsOf(other).comments.getByText('Once is enough')).toBeVisible()
  const [tram] = await seeder.feed(id)
  expect(tram?.lastComments.map(({ content }) => content)).toEqual(['Once is enough'])
})

test('a rejected comment stays with its reason and its text until it is discarded', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlistOf(server, ana)
  const page = await openAs(ana)
  await openCalm(page, id)
  const { list } = partsOf(page)
  await page.context().setOffline(true)
  await comment(page, 'A thought about a movie that goes')
  const [tram] = await seeder.feed(id)
  await seeder.putBack(id, tram?.id ?? '')
  await page.context().setOffline(false)

  await list.getByRole('button', { name: '1 thing was not sent' }).press('Enter')
  await expect(list.getByText('The movie is no longer there.', { exact: false })).toBeVisible()
  await expect(list.getByText('A thought about a movie that goes')).toBeVisible()
  await expectAccessible(page, 'refused')
  await list.getByRole('button', { name: 'Copy text' }).focus()
  const refusedAgain = page.waitForResponse(
    (response) => response.url().endsWith('/comments') && response.status() === 404,
  )
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await refusedAgain
  await expect(list.getByRole('button', { name: '1 thing was not sent' })).toBeVisible()
  await list.getByRole('button', { name: 'Discard: Comment on Night Tram' }).click()
  await expect(list).toHaveCount(0)
})

test(
  'a decision that another member made first is rejected with an explanation',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const ana = aPerson('Ana')
    const { id, seeder } = await aWatchlistOf(server, ana)
    const page = await openAs(ana)
    await openCalm(page, id)
    await page.context().setOffline(true)
    const card = cardOf(page, 'Night Tram')
    await card.getByRole('button', { name: 'Accept' }).click()
    await expect(card.getByText('Accept Night Tram')).toBeVisible()
    const [tram] = await seeder.feed(id)
    await seeder.decide(id, tram?.id ?? '', 'REJECTED')
    await page.context().setOffline(false)

    const { list } = partsOf(page)
    await list.getByRole('button', { name: '1 thing was not sent' }).click()
    await expect(list.getByText('Another member was faster', { exact: false })).toBeVisible()
    expect((await seeder.feed(id)).map(({ status }) => status)).toEqual(['REJECTED'])
  },
)

test(
  'actions made while the server is down are sent once it is back',
  WEEKLY,
  async ({ browser, startWith, aPerson }) => {
    const folder = await mkdtemp(join(tmpdir(), 'marquee-outbox-'))
    const place = { DATA_DIR: folder, PORT: String(await freePort()) }
    const before = await startWith(place)
    const ana = aPerson('Ana')
    const { id, seeder } = await aWatchlistOf(before, ana)
    await seeder.card(id, { title: 'Low Tide', status: 'REVEALED' })
    const context = await browser.newContext({ baseURL: before.url, serviceWorkers: 'block' })
    const page = await context.newPage()
    await signInWithoutForm(page, before, ana)
    await openWatchlist(page, id, 2)
    await untilThingsAreKept(page)
    await before.stop({ keepsData: true })

    await comment(page, 'Written while the server was down')
    const { comments, list } = partsOf(page)
    await cardOf(page, 'Low Tide').getByRole('button', { name: 'Put Back' }).click()
    await expect(list.getByRole('button', { name: '2 things wait to be sent' })).toBeVisible()

    const after = await startWith(place)
    await expect(list).toHaveCount(0, { timeout: 60_000 })
    await expect(comments.getByText('Written while the server was down')).toBeVisible()
    await expect(cardOf(page, 'Low Tide')).toHaveCount(0)
    const cards = await seeder.feed(id)
    expect(cards.map(({ title }) => title)).toEqual(['Night Tram'])
    expect(cards[0]?.lastComments.map(({ content }) => content)).toEqual(['Written while the server was down'])
    await context.close()
    await after.stop({ keepsData: true })
    await rm(folder, { recursive: true, force: true })
  },
)

/** Opens a watchlist and writes a comment that waits, and is sent in vain from then on. */
async function openWaiting(page: Page, watchlist: string): Promise<void> {
  await page.goto(watchlist)
  await untilThingsAreKept(page)
  await page.context().setOffline(true)
  await comment(page, 'Not for the next user')
  await expect(partsOf(page).list).toBeVisible()
  await failRequests(page, '**/comments')
  await page.context().setOffline(false)
}

async function databasesOf(page: Page): Promise<(string | undefined)[]> {
  return await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
}

test('every sign-out asks before it removes waiting actions', async ({ server, openAs, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, seeder } = await aWatchlistOf(server, ana)
  await register(server, ben)
  const token = await seeder.invite(id, ben.name)
  const page = await openAs(ana)
  await openWaiting(page, `/watchlists/${id}`)
  const question = page.getByRole('dialog', { name: '1 thing has not been sent. Sign out anyway?' })
  const stay = question.getByRole('button', { name: 'Stay' })

  await test.step('the menu asks first', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expectAccessible(page, 'question before the sign-out', { weekly: true })
    await stay.click()
    await expect(partsOf(page).list).toBeVisible()
  })

  await test.step('switching accounts at an invitation asks first', async () => {
    await page.goto(`/watchlists/invitation/accept?token=${token}`)
    const change = page.getByRole('button', { name: 'Switch account' })
    await change.press('Enter')
    await expect(stay).toBeFocused()
    await expectAccessible(page, 'question before another account', { weekly: true })
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(change).toBeFocused()
  })

  await test.step('a sign-out started by another tool asks first', async () => {
    await page.goto('/auth/logout?next=sealed')
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await expect(stay).toBeFocused()
    await expectAccessible(page, 'question of another tool', { weekly: true })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('/oauth2/logged-out?next=sealed')
    expect(await databasesOf(page)).toEqual([])
    const [tram] = await seeder.feed(id)
    expect(tram?.lastComments).toEqual([])
  })
})

test('choosing another account for a tool asks before it removes waiting actions', async ({
  page,
  aPerson,
  startWith,
  tool,
}) => {
  const ana = aPerson('Ana')
  const server = await startWith({ OAUTH_CLIENTS: tool.registration })
  const { id, seeder } = await aWatchlistOf(server, ana)
  await signInWithoutForm(page, server, ana)
  await openWaiting(page, `${server.url}/watchlists/${id}`)

  await page.goto(tool.signInAt(server.url))
  const change = page.getByRole('button', { name: 'Use another account' })
  const question = page.getByRole('dialog', { name: '1 thing has not been sent. Sign out anyway?' })
  await change.press('Enter')
  await expect(question.getByRole('button', { name: 'Stay' })).toBeFocused()
  await expectAccessible(page, 'question before another account for a tool', { weekly: true })
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(change).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Sign in to Film wiki' })).toBeVisible()
  expect(await databasesOf(page)).not.toEqual([])

  await change.press('Enter')
  await question.getByRole('button', { name: 'Sign out' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  expect(await databasesOf(page)).toEqual([])
  const [tram] = await seeder.feed(id)
  expect(tram?.lastComments).toEqual([])
})

test('actions that wait when the session ends are sent after the user’s next sign-in', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, seeder } = await aWatchlistOf(server, ana)
  await register(server, ben)
  const page = await openAs(ana)
  await openCalm(page, id)
  await page.context().setOffline(true)
  await comment(page, 'Later is fine')
  await expect(partsOf(page).waitingComments).toBeVisible()
  await endSessionOf(page)
  await page.context().setOffline(false)

  await expect(page).toHaveURL(/\/auth\/login/u)
  await test.step('another user signs in and out on the same device', async () => {
    await signIn(page, ben)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  })
  await signIn(page, ana)
  await openCalm(page, id)
  await expect(partsOf(page).comments.getByText('Later is fine')).toBeVisible()
  await expect
    .poll(async () => (await seeder.feed(id))[0]?.lastComments.map(({ content }) => content))
    .toEqual(['Later is fine'])
})

test('a killed browser sends its unfinished and waiting actions exactly once after the next start', async ({
  server,
  ownBrowser,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id, seeder } = await aWatchlistOf(server, ana)
  const page = await ownBrowser.start()
  await signInWithoutForm(page, server, ana)
  await openWatchlist(page, id, 1, server.url)
  await untilThingsAreKept(page)
  const arrived = Promise.withResolvers<void>()
  // The server does it, and the browser does not live to see the answer.
  await page.route('**/comments', async (route) => {
    await route.fetch()
    arrived.resolve()
  })

  await comment(page, 'The last thing it did')
  await arrived.promise
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Add a movie' }).click()
  const form = page.getByRole('form', { name: 'Add a movie' })
  await form.getByLabel('Title').fill('Low Tide')
  await form.getByText('Upload a file').click()
  await form.getByLabel('Choose an image').setInputFiles(A_PICTURE)
  await form.getByRole('checkbox', { name: 'Reveal immediately after adding' }).check()
  await form.getByRole('button', { name: 'Add to watchlist' }).click()
  await expect(partsOf(page).list.getByRole('button', { name: '1 thing waits to be sent' })).toBeVisible()
  await ownBrowser.untilOnDisk('refreshToken')
  await ownBrowser.kill()

  const again = await ownBrowser.start()
  await openWatchlist(again, id, 2, server.url)
  const { comments, list } = partsOf(again)
  await expect(comments.getByText('The last thing it did')).toBeVisible()
  await expect(list).toHaveCount(0)
  const [tide, tram, ...others] = await seeder.feed(id)
  expect(others).toEqual([])
  expect(tide?.title).toBe('Low Tide')
  expect(tide?.imageUrl).toContain('/images/')
  expect(tram?.lastComments.map(({ content }) => content)).toEqual(['The last thing it did'])
})
