import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Locator, Page } from '@playwright/test'

import { addressOf, failRequests } from '../support/api.ts'
import { expect, type Person, test } from '../support/journey.ts'
import { register } from '../support/register.ts'
import { openScreen } from '../support/screens.ts'
import { WEEKLY } from '../support/variations.ts'
import { shareWatchlist } from '../support/watchlist.ts'

function memberRow(page: Page, { name }: Person): Locator {
  return page.getByRole('region', { name: 'Members' }).getByRole('listitem').filter({ hasText: name })
}

/** The names of the watchlists in the switcher. */
async function watchlistsOf(page: Page): Promise<string[]> {
  await openScreen(page, '/watchlists')
  await expect(page.getByRole('heading', { name: 'Your watchlists' })).toBeVisible()
  await expect(page.getByText('Loading your watchlists...')).toHaveCount(0)
  return await page.getByRole('main').getByRole('listitem').getByRole('link').allTextContents()
}

/** How far the next face reaches over each letter, in pixels, with the ring around it. */
async function coveredLetters(button: Locator): Promise<number[]> {
  return await button.evaluate((element) => {
    const RING = 2
    const faces = [...element.querySelectorAll('[aria-hidden] > span')]
    return faces.slice(1).map((face, n) => {
      const letter = document.createRange()
      letter.selectNodeContents(faces[n] as Element)
      const text = document.createTreeWalker(faces[n] as Element, NodeFilter.SHOW_TEXT).nextNode()
      if (text !== null) letter.selectNodeContents(text)
      return Math.max(0, letter.getBoundingClientRect().right + RING - face.getBoundingClientRect().left)
    })
  })
}

test('the members’ avatars in the header of a phone do not cover each other’s letters', async ({
  server,
  openAs,
  aPerson,
}) => {
  const people = [aPerson('Mia'), aPerson('Wim'), aPerson('Mo')] as const
  const { id } = await shareWatchlist(server, [...people])
  const page = await openAs(people[0])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/watchlists/${id}`)
  const details = page.getByRole('button', { name: 'Details' })
  await expect(details).toContainText('MWM')

  // The letters change once their font is there.
  await expect.poll(async () => await coveredLetters(details)).toEqual([0, 0])
})

test(
  'members are listed with their first letter, and the current user and the owner are marked',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const [ana, ben, zoe] = [aPerson('Ana'), aPerson('Ben'), aPerson('zoe')]
    const { id } = await shareWatchlist(server, [ana, ben, zoe])
    const page = await openAs(ben)
    await page.goto(`/watchlists/${id}`)

    await expect(page.getByRole('region', { name: 'Members' }).getByRole('listitem')).toHaveCount(3)
    await expect(memberRow(page, ana)).toContainText('Owner')
    await expect(memberRow(page, ana)).not.toContainText('(you)')
    await expect(memberRow(page, ben)).toContainText('(you)')
    await expect(memberRow(page, ben)).not.toContainText('Owner')
    for (const [person, letter] of [
      [ana, 'A'],
      [ben, 'B'],
      [zoe, 'Z'],
    ] as const) {
      await expect(memberRow(page, person).getByText(letter, { exact: true }), person.name).toBeVisible()
    }

    await test.step('only the owner can change members and delete the watchlist', async () => {
      await page.goto(`/watchlists/${id}/club`)
      await expect(memberRow(page, ana)).toBeVisible()
      await expect(page.getByRole('button', { name: /^Actions for /u })).toHaveCount(0)
      await page.goto(`/watchlists/${id}/settings`)
      await expect(page.getByRole('button', { name: 'Leave watchlist' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Delete watchlist' })).toHaveCount(0)
      await expect(page.getByRole('switch', { name: 'Private' })).toHaveCount(0)
    })
  },
)

test(
  'the owner removes a member after a confirmation, which can be cancelled',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
    const { id } = await shareWatchlist(server, [ana, ben])
    const page = await openAs(ana)
    await page.goto(`/watchlists/${id}/club`)
    const actions = page.getByRole('button', { name: `Actions for ${ben.name}` })
    const remove = async () => {
      await actions.click()
      await page.getByRole('menuitem', { name: `Remove ${ben.name}` }).click()
    }
    const dialog = page.getByRole('dialog', { name: `Remove ${ben.name}?` })

    await remove()
    await expect(dialog).toContainText('Their movies and comments stay. To come back they need a new invitation.')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(actions).toBeFocused()
    await remove()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(memberRow(page, ben)).toBeVisible()

    await test.step('a failure is shown in the dialog', async () => {
      await failRequests(page, addressOf(ENDPOINTS.removeMember))
      await remove()
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await expect(dialog.getByRole('alert')).toContainText('The member could not be removed. Please try again.')
      await page.unroute(addressOf(ENDPOINTS.removeMember))
    })

    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText(`${ben.name} is no longer a member.`)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Members' }).getByRole('listitem')).toHaveCount(1)
    await expect(page.getByRole('heading', { name: 'Members' })).toBeFocused()

    const bensPage = await openAs(ben)
    expect(await watchlistsOf(bensPage)).toEqual([])
  },
)

test('the owner hands the watchlist over and can then leave it', async ({ server, openAs, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  await asOwner.watchlist('Rainy Sundays')
  const page = await openAs(ana)
  await page.goto(`/watchlists/${id}/settings`)
  await expect(page.getByRole('button', { name: 'Delete watchlist' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Leave watchlist' })).toHaveCount(0)
  await openScreen(page, `/watchlists/${id}/club`)

  await test.step('handing over asks first and can be cancelled', async () => {
    const actions = page.getByRole('button', { name: `Actions for ${ben.name}` })
    const handOver = async () => {
      await actions.click()
      await page.getByRole('menuitem', { name: `Make ${ben.name} the owner` }).click()
    }
    const dialog = page.getByRole('dialog', { name: `Make ${ben.name} the owner?` })
    await handOver()
    await expect(dialog).toContainText('You cannot take this back yourself.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(actions).toBeFocused()
    await handOver()
    await dialog.getByRole('button', { name: 'Hand over' }).click()
    await expect(page.getByText(`${ben.name} is the owner now.`)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Members' })).toBeFocused()
    await expect(memberRow(page, ben)).toContainText('Owner')
    await expect(memberRow(page, ana)).not.toContainText('Owner')
  })

  await test.step('leaving asks first, can be cancelled, and opens the remaining watchlist', async () => {
    await page.getByRole('link', { name: 'Settings' }).click()
    const leave = page.getByRole('button', { name: 'Leave watchlist' })
    const dialog = page.getByRole('dialog', { name: 'Leave Friday film club?' })
    await leave.click()
    await expect(dialog).toContainText('What you added stays. To come back you need a new invitation.')
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect(leave).toBeFocused()
    await leave.click()
    await dialog.getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rainy Sundays')
    expect(await watchlistsOf(page)).toEqual([expect.stringContaining('Rainy Sundays')])
  })

  await test.step('a former member can read the watchlist but change nothing', async () => {
    await openScreen(page, `/watchlists/${id}`)
    await expect(memberRow(page, ben)).toContainText('Owner')
    await expect(page.getByText('Only members can change this watchlist.', { exact: false })).toBeVisible()
  })
})

test('a private watchlist is hidden from non-members', WEEKLY, async ({ server, openAs, aPerson }) => {
  const [ana, ben, eve] = [aPerson('Ana'), aPerson('Ben'), aPerson('Eve')]
  const { id } = await shareWatchlist(server, [ana, ben])
  await register(server, eve)
  const page = await openAs(ana)
  const evesPage = await openAs(eve)
  const isPrivate = page.getByRole('switch', { name: 'Private' })
  await evesPage.goto(`/watchlists/${id}`)
  await expect(evesPage.getByRole('heading', { level: 1 })).toHaveText('Friday film club')

  await page.goto(`/watchlists/${id}/settings`)
  await expect(isPrivate).not.toBeChecked()
  await expect(page.getByText('Anyone who is signed in and has the link can view it.')).toBeVisible()
  await failRequests(page, addressOf(ENDPOINTS.setWatchlistPrivacy))
  await isPrivate.click()
  await expect(page.getByRole('alert')).toContainText('This could not be changed. Please try again.')
  await expect(isPrivate).not.toBeChecked()
  await page.unroute(addressOf(ENDPOINTS.setWatchlistPrivacy))
  await isPrivate.click()
  await expect(isPrivate).toBeChecked()
  await expect(page.getByText('Only members can see this watchlist.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await evesPage.reload()
  await expect(evesPage.getByText('Watchlist not found. Redirecting to your watchlists...')).toBeVisible()
  const bensPage = await openAs(ben)
  await bensPage.goto(`/watchlists/${id}`)
  await expect(bensPage.getByRole('heading', { level: 1 })).toHaveText('Friday film club')

  await isPrivate.click()
  await expect(isPrivate).not.toBeChecked()
  await evesPage.goto(`/watchlists/${id}`)
  await expect(evesPage.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
})

test(
  'the owner deletes the watchlist after a dialog that lists what is lost',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
    const { id, asOwner } = await shareWatchlist(server, [ana, ben])
    await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
    const page = await openAs(ana)
    await page.goto(`/watchlists/${id}/settings`)
    const button = page.getByRole('button', { name: 'Delete watchlist' })
    const dialog = page.getByRole('dialog', { name: 'Delete Friday film club?' })

    await button.click()
    await expect(dialog).toContainText(
      'All its movies, comments and invitations are deleted, for all 2 members. This cannot be undone.',
    )
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(button).toBeFocused()

    await page.route(addressOf(ENDPOINTS.deleteWatchlist, { watchlistId: id }), async (route) => {
      await (route.request().method() === 'DELETE' ? route.fulfill({ status: 500 }) : route.fallback())
    })
    await button.click()
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await expect(dialog.getByRole('alert')).toContainText('The watchlist could not be deleted. Please try again.')
    await page.unroute(addressOf(ENDPOINTS.deleteWatchlist, { watchlistId: id }))
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await expect(page).toHaveURL('/watchlists')
    await expect(page.getByText('Friday film club was deleted.')).toBeVisible()
    await expect(page.getByText('No watchlists yet')).toBeVisible()

    const bensPage = await openAs(ben)
    await bensPage.goto(`/watchlists/${id}`)
    await expect(bensPage.getByText('Watchlist not found. Redirecting to your watchlists...')).toBeVisible()
  },
)
