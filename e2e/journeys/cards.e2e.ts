import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Locator, Page, Response } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { addressOf, failRequests, holdRequests, isCallOf } from '../support/api.ts'
import { expect, IN_MOTION, type Person, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { type NewCard, seedAs } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
import { WEEKLY } from '../support/variations.ts'

test.use(IN_MOTION)

/** Signs the user in and opens a new watchlist with these cards, created in this order. */
async function openWatchlist(page: Page, server: RunningServer, person: Person, cards: NewCard[]): Promise<string> {
  await registerAndSignIn(page, server, person)
  const { watchlist, card } = await seedAs(page)
  const { id } = await watchlist('Friday film club')
  for (const newCard of cards) await card(id, newCard)
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
  return id
}

function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title })
}

function revealButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Reveal random card' })
}

/** The sentences of the newest steps in a card's history, without the dates. */
async function historyOf(card: Locator): Promise<string[]> {
  const steps = await card.getByRole('list', { name: 'History' }).getByRole('button').all()
  const sentences = await Promise.all(steps.map(async (step) => await step.getAttribute('aria-label')))
  return sentences.map((sentence) => (sentence ?? '').replace(/ on .*$/u, ''))
}

/** The dominant colour of the card's background. */
async function toneOf(card: Locator): Promise<'red' | 'green' | 'blue' | 'grey'> {
  const colour = await card.evaluate((element) => getComputedStyle(element).backgroundColor)
  const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/\d+/gu)].map(Number)
  const most = Math.max(red, green, blue)
  if (most - Math.min(red, green, blue) < 12) return 'grey'
  if (most === red) return 'red'
  return most === green ? 'green' : 'blue'
}

test('the box shows its number of cards, and a reveal puts a random one on top of the feed', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await openWatchlist(page, server, ana, [
    { title: 'Old news', status: 'REVEALED' },
    { title: 'Night Tram' },
    { title: 'Low Tide' },
  ])
  await expect(page.getByText('2 cards', { exact: true })).toBeVisible()

  await revealButton(page).click()
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(2)
  await expect(page.getByText('1 card', { exact: true })).toBeVisible()
  const first = (await cards.first().getByRole('heading').textContent()) ?? ''
  expect(['Night Tram', 'Low Tide']).toContain(first)
  await expect(page.getByText(`Revealed: ${first}`)).toBeAttached()
  expect(await historyOf(cards.first())).toEqual([`${ana.name} suggested it`, `${ana.name} revealed it`])

  await revealButton(page).click()
  await expect(cards).toHaveCount(3)
  await expect(page.getByText('The box is empty')).toBeVisible()
  await expect(revealButton(page)).toBeDisabled()
  await page.reload()
  await expect(cards).toHaveCount(3)
  await expect(cards.first().getByRole('heading')).not.toHaveText(first)
})

test('accepting, declining and putting back change a card’s history and colour', async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await openWatchlist(page, server, ana, [
    { title: 'Night Tram', status: 'REVEALED' },
    { title: 'Low Tide', status: 'REVEALED' },
    { title: 'Paper Lions', status: 'REVEALED' },
  ])
  const [tram, tide, lions] = ['Night Tram', 'Low Tide', 'Paper Lions'].map((title) => cardOf(page, title))
  if (!tram || !tide || !lions) throw new Error('There are three cards')
  await expect(tram.getByRole('group', { name: 'Decide about Night Tram' }).getByRole('button')).toHaveText([
    'Put Back',
    'Decline',
    'Accept',
  ])
  expect(await toneOf(tram)).toBe('blue')

  await test.step('the card is accepted', async () => {
    await tram.getByRole('button', { name: 'Accept' }).click()
    await expect(tram.getByText('Watched', { exact: true })).toBeVisible()
    await expect(tram.getByRole('button', { name: 'Accept' })).toHaveCount(0)
    expect(await historyOf(tram)).toEqual([
      `${ana.name} suggested it`,
      `${ana.name} revealed it`,
      `${ana.name} marked it as watched`,
    ])
    await expect(tram).toContainText('Night Tram was accepted')
    expect(await page.getByRole('article').getByRole('heading').allTextContents()).toEqual([
      'Paper Lions',
      'Low Tide',
      'Night Tram',
    ])
  })

  await test.step('the card is declined', async () => {
    await tide.getByRole('button', { name: 'Decline' }).click()
    await expect(tide.getByText('Rejected', { exact: true })).toBeVisible()
    expect((await historyOf(tide)).at(-1)).toBe(`${ana.name} rejected it`)
  })

  await test.step('the card is put back and revealed again', async () => {
    await lions.getByRole('button', { name: 'Put Back' }).click()
    await expect(lions).toHaveCount(0)
    await expect(page.getByText('1 card', { exact: true })).toBeVisible()
    await revealButton(page).click()
    await expect(lions).toBeVisible()
    expect(await historyOf(lions)).toEqual([
      `${ana.name} revealed it`,
      `${ana.name} put it back to box`,
      `${ana.name} revealed it`,
    ])
  })

  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect.poll(async () => await toneOf(lions)).toBe('blue')
    await expect.poll(async () => await toneOf(tram)).toBe('green')
    await expect.poll(async () => await toneOf(tide)).toBe('red')
  }
})

test(
  'each step of a card’s history shows a tooltip on focus and on hover',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    const ana = aPerson('Ana')
    await openWatchlist(page, server, ana, [{ title: 'Night Tram', status: 'WATCHED' }])
    await cardOf(page, 'Night Tram').getByRole('button', { name: 'Night Tram', expanded: false }).click()
    const steps = cardOf(page, 'Night Tram').getByRole('list', { name: 'History' }).getByRole('button')
    const sentence = page.getByRole('tooltip')

    await steps.last().hover()
    await expect(sentence).toHaveText(
      new RegExp(`^${ana.name} marked it as watched on \\w{3} \\d{1,2}, \\d{4}, \\d{1,2}:\\d{2}\\s[AP]M$`, 'u'),
    )
    await page.mouse.move(0, 0)
    await expect(sentence).toHaveCount(0)
    await steps.first().focus()
    await expect(sentence).toContainText('suggested it')
    await page.keyboard.press('Escape')
    await expect(sentence).toHaveCount(0)
  },
)

test('a long history and a long name fit on screens of every width', async ({ page, server, aPerson }) => {
  const ana = { ...aPerson('Ana'), name: aPerson('Ana').name.replace(' ', '').padEnd(100, 'x') }
  await openWatchlist(page, server, ana, [
    { title: 'Salt and Tide', status: 'REVEALED' },
    { title: 'Night Tram', status: 'REVEALED', timesPutBack: 11 },
  ])
  const card = cardOf(page, 'Night Tram')
  const all = card.getByRole('list', { name: 'All changes' })

  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(card.getByRole('list', { name: 'History' }).getByRole('button')).toHaveCount(3)
    const addedBy = await card.getByText('Added by').boundingBox()
    expect(addedBy?.height, `at ${width} px, in at most three lines`).toBeLessThan(70)
    await card.getByRole('button', { name: 'show the whole history' }).click()
    const panel = await all.boundingBox()
    expect(panel?.width, `at ${width} px`).toBeGreaterThan(200)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await card.getByRole('button', { name: 'Close' }).click()
  }

  await test.step('the open history covers the card below', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await card.getByRole('button', { name: 'show the whole history' }).click()
    const below = cardOf(page, 'Salt and Tide')
    await below.scrollIntoViewIfNeeded()
    const isCovered = await below.evaluate((covered) => {
      const panel = document.querySelector('[aria-label="All changes"]')?.parentElement
      const { left, bottom } = panel?.getBoundingClientRect() ?? { left: 0, bottom: 0 }
      const { top } = covered.getBoundingClientRect()
      return bottom > top + 2 && panel?.contains(document.elementFromPoint(left + 10, top + 2)) === true
    })
    expect(isCovered).toBe(true)
    await card.getByRole('button', { name: 'Close' }).click()
  })

  await card.getByRole('button', { name: 'show the whole history' }).press('Enter')
  await expect(all.getByRole('listitem')).toHaveCount(24)
  await expect(all.getByRole('listitem').first()).toHaveText(
    new RegExp(`^${ana.name} revealed it on \\w{3} \\d{1,2}, \\d{4}, \\d{1,2}:\\d{2}\\s[AP]M$`, 'u'),
  )
  await expect(all.getByRole('listitem').last()).toContainText('suggested it')
  await expectAccessible(page, 'the whole history of a card')
  await page.keyboard.press('Escape')
  await expect(all).toHaveCount(0)
  await expect(card.getByRole('button', { name: 'show the whole history' })).toBeFocused()
})

test('links in a description open in a new tab, and markup stays text', WEEKLY, async ({ page, server, aPerson }) => {
  const description = [
    'See https://films.example.org/tram?cut=2 and www.example.com/tram,',
    'not ana@example.org, example.net or javascript:alert(1).',
    '<img src=x onerror=alert(1)><script>alert(1)</script>',
  ].join('\n')
  await openWatchlist(page, server, aPerson('Ana'), [{ title: 'Night Tram', description, status: 'REVEALED' }])
  const links = cardOf(page, 'Night Tram').getByRole('link')

  await expect(links).toHaveText(['https://films.example.org/tram?cut=2', 'www.example.com/tram'])
  await expect(links.nth(0)).toHaveAttribute('href', 'https://films.example.org/tram?cut=2')
  await expect(links.nth(1)).toHaveAttribute('href', /^https?:\/\/www\.example\.com\/tram$/u)
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('target', '_blank')
    await expect(link).toHaveAttribute('rel', /\bnoopener\b/u)
  }
  await expect(cardOf(page, 'Night Tram')).toContainText('<script>alert(1)</script>')
})

test('a poster that cannot be loaded is replaced by a placeholder of the same size', async ({
  page,
  server,
  aPerson,
}) => {
  await openWatchlist(page, server, aPerson('Ana'), [
    { title: 'Night Tram', status: 'REVEALED', image: 'http://gone.example.org/tram.jpg' },
    { title: 'Low Tide', status: 'REVEALED' },
  ])
  const placeholder = page.getByRole('img', { name: 'No poster could be shown for Night Tram' })
  const poster = page.getByRole('img', { name: 'Poster of Low Tide' })

  await expect(placeholder).toBeVisible()
  await expect
    .poll(async () => await placeholder.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  const [one, other] = [await placeholder.boundingBox(), await poster.boundingBox()]
  expect(one?.width).toBe(other?.width)
  expect(one?.height).toBe(other?.height)
})

test('scrolling loads a feed of 25 cards, each card once and in order', WEEKLY, async ({ page, server, aPerson }) => {
  const titles = Array.from({ length: 25 }, (_, index) => `Film ${index + 1}`)
  const pages: URLSearchParams[] = []
  page.on('request', (request) => {
    if (isCallOf(request, ENDPOINTS.listCards)) pages.push(new URL(request.url()).searchParams)
  })
  await openWatchlist(
    page,
    server,
    aPerson('Ana'),
    titles.map((title) => ({ title, status: 'REVEALED' as const })),
  )
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(10)

  await cards.last().scrollIntoViewIfNeeded()
  await expect(cards).toHaveCount(20)
  await cards.last().scrollIntoViewIfNeeded()
  await expect(cards).toHaveCount(25)
  await cards.last().scrollIntoViewIfNeeded()

  expect(await cards.getByRole('heading').allTextContents()).toEqual(titles.toReversed())
  // A page may be requested twice, because one that was read before the event stream opened may be out of date.
  expect(new Set(pages.map((query) => query.get('limit')))).toEqual(new Set(['10']))
  expect(new Set(pages.map((query) => query.get('nextToken'))).size).toBe(3)
})

test('cards far from the screen of a phone leave the document and return to their place', async ({
  page,
  server,
  aPerson,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const titles = Array.from({ length: 40 }, (_, index) => `Film ${index + 1}`)
  await openWatchlist(
    page,
    server,
    aPerson('Ana'),
    titles.map((title) => ({ title, status: 'REVEALED' as const })),
  )
  const card = (title: string) => page.getByRole('article', { name: title, exact: true })
  for (const lastOfPage of ['Film 31', 'Film 21', 'Film 11', 'Film 1']) await card(lastOfPage).scrollIntoViewIfNeeded()
  await expect(card('Film 25')).toHaveCount(0)
  await expect(card('Film 40')).toHaveCount(1)
  const height = await page.evaluate(() => document.body.scrollHeight)

  await page
    .locator('[data-cards]')
    .first()
    .evaluate((far) => far.scrollIntoView())

  await expect(card('Film 30')).toBeInViewport()
  await expect(card('Film 1')).toHaveCount(0)
  expect(await page.evaluate(() => document.body.scrollHeight)).toBe(height)
})

test('two simultaneous reveals draw different cards', WEEKLY, async ({ page, context, server, aPerson }) => {
  const id = await openWatchlist(page, server, aPerson('Ana'), [
    { title: 'Night Tram' },
    { title: 'Low Tide' },
    { title: 'Paper Lions' },
  ])
  const otherTab = await context.newPage()
  await otherTab.goto(`/watchlists/${id}`)
  const tabs = [page, otherTab]
  for (const tab of tabs) await expect(tab.getByText('3 cards', { exact: true })).toBeVisible()

  /** Both tabs have prepared their draw before either is revealed. */
  async function revealInBoth(): Promise<Response[]> {
    const held = await holdRequests(context, addressOf(ENDPOINTS.revealDraw))
    const prepared = tabs.map(async (tab) => await tab.waitForResponse(addressOf(ENDPOINTS.prepareDraw)))
    const answers = tabs.map(async (tab) => await tab.waitForResponse(addressOf(ENDPOINTS.revealDraw)))
    for (const tab of tabs) await revealButton(tab).click()
    await Promise.all(prepared)
    held.release()
    const both = await Promise.all(answers)
    await context.unroute(addressOf(ENDPOINTS.revealDraw))
    return both
  }

  const drawn = await revealInBoth()
  expect(new Set(drawn.map((answer) => answer.status()))).toEqual(new Set([200, 409]))
  for (const tab of tabs) await expect(tab.getByRole('article')).toHaveCount(2)
  for (const tab of tabs) await expect(tab.getByText('1 card', { exact: true })).toBeVisible()

  const last = await revealInBoth()
  expect(new Set(last.map((answer) => answer.status()))).toEqual(new Set([200, 404]))
  for (const tab of tabs) await expect(tab.getByRole('article')).toHaveCount(3)
  await expect
    .poll(async () =>
      (await Promise.all(tabs.map(async (tab) => await tab.getByRole('alert').allTextContents()))).flat(),
    )
    .toEqual(['No cards to reveal from the box'])
})

test(
  'a failed count shows an empty box, and other failures are shown where they happen',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    await openWatchlist(page, server, aPerson('Ana'), [
      { title: 'Night Tram', status: 'REVEALED' },
      { title: 'Low Tide' },
    ])
    const alert = page.getByRole('main').getByRole('alert')

    await test.step('a failed reveal is shown at the box', async () => {
      await failRequests(page, addressOf(ENDPOINTS.prepareDraw))
      await revealButton(page).click()
      await expect(alert).toHaveText('Failed to reveal a movieServer error. Please try again later.')
      await page.unroute(addressOf(ENDPOINTS.prepareDraw))
      await revealButton(page).click()
      await expect(cardOf(page, 'Low Tide')).toBeVisible()
      await expect(alert).toHaveCount(0)
    })

    await test.step('a failed move is shown at the card', async () => {
      await failRequests(page, addressOf(ENDPOINTS.moveCard))
      await cardOf(page, 'Night Tram').getByRole('button', { name: 'Accept' }).click()
      await expect(cardOf(page, 'Night Tram').getByRole('alert')).toContainText('Failed to update movie status')
      await page.unroute(addressOf(ENDPOINTS.moveCard))
      await cardOf(page, 'Night Tram').getByRole('button', { name: 'Put Back' }).click()
      await expect(page.getByText('1 card', { exact: true })).toBeVisible()
    })

    await test.step('a failed feed is shown, and a failed count shows an empty box', async () => {
      await failRequests(page, addressOf(ENDPOINTS.countSuggestedCards))
      await failRequests(page, addressOf(ENDPOINTS.listCards))
      await page.reload()
      await expect(page.getByText('The box is empty')).toBeVisible()
      await expect(revealButton(page)).toBeDisabled()
      await expect(alert).toHaveCount(1)
      await expect(alert).toContainText('Failed to load movie cards')
      await page.unroute(addressOf(ENDPOINTS.listCards))
      await alert.getByRole('button', { name: 'Try again' }).click()
      await expect(cardOf(page, 'Low Tide')).toBeVisible()
      await expect(alert).toHaveCount(0)
    })
  },
)
