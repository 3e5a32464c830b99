import type { Locator, Page } from '@playwright/test'

import { expectAccessible, finishTransitions, tabTo } from '../support/accessibility.ts'
import { expect, IN_MOTION, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { seedAs } from '../support/seed.ts'
import { cardOf, openWatchlist, shareWatchlist } from '../support/watchlist.ts'

test.use(IN_MOTION)

const PHONE = { width: 390, height: 844 }
const TOP_BAR = 56

/** Records which button is hit at the position of Accept when Accept appears. */
async function watchFirstHit(page: Page): Promise<() => Promise<string | undefined>> {
  await page.evaluate(() => {
    const { dataset } = document.documentElement
    new MutationObserver(() => {
      const accept = [...document.querySelectorAll('fieldset button')].find((button) => button.textContent === 'Accept')
      if (accept === undefined) return
      const { x, y, width, height } = accept.getBoundingClientRect()
      const hit = document.elementFromPoint(x + width / 2, y + height / 2)
      dataset['firstHit'] ??= hit?.closest('button')?.textContent ?? 'nothing'
    }).observe(document.body, { subtree: true, childList: true })
  })
  return async () => await page.evaluate(() => document.documentElement.dataset['firstHit'])
}

async function expectAllInSight(page: Page, elements: readonly Locator[]): Promise<void> {
  const bar = await page.getByRole('group', { name: 'Decide about' }).locator('..').boundingBox()
  for (const element of elements) {
    await expect(element).toBeInViewport({ ratio: 1 })
    const box = await element.boundingBox()
    expect(box?.y, `${element.toString()} is below the top bar`).toBeGreaterThanOrEqual(TOP_BAR)
    expect((box?.y ?? 0) + (box?.height ?? 0), `${element.toString()} is above the moves`).toBeLessThanOrEqual(
      bar?.y ?? 0,
    )
  }
}

test('a revealed card scrolls into view on a phone, with its moves at the bottom of the screen', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await page.setViewportSize(PHONE)
  await registerAndSignIn(page, server, ana)
  const seeder = await seedAs(page)
  const { id } = await seeder.watchlist('Friday film club')
  for (let n = 0; n < 2; n += 1)
    await seeder.card(id, { title: 'A title that is long enough for two lines', description: 'So good. '.repeat(40) })
  for (const title of ['Low Tide', 'Playtime']) await seeder.card(id, { title, status: 'WATCHED' })
  await openWatchlist(page, id, 2)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const firstHit = await watchFirstHit(page)

  await page.getByRole('button', { name: 'Reveal random card' }).click()
  const moves = page.getByRole('group', { name: 'Decide about' })
  const card = page.getByRole('article', { name: 'A title' })
  await expect(moves).toBeVisible()
  await expect(card).toHaveCount(1)
  await finishTransitions(page)
  expect((await card.boundingBox())?.y).toBeLessThan(TOP_BAR + 30)

  await expectAllInSight(page, [
    card.getByRole('img', { name: 'Poster of' }),
    card.getByRole('heading'),
    card.getByText(`Added by ${ana.name}`),
  ])
  await expect(moves.getByRole('button')).toHaveText(['Put Back', 'Decline', 'Accept'])
  for (const move of await moves.getByRole('button').all()) await expect(move).toBeInViewport({ ratio: 1 })
  expect(await firstHit(), 'a second tap on Reveal decides nothing').toBe('nothing')

  await test.step('revealing another card shows its moves at the bottom', async () => {
    await page.getByRole('region', { name: 'Movie box' }).getByRole('button', { name: 'Reveal random card' }).click()
    await expect(card).toHaveCount(2)
    // The older card now shows its own moves.
    await expect(moves).toHaveCount(2)
    await expect(card.first().getByRole('button', { name: 'Accept' })).toHaveCount(0)
    await expect(card.last().getByRole('button', { name: 'Accept' })).toBeVisible()
  })
  // At the top of the page the bars cover no part of a button.
  await page.evaluate(() => scrollTo(0, 0))
  await expectAccessible(page, 'an undecided card')
})

test('the member who accepted a card can undo it, and all members see that', async ({ server, openAs, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
  await asOwner.card(id, { title: 'Low Tide', status: 'REVEALED' })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  await openWatchlist(anas, id, 2)
  await openWatchlist(bens, id, 2)
  const undo = anas.getByRole('button', { name: 'Undo' })

  await cardOf(anas, 'Night Tram').getByRole('button', { name: 'Accept' }).click()
  await expect(undo).toBeVisible()
  await expect(cardOf(anas, 'Night Tram')).toBeFocused()
  await expect(cardOf(bens, 'Night Tram')).toContainText('Watched')
  await expect(bens.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await tabTo(anas, undo, 'Shift+Tab')
  await anas.keyboard.press('Enter')

  await expect(undo).toHaveCount(0)
  for (const page of [anas, bens]) {
    await expect(page.getByRole('article').first()).toContainText('Low Tide')
    await expect(cardOf(page, 'Night Tram').getByRole('button', { name: 'Accept' })).toBeVisible()
    await expect(cardOf(page, 'Night Tram')).not.toContainText('Watched')
  }

  await test.step('a member who leaves the page within ten seconds does not undo the decision', async () => {
    await cardOf(anas, 'Low Tide').getByRole('button', { name: 'Decline' }).click()
    await expect(undo).toBeVisible()
    await anas.goto('/watchlists')
    await openWatchlist(anas, id, 2)
    await expect(cardOf(anas, 'Low Tide')).toContainText('Rejected')
    await expect(undo).toHaveCount(0)
  })
})
