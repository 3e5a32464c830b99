import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Page } from '@playwright/test'

import { addressOf, failRequests } from '../support/api.ts'
import { A_PICTURE } from '../support/files.ts'
import { expectError } from '../support/forms.ts'
import { expect, test } from '../support/journey.ts'
import { register } from '../support/register.ts'
import { POSTER_URL } from '../support/seed.ts'
import { cardOf, openRow, openWatchlist, shareWatchlist } from '../support/watchlist.ts'

async function choose(page: Page, title: string, entry: 'Edit' | 'Delete'): Promise<void> {
  await page.getByRole('button', { name: `Options for ${title}` }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test('the creator of a card changes its title, description and poster', async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  await asAna.card(id, { title: 'Night Tram', description: 'The last one', status: 'WATCHED' })
  const page = await openAs(ana)
  await openWatchlist(page, id, 1)
  await openRow(page, 'Night Tram')
  const form = page.getByRole('form', { name: 'Edit movie' })
  const title = form.getByLabel('Title')
  const options = page.getByRole('button', { name: 'Options for Night Tram' })

  await test.step('cancelling changes nothing', async () => {
    await choose(page, 'Night Tram', 'Edit')
    await expect(title).toBeFocused()
    await expect(title).toHaveValue('Night Tram')
    await expect(form.getByLabel('Description')).toHaveValue('The last one')
    await title.fill('Day Tram')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toHaveCount(0)
    await expect(options).toBeFocused()
    await expect(cardOf(page, 'Night Tram')).toContainText('The last one')
  })

  await test.step('an edit follows the rules of a new movie, and a failure is shown', async () => {
    await choose(page, 'Night Tram', 'Edit')
    await title.fill('  ')
    await form.getByRole('button', { name: 'Save' }).click()
    await expectError(title, 'Movie title is required')
    await title.fill('Day Tram')
    await form.getByText('Image URL', { exact: true }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expectError(form.getByRole('textbox', { name: 'Image URL' }), 'An image is required')
    await form.getByText('Keep the image', { exact: true }).click()
    await failRequests(page, addressOf(ENDPOINTS.editCard))
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByRole('alert')).toContainText('Failed to edit the movie')
    await page.unroute(addressOf(ENDPOINTS.editCard))
  })

  const card = cardOf(page, 'Day Tram')
  await test.step('the current image is kept if no other is chosen', async () => {
    await form.getByLabel('Description').fill(' ')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(card).toContainText('No description provided')
    await expect(form).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Options for Day Tram' })).toBeFocused()
    await expect(page.getByText('Day Tram was changed')).toBeAttached()
    await expect(page.getByRole('img', { name: 'Poster of Day Tram' })).toHaveAttribute('src', POSTER_URL)
    await expect(card.getByText('Watched', { exact: true })).toBeVisible()
  })

  await test.step('a new image is uploaded', async () => {
    await choose(page, 'Day Tram', 'Edit')
    await form.getByText('Upload a file', { exact: true }).click()
    await form.locator('input[type=file]').setInputFiles(A_PICTURE)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toHaveCount(0)
    const poster = page.getByRole('img', { name: 'Poster of Day Tram' })
    await expect(poster).toHaveAttribute('src', /\/images\//u)
    await page.reload()
    await openRow(page, 'Day Tram')
    await expect(poster).toHaveAttribute('src', /\/images\//u)
  })
})

test('deleting a card asks first, lists what is lost, and can be cancelled', async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  await asAna.card(id, { title: 'Low Tide', status: 'REVEALED' })
  await asAna.card(id, { title: 'Night Tram', status: 'REVEALED' })
  const page = await openAs(ana)
  await openWatchlist(page, id, 2)
  const dialog = page.getByRole('dialog', { name: 'Delete Night Tram?' })

  await choose(page, 'Night Tram', 'Delete')
  await expect(dialog).toContainText(
    'The card, its history and all its comments will be lost, for everyone in this watchlist. This cannot be undone.',
  )
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Options for Night Tram' })).toBeFocused()

  await failRequests(page, addressOf(ENDPOINTS.deleteCard))
  await choose(page, 'Night Tram', 'Delete')
  await dialog.getByRole('button', { name: 'Delete the card' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Failed to delete the movieServer error. Please try again later.')
  await page.unroute(addressOf(ENDPOINTS.deleteCard))
  await dialog.getByRole('button', { name: 'Delete the card' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Night Tram was deleted')).toBeAttached()
  await expect(page.getByRole('heading', { name: 'Movies' })).toBeFocused()
  await page.reload()
  await expect(cardOf(page, 'Low Tide')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('the owner can change every card, a member only their own, and other users none', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben, eve] = [aPerson('Ana'), aPerson('Ben'), aPerson('Eve')]
  const [{ id, asOwner, asMembers }] = await Promise.all([shareWatchlist(server, [ana, ben]), register(server, eve)])
  await asOwner.card(id, { title: 'From Ana', status: 'REVEALED' })
  await asMembers[0]?.card(id, { title: 'From Ben', status: 'REVEALED' })

  for (const [person, changeable] of [
    [ana, ['From Ana', 'From Ben']],
    [ben, ['From Ben']],
    [eve, []],
  ] as const) {
    const page = await openAs(person)
    await openWatchlist(page, id, 2)
    for (const title of ['From Ana', 'From Ben']) {
      const count = changeable.some((own) => own === title) ? 1 : 0
      await expect(page.getByRole('button', { name: `Options for ${title}` }), `${person.name}: ${title}`).toHaveCount(
        count,
      )
    }
  }
})
