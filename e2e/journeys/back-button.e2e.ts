import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { openScreen } from '../support/screens.ts'
import { TRIES_ALL } from '../support/variations.ts'
import { shareWatchlist } from '../support/watchlist.ts'

test.describe.configure({ timeout: 180_000 })

const PHONE = { width: 390, height: 844 }

/** Presses buttons, links and entries of menus with these names, one after another. */
async function press(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const target = (role: 'button' | 'menuitem') => page.getByRole(role, { name })
    await target('button').or(target('menuitem')).first().click()
  }
}

/** A dialog of this page closes by the back button, and one that was closed is not in the way of a step back. */
async function expectBackToClose(page: Page, path: string, presses: readonly string[]): Promise<void> {
  const dialog = page.locator('dialog')
  if (new URL(page.url()).pathname !== '/watchlists') await openScreen(page, '/watchlists')
  await openScreen(page, path)
  await press(page, presses)
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(path)

  await page.reload()
  await press(page, presses)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(path)
  await page.goBack()
  await expect(page).toHaveURL('/watchlists')
}

test('the back button of a phone closes each dialog and sheet before it leaves the page', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  await asOwner.avatar()
  await asOwner.image(id)
  await asOwner.card(id, { title: 'Night Tram', status: 'WATCHED' })
  await asOwner.card(id, { title: 'Alphaville', status: 'REVEALED' })
  await asOwner.card(id, { title: 'Playtime' })
  const page = await openAs(ana)
  await page.setViewportSize(PHONE)
  const inList = `/watchlists/${id}`

  const kinds = [
    [inList, 'Add movie'],
    [inList, 'Options for Alphaville', 'Delete'],
    ['/account/data', 'Delete account'],
  ] as const
  const others = [
    [`${inList}/library`, 'Night Tram'],
    [`${inList}/club`, `Actions for ${ben.name}`, `Remove ${ben.name}`],
    [`${inList}/club`, 'Invite'],
    [`${inList}/settings`, 'Delete watchlist'],
    ['/profile/edit', 'Remove picture'],
  ] as const

  for (const [path, ...presses] of TRIES_ALL ? [...kinds, ...others] : kinds) {
    await test.step(presses.join(', '), async () => expectBackToClose(page, path, presses))
  }
})

test('the back button closes each dialog of a night, and a passed phone stays with its guest', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  for (const title of ['Night Tram', 'Alphaville', 'Playtime', 'Ran', 'Stalker']) await asOwner.card(id, { title })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  for (const page of [anas, bens]) await page.setViewportSize(PHONE)
  const night = `/watchlists/${id}/night`
  await anas.goto(night)
  await anas.getByRole('button', { name: 'Start now' }).click()
  await expect(anas.getByText('1 person is here')).toBeVisible()

  await test.step('a reveal outside the open night asks for a confirmation', async () => {
    await expectBackToClose(bens, `/watchlists/${id}`, ['Reveal random card'])
  })

  await test.step('a card revealed outside the night does not appear in it', async () => {
    await openScreen(bens, `/watchlists/${id}`)
    const dialog = bens.getByRole('dialog', { name: 'A movie night is on. Join it?' })
    await press(bens, ['Reveal random card'])
    await expectAccessible(bens, 'the question before a reveal beside the night', { weekly: true })
    await dialog.getByRole('button', { name: 'Reveal anyway' }).click()
    await expect(bens.getByRole('list', { name: 'Waiting for a decision' }).getByRole('article')).toBeVisible()
    await anas.reload()
    await expect(anas.getByRole('button', { name: 'Choose a movie' })).toBeVisible()
    await expect(anas.getByRole('article')).toHaveCount(0)
  })

  await expectBackToClose(anas, night, ['Options', 'End the night'])

  await test.step('the back button does not interrupt passing the phone', async () => {
    await openScreen(anas, night)
    await press(anas, ['Choose a movie', 'Draw a shortlist', 'Pass the phone'])
    const dialog = anas.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Gina')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(anas.getByRole('dialog', { name: 'Give the phone to Gina' })).toBeVisible()
    await anas.goBack()
    // What is below belongs to Ana.
    const back = anas.getByRole('dialog', { name: `Give the phone back to ${ana.name}` })
    await expect(back).toBeVisible()
    await anas.goBack()
    // The browser tells the page of a step back a moment later. Then the dialog has an entry in the history again.
    await expect.poll(async () => anas.evaluate(() => (history.state as { dialog?: string }).dialog)).toBeDefined()
    await anas.goBack()
    await expect(back).toBeVisible()
    await back.getByRole('button', { name: `I’m ${ana.name}` }).click()
    await expect(anas.locator('dialog')).toHaveCount(0)
    await expect(anas).toHaveURL(night)
  })

  await test.step('joining leads to the night', async () => {
    await bens.reload()
    await press(bens, ['Reveal random card'])
    await bens.getByRole('dialog').getByRole('button', { name: 'Join the night' }).click()
    await expect(bens).toHaveURL(night)
    await expect(anas.getByText('3 people are here')).toBeVisible()
  })
})
