import type { Locator, Page } from '@playwright/test'

import { expect, test } from '../support/journey.ts'
import { openScreen } from '../support/screens.ts'
import { cardOf, openLiveWatchlist, shareWatchlist } from '../support/watchlist.ts'

/** Presses a button with the keyboard, like a user who sees no pointer. */
async function press(button: Locator): Promise<void> {
  await button.focus()
  await button.page().keyboard.press('Enter')
}

/** What has the focus, but not the page as a whole. */
const focused = (page: Page): Locator => page.locator('main:focus, main :focus')

/** What keeps the focus is loaded after the first screen. */
async function untilFocusIsKept(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('focus-keeper')),
  )
}

// Evidence: wcag-2.4.3
test('the focus stays close to a control that disappears when it is pressed', async ({ server, openAs, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner, asMembers } = await shareWatchlist(server, [ana, ben])
  await asOwner.card(id, { title: 'Night Tram' })
  const page = await openAs(ana)
  await openLiveWatchlist(page, id, 0)
  await untilFocusIsKept(page)

  await test.step('the last card of the box is revealed', async () => {
    await press(page.getByRole('button', { name: 'Reveal random card' }))
    await expect(cardOf(page, 'Night Tram')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reveal random card' })).toBeDisabled()
    await expect(focused(page)).toContainText('The box is empty')
  })

  await test.step('a comment is sent with its button', async () => {
    await press(cardOf(page, 'Night Tram').getByRole('button', { name: 'Comment', exact: true }))
    const field = page.getByRole('textbox', { name: 'Your comment' })
    await field.fill('The last stop!')
    await press(page.getByRole('button', { name: 'Add comment' }))
    await expect(field).toHaveValue('')
    await expect(field).toBeFocused()
  })

  await test.step('a card that another member revealed is shown', async () => {
    await asMembers[0]?.card(id, { title: 'Day Ferry', status: 'REVEALED' })
    await press(page.getByRole('complementary', { name: 'Just revealed' }).getByRole('button', { name: 'Show' }))
    await expect(cardOf(page, 'Day Ferry')).toBeFocused()
  })

  await test.step('a notice is dismissed', async () => {
    await asMembers[0]?.card(id, { title: 'Noon Train', status: 'REVEALED' })
    const notice = page.getByRole('complementary', { name: 'Just revealed' })
    await press(notice.getByRole('button', { name: 'Dismiss' }))
    await expect(notice).toHaveCount(0)
    await expect(focused(page)).toHaveCount(1)
  })

  await test.step('a night starts, and another member joins it', async () => {
    await openScreen(page, `/watchlists/${id}/night`)
    await press(page.getByRole('button', { name: 'Start now' }))
    await expect(focused(page)).toContainText('Who is here?')

    const bens = await openAs(ben)
    await bens.goto(`/watchlists/${id}/night`)
    await untilFocusIsKept(bens)
    const here = bens.getByRole('button', { name: 'I’m here' })
    await press(here)
    await expect(here).toHaveCount(0)
    await expect(focused(bens)).toContainText('Who is here?')
  })

  await test.step('all notifications are marked as read', async () => {
    await openScreen(page, '/notifications')
    const all = page.getByRole('button', { name: 'Mark all as read' })
    await press(all)
    await expect(all).toHaveCount(0)
    await expect(focused(page)).toHaveCount(1)
  })
})
