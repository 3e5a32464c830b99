import { LANGUAGES } from '@marquee/contract/languages'
import type { Page } from '@playwright/test'

import { expect, type Person, test } from '../support/journey.ts'
import { brokenLayout, filledButtons, smallTargets } from '../support/layout.ts'
import { openSignedIn } from '../support/register.ts'
import type { RunningServer } from '../support/server.ts'
import { shareWatchlist } from '../support/watchlist.ts'

const STEP = 20
const WIDTHS = Array.from({ length: 81 }, (_, n) => 320 + n * STEP)
/** Each language walks the widths of its turn, so that together they walk all. MARQUEE_ALL_WIDTHS=1: each walks all. */
const widthsOf = (turn: number) =>
  process.env['MARQUEE_ALL_WIDTHS'] === '1'
    ? WIDTHS
    : WIDTHS.filter((width, n) => n % LANGUAGES.length === turn || width === 320 || width === 1920)

const OF_WATCHLIST = [
  '',
  '/night',
  '/library',
  '/suggestions',
  '/club',
  '/settings',
  '/statistics',
  '/draws',
  '/import',
]
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

/** A watchlist with movies in the box and in the feed, and comments. */
async function aClub(server: RunningServer, people: [Person, ...Person[]]) {
  const shared = await shareWatchlist(server, people)
  const { id, asOwner, asMembers } = shared
  const { id: cardId } = await asOwner.card(id, { title: 'Night Tram', status: 'WATCHED' })
  await asOwner.comment(id, cardId, 'The last scene in the rain is the best thing I have seen this year.')
  await asMembers[0]?.card(id, { title: 'Low Tide', status: 'REVEALED', description: 'A village waits for the sea.' })
  for (let n = 1; n <= 11; n += 1) await asOwner.card(id, { title: `Paper Lions ${n}` })
  return shared
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

for (const [turn, language] of LANGUAGES.entries()) {
  test.describe(language, () => {
    test.use({ locale: language })
    test.setTimeout(300_000)

    test(`no screen breaks at any width in ${language}`, async ({ page, server, aPerson }) => {
      const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
      const walk = async (path: string) => {
        await open(page, path)
        for (const width of widthsOf(turn)) {
          await page.setViewportSize({ width, height: 800 })
          await eachScreen.poll(async () => await brokenLayout(page), `${path} at ${width} pixels`).toEqual([])
        }
      }
      for (const path of SIGNED_OUT) await walk(path)
      const { id } = await aClub(server, [ana, ben])
      await openSignedIn(page, server, ana)
      for (const path of [...OF_ACCOUNT, ...OF_WATCHLIST.map((place) => `/watchlists/${id}${place}`)]) await walk(path)
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
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('every screen with a main action has one filled button, and all controls are large enough to tap', async ({
    page,
    server,
    aPerson,
  }) => {
    test.setTimeout(180_000)
    const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
    const look = async (screen: string) => {
      const filled = screen in WITHOUT_MAIN_ACTION ? 0 : 1
      await eachScreen.poll(async () => await filledButtons(page), screen).toHaveLength(filled)
      await eachScreen.poll(async () => await smallTargets(page), screen).toEqual([])
    }
    for (const path of SIGNED_OUT) {
      await open(page, path)
      await look(path)
    }
    const { id } = await aClub(server, [ana, ben])
    await openSignedIn(page, server, ana)
    for (const path of OF_ACCOUNT) {
      await open(page, path)
      await look(path)
    }
    for (const place of OF_WATCHLIST) {
      await open(page, `/watchlists/${id}${place}`)
      await look(place === '' ? 'the box' : place)
    }
    await open(page, `/watchlists/${id}/club`)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
    await look('a link to share')
    await page.getByRole('tab', { name: 'Name or e-mail' }).click()
    await look('an invitation by name')
    await open(page, `/watchlists/${id}/night`)
    await page.getByRole('button', { name: 'Start now' }).click()
    await page.getByRole('button', { name: 'Choose a movie' }).waitFor()
    await look('a night that gathers')
    await page.getByRole('button', { name: 'Choose a movie' }).click()
    await look('a night that draws')
    await page.getByRole('button', { name: 'Draw a movie' }).click()
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
    await look('a night that decides')
  })
})

test('every page of a watchlist is at most two presses from every other', async ({ page, server, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id } = await aClub(server, [ana, ben])
  await openSignedIn(page, server, ana)
  const paths = OF_WATCHLIST.map((place) => `/watchlists/${id}${place}`)
  const links = new Map<string, string[]>()
  for (const path of paths) {
    await open(page, path)
    await expect(page.locator('a[href$="/club"]:visible').first()).toBeVisible()
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

test('a movie night takes the host at most twelve taps to its winner, and everyone else at most four', async ({
  server,
  openAs,
  browser,
  aPerson,
}) => {
  test.setTimeout(180_000)
  const people = [aPerson('Ana'), aPerson('Ben'), aPerson('Cem')] as const
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
  if (host === undefined) throw new Error('There are three phones')
  await tv.goto('/tv')

  await tap(0, 'Start now')
  await tap(0, 'Options')
  await tap(0, 'Show on a TV')
  await host.getByLabel('Code on the TV').fill(await tv.getByRole('status').innerText())
  await tap(0, 'Connect')
  await expect(tv.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
  for (const phone of [1, 2]) await tap(phone, 'I’m here')
  await expect(host.getByText('3 people are here')).toBeVisible()
  await tap(0, 'Choose a movie')
  await tap(0, 'Draw a shortlist')
  for (const phone of [0, 1, 2]) {
    await tap(phone, 'Love it')
    await tap(phone, 'All others: Fine')
    await tap(phone, 'Vote')
  }
  for (const phone of phones) await expect(phone.getByRole('heading', { name: / wins$/u })).toBeVisible()
  await expect(tv.getByRole('status')).toHaveText(/^The winner: /u)
  await expect(host.getByRole('button', { name: 'Accept', exact: true })).toBeVisible()

  expect(taps).toEqual([9, 4, 4])
  await tv.context().close()
})
