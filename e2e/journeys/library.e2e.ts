import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { type Seeder, seedAs } from '../support/seed.ts'
import { shareWatchlist } from '../support/watchlist.ts'

/** More than a page of 50. */
const MANY = 56

const moviesOf = (page: Page) => page.getByRole('list', { name: 'Movies' }).getByRole('button')

/** A watchlist with many plain movies, and two with facts. */
async function fill(seeder: Seeder): Promise<string> {
  const { id } = await seeder.watchlist('Friday film club')
  for (let n = 1; n <= MANY; n += 1) await seeder.card(id, { title: `Reel ${n}`, status: 'REVEALED' })
  await seeder.card(id, {
    title: 'Amélie',
    status: 'WATCHED',
    movie: { year: 2001, runtimeMinutes: 122, genres: ['Comedy'], directors: ['Jean-Pierre Jeunet'] },
  })
  await seeder.card(id, {
    title: 'Alien',
    status: 'REJECTED',
    description: 'In space, no one can hear you scream.',
    movie: { year: 1979, runtimeMinutes: 117, genres: ['Horror'], directors: ['Ridley Scott'] },
  })
  await seeder.card(id, { title: 'A secret' })
  return id
}

test('a member searches, filters, sorts, scrolls and opens movies in the library, also by keyboard', async ({
  page,
  server,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const seeder = await seedAs(page)
  const id = await fill(seeder)
  await page.goto(`/watchlists/${id}`)
  const library = page.getByRole('link', { name: 'Library' })
  await test.step('a return from the library restores the place in the feed', async () => {
    await page.getByRole('article', { name: 'Reel 50' }).scrollIntoViewIfNeeded()
    // The next cards are read at the end of the page.
    await page.keyboard.press('End')
    const place = page.getByRole('article', { name: 'Reel 45' })
    await place.scrollIntoViewIfNeeded()
    // A click would scroll to the link.
    await library.dispatchEvent('click')
    await expect(moviesOf(page).first()).toBeVisible()
    await page.goBack()
    await expect(place).toBeInViewport()
  })
  await library.click()

  await test.step('all movies load as the member scrolls, and a reload restores the place', async () => {
    await expect(page.getByText('The first 50 movies.')).toBeVisible()
    await moviesOf(page).first().focus()
    await page.keyboard.press('End')
    await expect(page.getByText(`${MANY + 2} movies`)).toBeVisible()
    await page.keyboard.press('End')
    await expect(page.getByRole('button', { name: 'Reel 1', exact: false }).last()).toBeFocused()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Reel 1', exact: false }).last()).toBeInViewport()
    await page.getByRole('button', { name: 'Reel 1', exact: false }).last().focus()
    await page.keyboard.press('Home')
    await expect(page.getByRole('button', { name: 'Alien' })).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('button', { name: 'Amélie' })).toBeFocused()
    await expectAccessible(page, 'the library as posters')
  })

  await test.step('the search and the filters are in the URL, and can be removed', async () => {
    await page.getByRole('searchbox').fill('jeunet amelie')
    await expect(moviesOf(page)).toHaveCount(1)
    await expect(page).toHaveURL(/\?q=jeunet\+amelie$/u)
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Decade').selectOption('1970s')
    await page.getByLabel('Status').selectOption('Rejected')
    await expect(moviesOf(page)).toHaveCount(1)
    await expectAccessible(page, 'the library with filters')
    await page.reload()
    await expect(moviesOf(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Seen by me').selectOption('Seen by me')
    await expect(page.getByText('No movie matches')).toBeVisible()
    await page.getByRole('button', { name: 'Remove the filter Seen by me' }).click()
    await page.getByRole('button', { name: 'Remove the filter Rejected' }).click()
    await page.getByRole('button', { name: 'Remove the filter 1970s' }).click()
    await expect(page).toHaveURL(/\/library$/u)
    await page.getByRole('searchbox').fill('A secret')
    await expect(page.getByText('No movie matches')).toBeVisible()
    await page.getByRole('searchbox').fill('')
  })

  await test.step('the table is sorted by its headings, and a movie can be opened and closed', async () => {
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('columnheader', { name: 'Year' }).getByRole('button').click()
    await expect(page.getByRole('row').nth(1)).toContainText('Amélie')
    await expect(page).toHaveURL(/view=table&sort=year|sort=year&view=table/u)
    await expectAccessible(page, 'the library as a table')
    await page.getByRole('button', { name: 'Amélie' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: 'Alien' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Alien' })).toContainText('In space, no one can hear you scream.')
    await expectAccessible(page, 'a movie of the library')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Alien' })).toBeFocused()
  })

  await test.step('a movie that is revealed on another device appears', async () => {
    await page.getByRole('searchbox').fill('playtime')
    await expect(page.getByText('No movie matches')).toBeVisible()
    await seeder.card(id, { title: 'Playtime', status: 'REVEALED' })
    await expect(page.getByRole('button', { name: 'Playtime' })).toBeVisible()
  })
})

test('the box links to the user’s own suggestions, which link back to its form', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner, asMembers } = await shareWatchlist(server, [ana, ben])
  await asOwner.card(id, { title: 'Night Tram' })
  await asOwner.card(id, { title: 'Low Tide' })
  await asMembers[0]?.card(id, { title: 'Paper Lions' })
  const page = await openAs(ana)
  await page.goto(`/watchlists/${id}`)
  await page.getByRole('link', { name: '2 are yours' }).click()

  const list = page.getByRole('list', { name: 'Your suggestions' })
  await expect(list.getByRole('listitem')).toContainText(['Low Tide', 'Night Tram'])
  await expect(page.getByText('Paper Lions')).toHaveCount(0)
  await expectAccessible(page, 'the own suggestions')
  await page.getByRole('button', { name: 'Take Low Tide out of the box' }).click()
  await page.getByRole('button', { name: 'Take it out' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(1)

  await page.getByRole('link', { name: 'Add movie' }).click()
  await expect(page.getByRole('form')).toBeVisible()
  await page.goBack()
  await expect(list).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Library' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Your suggestions' }).click()
  await expect(list).toBeVisible()
})
