import type { Page } from '@playwright/test'

import { aClub } from '../support/club.ts'
import { expect, test } from '../support/journey.ts'
import { registerAndSignIn, signInWithoutForm } from '../support/register.ts'
import { loadScreen } from '../support/screens.ts'
import { seedAs } from '../support/seed.ts'

/** Reports all screens with a fault, not only the first. */
const eachScreen = expect.configure({ soft: true })

const OUTSIDE = 'the focus is outside the page'

/** What has the focus, if not one point of it can be seen. */
async function hiddenFocus(page: Page): Promise<string | undefined> {
  return await page.evaluate((outside) => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return outside
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
  }, OUTSIDE)
}

const WIDTHS = [1280, 320]

/** Presses a key until the focus leaves the page. Resolves to the number of elements that had it. */
async function moveThrough(page: Page, key: 'Tab' | 'Shift+Tab', where: string): Promise<number> {
  const look = async () => await hiddenFocus(page)
  for (let elements = 0; elements < 100; elements += 1) {
    await page.keyboard.press(key)
    const hidden = await look()
    if (hidden === OUTSIDE) return elements
    // The page may still scroll.
    if (hidden !== undefined) await eachScreen.poll(look, `${key} on ${where}`).toBeUndefined()
  }
  throw new Error(`${key} does not leave the page`)
}

// Evidence: wcag-2.4.11
test('a focused control is never hidden behind a bar at 320 and 1280 pixels', async ({ page, server, aPerson }) => {
  test.setTimeout(300_000)
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id } = await aClub(server, [ana, ben])
  await signInWithoutForm(page, server, ana)
  for (const path of ['/account/sign-in', ...['', '/club', '/settings'].map((place) => `/watchlists/${id}${place}`)]) {
    // The focus begins at the top.
    await loadScreen(page, path)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 640 })
      for (const key of ['Tab', 'Shift+Tab'] as const) {
        const where = `${path} at ${width}`
        expect(await moveThrough(page, key, where), `stops on ${where}`).toBeGreaterThan(10)
      }
    }
  }
})

// Evidence: wcag-1.4.13
test('a tooltip stays while the pointer is on it, and Escape hides it', async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const { watchlist, card } = await seedAs(page)
  const { id } = await watchlist('Friday film club')
  await card(id, { title: 'Low Tide', status: 'REVEALED' })
  await loadScreen(page, `/watchlists/${id}`)
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
