import type { Page } from '@playwright/test'

import { expect, type Person, test } from '../support/journey.ts'
import { brokenLayout } from '../support/layout.ts'
import { signInWithoutForm } from '../support/register.ts'
import { loadScreen, openScreen } from '../support/screens.ts'
import type { RunningServer } from '../support/server.ts'
import { shareWatchlist } from '../support/watchlist.ts'

const PLACES = ['', '/night', '/library', '/suggestions', '/club', '/settings', '/statistics', '/draws']

/** The spacing of WCAG 1.4.12. */
const SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`

/** Reports all screens with a fault, not only the first. */
const eachScreen = expect.configure({ soft: true })

async function spaceTexts(page: Page): Promise<void> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, SPACING)
}

/** Texts that their element hides the lower part of. Those with an ellipsis can be unfolded, or are named elsewhere. */
async function clippedTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => {
        if (!element.checkVisibility() || element.closest('.sr-only, svg') || element.innerText.trim() === '')
          return false
        const { overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element)
        if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || element.clientHeight <= 1) return false
        return ['hidden', 'clip'].includes(overflowY) && element.scrollHeight > element.clientHeight + 1
      })
      .map((element) => `clipped: ${element.innerText.slice(0, 80)}`),
  )
}

/** What has the focus, if not one point of it can be seen. */
async function hiddenFocus(page: Page): Promise<string | undefined> {
  return await page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return undefined
    const drawn = focused.matches('.sr-only, input[type=radio], input[type=checkbox], input[type=file]')
      ? (focused.closest('label') ?? focused)
      : focused
    const { left, top, width, height } = drawn.getBoundingClientRect()
    const parts = [0.05, 0.25, 0.5, 0.75, 0.95]
    const seen = parts.some((x) =>
      parts.some((y) => {
        const there = document.elementFromPoint(left + width * x, top + height * y)
        return there !== null && (drawn.contains(there) || there.contains(drawn))
      }),
    )
    return seen ? undefined : drawn.outerHTML.slice(0, 160)
  })
}

async function aFullClub(server: RunningServer, people: [Person, ...Person[]]) {
  const shared = await shareWatchlist(server, people)
  const { id, asOwner, asMembers } = shared
  const { id: cardId } = await asOwner.card(id, { title: 'Night Tram', status: 'WATCHED' })
  await asOwner.comment(id, cardId, 'The last scene in the rain is the best thing I have seen this year.')
  await asMembers[0]?.card(id, { title: 'Low Tide', status: 'REVEALED', description: 'A village waits for the sea.' })
  for (let n = 1; n <= 5; n += 1) await asOwner.card(id, { title: `Paper Lions ${n}`, status: 'WATCHED' })
  return shared
}

const WIDTHS = [1280, 320]

// Evidence: wcag-1.4.12
test('no text is lost or cut off with wider spacing at 320 and 1280 pixels', async ({ page, server, aPerson }) => {
  test.setTimeout(180_000)
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  // A longer word may go on in the next line: it is still there.
  const lost = async () =>
    [...(await brokenLayout(page)), ...(await clippedTexts(page))].filter((fault) => !fault.startsWith('broken: '))
  const look = async (path: string) => {
    await openScreen(page, path)
    await spaceTexts(page)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await eachScreen.poll(lost, `${path} at ${width} pixels`).toEqual([])
    }
  }
  for (const path of ['/auth/login', '/auth/signup', '/auth/forgot-password']) await look(path)
  const { id } = await aFullClub(server, [ana, ben])
  await signInWithoutForm(page, server, ana)
  for (const path of ['/watchlists', '/notifications', '/profile/edit', '/account/sign-in']) await look(path)
  for (const place of PLACES) await look(`/watchlists/${id}${place}`)
})

/** Presses a key until the focus leaves the page. Resolves to the number of elements that had it. */
async function moveThrough(page: Page, key: 'Tab' | 'Shift+Tab', look: () => Promise<void>): Promise<number> {
  for (let elements = 0; elements < 100; elements += 1) {
    await page.keyboard.press(key)
    if (await page.evaluate(() => document.activeElement === document.body)) return elements
    await look()
  }
  throw new Error(`${key} does not leave the page`)
}

// Evidence: wcag-2.4.11
test('nothing that has the focus is hidden behind a bar at 320 and 1280 pixels', async ({ page, server, aPerson }) => {
  test.setTimeout(300_000)
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { id } = await aFullClub(server, [ana, ben])
  await signInWithoutForm(page, server, ana)
  for (const path of ['/account/sign-in', ...['', '/club', '/settings'].map((place) => `/watchlists/${id}${place}`)]) {
    for (const width of WIDTHS) {
      // The focus begins at the top again.
      await page.setViewportSize({ width, height: 640 })
      await loadScreen(page, path)
      for (const key of ['Tab', 'Shift+Tab'] as const) {
        const look = async () => {
          await eachScreen.poll(async () => await hiddenFocus(page), `${key} on ${path} at ${width}`).toBeUndefined()
        }
        expect(await moveThrough(page, key, look), `stops on ${path} at ${width}`).toBeGreaterThan(10)
      }
    }
  }
})

// Evidence: wcag-3.2.3
test('the bar of a watchlist names the same places in the same order on each page', async ({
  page,
  server,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id } = await aFullClub(server, [ana, ben])
  await signInWithoutForm(page, server, ana)
  const places = page.getByRole('navigation', { name: 'Places of this watchlist' }).getByRole('link')
  for (const place of PLACES) {
    await openScreen(page, `/watchlists/${id}${place}`)
    await expect(places).toHaveText([/^Box/u, /^Night/u, /^Library/u, /^Club/u])
  }
})

// Evidence: wcag-1.4.13
test('a tooltip stays while the pointer is on it, and Escape hides it without a move', async ({
  page,
  server,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id } = await aFullClub(server, [ana, ben])
  await signInWithoutForm(page, server, ana)
  await openScreen(page, `/watchlists/${id}`)
  const step = page.getByRole('list', { name: 'History' }).first().getByRole('button').last()
  const tooltip = page.getByRole('tooltip')

  await step.hover()
  await expect(tooltip).toBeVisible()
  const box = await tooltip.boundingBox()
  if (box === null) throw new Error('The tooltip is not drawn')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 10 })
  await page.evaluate(async () => await new Promise(requestAnimationFrame))
  await expect(tooltip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)

  await step.hover()
  await expect(tooltip).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(tooltip).toHaveCount(0)
})
