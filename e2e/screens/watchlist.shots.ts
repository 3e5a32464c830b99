import { expect, type Person, signUpAndIn, test } from '../support/journey.ts'
import { type CardWish, seedAs } from '../support/seed.ts'

import { drawPosters } from './posters.ts'
import { shoot } from './shoot.ts'

const mia: Person = { name: 'Mia', email: 'mia@example.org', password: 'Passw0rd-film' }

/** The feed from its oldest card to its newest. */
const FEED: CardWish[] = [
  {
    title: 'A House of Weather',
    status: 'WATCHED',
    description: 'A family whose rooms each have a season of their own. Watch it with a blanket.',
  },
  {
    title: 'The Understudy',
    status: 'REJECTED',
    description: 'Eleven years in the wings of the same play. Maybe on a day when nobody is tired.',
  },
  {
    title: 'Low Tide',
    status: 'WATCHED',
    description:
      'Two sisters sell the last boat of the village. The sea is the third lead, and it steals every scene.\n\n' +
      'A talk with the director: https://films.example.org/low-tide',
  },
  {
    title: 'Night Tram',
    status: 'REVEALED',
    description:
      'The last tram of the night keeps finding one more stop. Everyone who saw it at the festival came out smiling, ' +
      'and nobody wanted to say why.\n\nSubtitled, 94 minutes: www.example.com/night-tram',
  },
]

const BOX = ['Seven Lighthouses', 'Orbit, Slowly', 'Paper Lions', 'Seven Lighthouses', 'Orbit, Slowly', 'Paper Lions']

test('the signed-in screens', async ({ page, browser, server }) => {
  const posters = await drawPosters(browser)
  const posterOf = ({ title }: { title: string }) => posters.get(title) ?? ''
  await signUpAndIn(page, server, mia)
  await expect(page.getByText('No watchlists yet')).toBeVisible()
  await shoot(page, 'watchlists-empty')

  const { watchlist, card } = await seedAs(page)
  const { id } = await watchlist(
    'Friday film club',
    'Every Friday at eight, at Mia’s. Whoever put in the film that is drawn brings the snacks.',
  )
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByText('The box is empty')).toBeVisible()
  await shoot(page, 'watchlist-empty')

  for (const title of BOX) await card(id, { title, image: posterOf({ title }) })
  for (const wish of FEED) await card(id, { ...wish, image: posterOf(wish) })
  await watchlist('Rainy Sundays', 'Long films, short walks.')
  await watchlist('With the kids', 'Nothing with wolves in it, please.')

  await page.goto('/watchlists')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3)
  await shoot(page, 'watchlists')

  await page.goto(`/watchlists/${id}`)
  await expect(page.getByRole('article')).toHaveCount(FEED.length)
  await shoot(page, 'watchlist', { height: 1240 })
  await shoot(page, 'card', { from: page.getByRole('article', { name: 'Low Tide' }) })

  await page.getByRole('button', { name: 'Add a movie' }).click()
  await page.getByLabel('Title').fill('Orbit, Slowly')
  await page.getByText('Upload a file').click()
  const [, picture = ''] = posterOf({ title: 'Orbit, Slowly' }).split(',')
  await page.locator('input[type=file]').setInputFiles({
    name: 'orbit.png',
    mimeType: 'image/png',
    buffer: Buffer.from(picture, 'base64'),
  })
  await expect(page.getByRole('img', { name: 'Preview of the chosen image' })).toBeVisible()
  await shoot(page, 'add-movie', { height: 1000, from: page.getByRole('heading', { name: 'Movies' }) })

  await page.goto(`/watchlists/${id}`)
  await expect(page.getByRole('article')).toHaveCount(FEED.length)
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await shoot(page, 'account-menu')

  await page.goto('/watchlists/create')
  await expect(page.getByRole('heading', { name: 'Create a watchlist' })).toBeVisible()
  await shoot(page, 'create-watchlist')

  await page.goto('/account/change-password')
  await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible()
  await shoot(page, 'change-password')

  await page.goto('/profile/edit')
  await expect(page.getByRole('heading', { name: 'Edit profile' })).toBeVisible()
  await shoot(page, 'edit-profile')
})
