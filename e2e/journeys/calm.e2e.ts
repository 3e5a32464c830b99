import type { Page } from '@playwright/test'

import { aClub, PLACES } from '../support/club.ts'
import { expect, type Person, test } from '../support/journey.ts'
import {
  brokenLayout,
  filledButtons,
  lostTexts,
  makeWidthSetter,
  smallTargets,
  spaceTexts,
  stopPainting,
} from '../support/layout.ts'
import { signInWithoutForm } from '../support/register.ts'
import { loadScreen, openScreen } from '../support/screens.ts'
import type { RunningServer } from '../support/server.ts'
import { WALKED, TRIES_ALL } from '../support/variations.ts'
import { shareWatchlist } from '../support/watchlist.ts'

/** The narrowest window of each layout, where what does not fit shows first. Each language walks these. */
const NARROWEST = [320, 360, 384, 400, 640, 768, 1024]
/** MARQUEE_ALL_WIDTHS=1: each language walks all widths. */
const WALKS_ALL = process.env['MARQUEE_ALL_WIDTHS'] === '1'
/** Shared among the languages. */
const OTHERS =
  WALKS_ALL || TRIES_ALL
    ? Array.from({ length: 81 }, (_, n) => 320 + n * 20)
    : [480, 560, 700, 860, 940, 1150, 1280, 1920]
/** Where texts are tried with wider spacing. */
const SPACED = [1280, 320]
const widthsOf = (turn: number) => [...NARROWEST, ...OTHERS.filter((_, n) => WALKS_ALL || n % WALKED.length === turn)]

const OF_ACCOUNT = [
  '/watchlists',
  '/watchlists/create',
  '/notifications',
  '/profile/edit',
  ...['sign-in', 'devices', 'notifications', 'tokens', 'data'].map((tab) => `/account/${tab}`),
]
const SIGNED_OUT = ['/auth/login', '/auth/signup', '/auth/forgot-password', '/join-night', '/tv']

/** Reports every screen with a fault, not only the first. */
const eachScreen = expect.configure({ soft: true })

/** The one filled button of a screen, in any language. */
const mainButton = (page: Page) => page.getByRole('main').locator('button.bg-accent')

for (const [turn, language] of WALKED.entries()) {
  test.describe(language, () => {
    test.use({ locale: language })
    test.setTimeout(WALKS_ALL ? 3_600_000 : 300_000)

    // Evidence: wcag-1.4.4, wcag-1.4.10, wcag-1.4.12
    test(`every screen fits any width and keeps its text with wider spacing, in ${language}`, async ({
      page,
      server,
      aPerson,
    }) => {
      const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
      const setWidth = await makeWidthSetter(page)
      const widen = async (screen: string) => {
        await stopPainting(page)
        for (const width of widthsOf(turn)) {
          await setWidth(width)
          const look = async () => await brokenLayout(page, width)
          const isFine = (await look()).length === 0
          if (!isFine) await eachScreen.poll(look, `${screen} at ${width} pixels`).toEqual([])
        }
        await spaceTexts(page, true)
        for (const width of SPACED) {
          await setWidth(width)
          const look = async () => await lostTexts(page, width)
          await eachScreen.poll(look, `${screen} with wider spacing at ${width} pixels`).toEqual([])
        }
        await spaceTexts(page, false)
      }
      const walk = async (path: string) => {
        await openScreen(page, path)
        await widen(path)
      }
      for (const path of SIGNED_OUT) await walk(path)
      const { id, asOwner } = await aClub(server, [ana, ben])
      await signInWithoutForm(page, server, ana)
      for (const path of [...OF_ACCOUNT, ...PLACES.map((place) => `/watchlists/${id}${place}`)]) await walk(path)

      await asOwner.startNight(id)
      await walk(`/watchlists/${id}`)
      await walk(`/watchlists/${id}/night`)
      const moves = page.getByRole('article').locator('button.bg-accent')
      await mainButton(page).click()
      await expect(page.locator('input[name=unseen]')).toBeVisible()
      await widen('a night that draws')
      await mainButton(page).click()
      await expect(moves).toBeVisible()
      await widen('a night that decides')
      await moves.click()
      await expect(moves).toHaveCount(0)
      await widen('a night that watches')
    })
  })
}

/** The screens without a main action, and why. All others have exactly one filled button. */
const WITHOUT_MAIN_ACTION: Readonly<Record<string, string>> = {
  '/tv': 'a television only shows its code',
  '/watchlists': 'each row opens a watchlist',
  '/notifications': 'each row opens what it is about',
  '/profile/edit': 'each choice is saved at once',
  '/account/devices': 'it only shows where the user is signed in',
  '/account/notifications': 'each choice is saved at once',
  '/library': 'each poster opens a movie',
  '/settings': 'each choice is saved at once',
  '/draws': 'each row opens a draw',
  '/import': 'the field for the file is the whole screen',
  'a night that votes': 'each of three answers leads to the next movie',
}

/** Opens each screen, and each step of a night, in a club of two. */
async function lookAtEach(
  { page, server }: { page: Page; server: RunningServer },
  people: [Person, Person],
  look: (screen: string) => Promise<void>,
): Promise<void> {
  for (const path of SIGNED_OUT) {
    await openScreen(page, path)
    await look(path)
  }
  const { id } = await aClub(server, people)
  await signInWithoutForm(page, server, people[0])
  for (const path of OF_ACCOUNT) {
    await openScreen(page, path)
    await look(path)
  }
  for (const place of PLACES) {
    await openScreen(page, `/watchlists/${id}${place}`)
    await look(place === '' ? 'the box' : place)
  }
  await openScreen(page, `/watchlists/${id}/club`)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await look('a link to share')
  await page.getByRole('tab', { name: 'Name or e-mail' }).click()
  await look('an invitation by name')
  await openScreen(page, `/watchlists/${id}/night`)
  await page.getByRole('button', { name: 'Start now' }).click()
  await page.getByRole('button', { name: 'Choose a movie' }).waitFor()
  await look('a night that gathers')
  await page.getByRole('button', { name: 'Choose a movie' }).click()
  await look('a night that draws')
  await page.getByRole('button', { name: 'Draw a movie' }).click()
  await page.getByRole('button', { name: 'Accept', exact: true }).click()
  await page.getByRole('button', { name: 'End the night' }).waitFor()
  await look('a night that watches')
  await page.getByRole('button', { name: 'Draw another movie' }).click()
  await page.getByRole('button', { name: 'Draw a shortlist' }).click()
  await page.getByRole('button', { name: 'Love it' }).waitFor()
  await look('a night that votes')
  await page.getByRole('button', { name: 'Love it' }).click()
  await page.getByRole('button', { name: 'All others: Fine' }).click()
  await look('a vote before it is sent')
  await page.getByRole('button', { name: 'Vote', exact: true }).click()
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
  await look('a night that decides')
}

/** Exactly one, except on the screens that have none. */
async function expectMainAction(page: Page, screen: string, window: string): Promise<void> {
  const filled = screen in WITHOUT_MAIN_ACTION ? 0 : 1
  await eachScreen.poll(async () => await filledButtons(page), `${screen} on ${window}`).toHaveLength(filled)
}

test.describe('phone and desktop', () => {
  const PHONE = { width: 390, height: 844 }
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true })

  // Evidence: wcag-2.5.8
  test('every screen with a main action has one filled button, and all controls are large enough to tap', async ({
    page,
    server,
    aPerson,
  }) => {
    test.setTimeout(180_000)
    await lookAtEach({ page, server }, [aPerson('Ana'), aPerson('Ben')], async (screen) => {
      await expectMainAction(page, screen, 'a phone')
      await eachScreen.poll(async () => await smallTargets(page), screen).toEqual([])
      await page.setViewportSize({ width: 1280, height: 900 })
      await expectMainAction(page, screen, 'a desktop')
      await page.setViewportSize(PHONE)
    })
  })
})

// Evidence: wcag-2.4.2, wcag-2.4.5, wcag-3.2.3
test('every page of a watchlist names it, has the same bar, and is at most two presses from any other', async ({
  page,
  server,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await aClub(server, [ana, ben])
  const other = await asOwner.watchlist('Empty one')
  await signInWithoutForm(page, server, ana)
  const paths = PLACES.map((place) => `/watchlists/${id}${place}`)
  const bar = page.getByRole('navigation', { name: 'Places of this watchlist' }).getByRole('link')
  const links = new Map<string, string[]>()
  for (const path of paths) {
    await asOwner.makeCurrent(other.id)
    await loadScreen(page, path)
    await expect(page.locator('a[href$="/club"]:visible').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Friday film club, switch watchlist' })).toBeVisible()
    await expect(page).toHaveTitle(/Friday film club(?: · Marquee)?$/u)
    await expect(bar).toHaveText([/^Box/u, /^Night/u, /^Library/u, /^Club/u])
    for (const role of ['link', 'button'] as const)
      await expect(page.getByRole(role, { name: /^Back\b/u })).toHaveCount(0)
    const hrefs = await page
      .locator('a[href]:visible')
      .evaluateAll((found) => found.map((link) => new URL((link as HTMLAnchorElement).href).pathname))
    links.set(path, hrefs)
  }
  const near = (path: string) => {
    const first = links.get(path) ?? []
    return new Set([path, ...first, ...first.flatMap((next) => links.get(next) ?? [])])
  }
  const far = paths.flatMap((from) => paths.filter((to) => !near(from).has(to)).map((to) => `${from} → ${to}`))

  expect(far).toEqual([])
})

test('the host of a movie night reaches the winner in at most twelve taps, everyone else in at most four', async ({
  server,
  openAs,
  browser,
  aPerson,
}) => {
  test.setTimeout(180_000)
  const people = [aPerson('Ana'), aPerson('Ben')] as const
  const { id, asOwner } = await shareWatchlist(server, [...people])
  for (const title of ['Alphaville', 'Breathless', 'Night Tram']) await asOwner.card(id, { title })
  const phones = await Promise.all(people.map(async (person) => await openAs(person)))
  const tv = await (
    await browser.newContext({ baseURL: server.url, viewport: { width: 1920, height: 1080 } })
  ).newPage()
  const taps = phones.map(() => 0)
  const tap = async (phone: number, name: string) => {
    taps[phone] = (taps[phone] ?? 0) + 1
    await phones[phone]?.getByRole('button', { name, exact: true }).click()
  }
  for (const phone of phones) {
    await phone.setViewportSize({ width: 390, height: 844 })
    await phone.goto(`/watchlists/${id}/night`)
  }
  const [host] = phones
  if (host === undefined) throw new Error('There are two phones')
  await tv.goto('/tv')

  await tap(0, 'Start now')
  await tap(0, 'Options')
  await tap(0, 'Show on a TV')
  const code = tv.getByRole('status')
  await expect(code).toHaveText(/^[A-Z2-9]{6}$/u)
  await host.getByLabel('Code on the TV').fill(await code.innerText())
  await tap(0, 'Connect')
  await expect(tv.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
  await tap(1, 'I’m here')
  await expect(host.getByText('2 people are here')).toBeVisible()
  await tap(0, 'Choose a movie')
  await tap(0, 'Draw a shortlist')
  for (const phone of [0, 1]) {
    await tap(phone, 'Love it')
    await tap(phone, 'All others: Fine')
    await tap(phone, 'Vote')
  }
  for (const phone of phones) await expect(phone.getByRole('heading', { name: / wins$/u })).toBeVisible()
  await expect(tv.getByRole('status')).toHaveText(/^The winner: /u)
  await expect(host.getByRole('button', { name: 'Accept', exact: true })).toBeVisible()

  expect(taps).toEqual([9, 4])
  await tv.context().close()
})

test('the button that deletes a watchlist does not move while the settings load', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { id } = await shareWatchlist(server, [ana])
  const page = await openAs(ana)
  await page.setViewportSize({ width: 390, height: 844 })
  const held = Promise.withResolvers<void>()
  await page.route(/\/(?:draw-odds|veto-budget|calendar)$/u, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`/watchlists/${id}/settings`)
  const button = page.getByRole('button', { name: 'Delete watchlist' })
  const top = async () => (await button.boundingBox())?.y ?? NaN
  await expect(page.getByRole('heading', { name: 'Calendar' })).toBeVisible()
  const before = await top()
  held.resolve()
  await expect(page.getByRole('group', { name: 'Draw rule' })).toBeVisible()
  await expect(page.getByLabel('Vetoes per member each month')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Subscribe in your calendar' })).toBeVisible()
  // Fonts of machines differ by a few pixels.
  expect(Math.abs((await top()) - before)).toBeLessThan(12)
})
