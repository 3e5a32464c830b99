import { expect } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { seedAs } from '../support/seed.ts'

import { FEED, test } from './film-club.ts'
import { shoot } from './shoot.ts'

test('the screens of a new user are photographed', async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Nele'))
  await page.goto('/')
  await expect(page.getByText('No watchlists yet')).toBeVisible()
  await shoot(page, 'watchlists-empty')

  const { watchlist } = await seedAs(page)
  const { id } = await watchlist('Friday film club', 'Every Friday at eight.')
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByText('The box is empty')).toBeVisible()
  await shoot(page, 'watchlist-empty')

  await page.goto('/watchlists/create')
  await expect(page.getByRole('heading', { name: 'Create a watchlist' })).toBeVisible()
  await shoot(page, 'create-watchlist')
  await page.goto('/account/change-password')
  await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible()
  await shoot(page, 'change-password')
  await page.goto('/account/sign-in')
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  await shoot(page, 'security')
  await page.goto('/account/devices')
  await expect(page.getByText('Account created')).toBeVisible()
  await shoot(page, 'security-activity')
})

test('the screens of a shared watchlist are photographed', async ({ openAs, club }) => {
  const { id, mia, posterOf } = club
  const page = await openAs(mia)
  const open = async () => {
    await page.goto(`/watchlists/${id}`)
    await expect(page.getByRole('article')).toHaveCount(FEED.length)
  }

  await page.goto('/watchlists')
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
  await shoot(page, 'watchlists')

  await open()
  await shoot(page, 'watchlist', { height: 1240 })
  await page.getByRole('button', { name: 'Low Tide', expanded: false }).click()
  await shoot(page, 'card', { from: page.getByRole('article', { name: 'Low Tide' }) })

  const talk = page.getByRole('region', { name: 'Comments on Night Tram' })
  await talk.getByRole('button', { name: 'Load previous comments' }).click()
  await expect(talk.getByRole('listitem')).toHaveCount(4)
  await talk.getByRole('button', { name: 'Comment', exact: true }).click()
  await talk.getByLabel('Your comment').fill('Sweet on the way there, salted on the way back.')
  await shoot(page, 'comments', { from: talk })
  await talk.getByRole('button', { name: 'Cancel' }).click()

  const tram = page.getByRole('article', { name: 'Night Tram' })
  await page.getByRole('button', { name: 'Options for Night Tram' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('form', { name: 'Edit movie' })).toBeVisible()
  await shoot(page, 'edit-movie', { from: tram })
  await page.getByRole('form', { name: 'Edit movie' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Options for Night Tram' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Delete the card' })).toBeVisible()
  await shoot(page, 'delete-card')
  await page.keyboard.press('Escape')

  await open()
  await page.getByRole('button', { name: 'Add a movie' }).click()
  await page.getByLabel('Title').fill('Orbit, Slowly')
  await page.getByText('Upload a file').click()
  const [, picture = ''] = posterOf('Orbit, Slowly').split(',')
  await page.locator('input[type=file]').setInputFiles({
    name: 'orbit.png',
    mimeType: 'image/png',
    buffer: Buffer.from(picture, 'base64'),
  })
  await expect(page.getByRole('img', { name: 'Preview of the chosen image' })).toBeVisible()
  await shoot(page, 'add-movie', { height: 1000, from: page.getByRole('heading', { name: 'Movies' }) })
  await page.getByRole('form', { name: 'Add a movie' }).getByRole('button', { name: 'Cancel' }).click()

  await open()
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await shoot(page, 'account-menu')
  await page.keyboard.press('Escape')

  await page.context().setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await shoot(page, 'offline')
  await page.context().setOffline(false)

  await page.goto('/profile/edit')
  await expect(page.getByRole('button', { name: 'Remove picture' })).toBeVisible()
  await shoot(page, 'edit-profile')

  await page.goto('/notifications')
  await expect(page.getByRole('list').getByRole('listitem').first()).toBeVisible()
  await shoot(page, 'notifications')
  await page.goto('/account/notifications')
  await expect(page.getByRole('heading', { name: 'Notification settings' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Quiet hours' })).toBeVisible()
  await shoot(page, 'notification-settings')
})

test('the library, a rating and the review of an import are photographed', async ({ openAs, club }) => {
  const { id, mia } = club
  const page = await openAs(mia)
  await page.goto(`/watchlists/${id}`)
  const tide = page.getByRole('article', { name: 'Low Tide' })
  await tide.getByRole('button', { name: 'Low Tide', expanded: false }).click()
  await tide.getByRole('button', { name: 'I have seen it' }).click()
  await tide
    .locator('label')
    .filter({ has: page.getByRole('radio', { name: '4.5 stars' }) })
    .click()
  await tide.getByLabel('Short note (optional)').fill('The sea steals every scene.')
  await shoot(page, 'rating', { from: tide.getByRole('region', { name: 'Who has seen Low Tide' }) })

  await page.goto(`/watchlists/${id}/library`)
  await expect(page.getByRole('list', { name: 'Movies' }).getByRole('button')).toHaveCount(FEED.length)
  await shoot(page, 'library')

  await page.goto(`/watchlists/${id}/import`)
  const rows = 'Name,Year,Rating\nStalker,1979,5\nRan,1985,4.5\nLow Tide,,4\nPlaytime,1967,\n'
  const file = { name: 'ratings.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) }
  await page.getByLabel('Choose a file').setInputFiles(file)
  await expect(page.getByRole('heading', { name: '4 movies in ratings.csv' })).toBeVisible()
  await expect(page.getByRole('checkbox').first()).toBeVisible()
  await shoot(page, 'import-review', { height: 1000 })
})

test('the members and the dialogs of the owner are photographed', async ({ openAs, club }) => {
  const { id, mia } = club
  const page = await openAs(mia)
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByRole('article')).toHaveCount(FEED.length)
  const details = page.getByRole('button', { name: 'Details' })
  if (await details.isVisible()) await details.click()

  await expect(page.getByRole('button', { name: / waiting$/u })).toBeVisible()
  await page.goto(`/watchlists/${id}/club`)
  await expect(page.getByRole('region', { name: 'Members' })).toBeVisible()
  await shoot(page, 'club')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await shoot(page, 'invite')
  await page.keyboard.press('Escape')
  for (const [member, action, name] of [
    ['Jonas', 'Remove Jonas', 'remove-member'],
    ['Ada', 'Make Ada the owner', 'hand-over'],
  ] as const) {
    await page.getByRole('button', { name: `Actions for ${member}` }).click()
    await page.getByRole('menuitem', { name: action }).click()
    await expect(page.getByRole('dialog').getByRole('heading')).toBeVisible()
    await shoot(page, name)
    await page.keyboard.press('Escape')
  }
  await page.goto(`/watchlists/${id}/settings`)
  await expect(page.getByRole('switch', { name: 'Private' })).toBeVisible()
  await shoot(page, 'watchlist-settings')
  await page.getByRole('button', { name: 'Delete watchlist' }).click()
  await expect(page.getByRole('dialog').getByRole('heading')).toBeVisible()
  await shoot(page, 'delete-watchlist')
})

test('a long history by a user with a long name is photographed', async ({ page, server, aPerson, club }) => {
  const name = `${aPerson('Ana').name.replace(' ', '')}-Wolfeschlegelsteinhausenbergerdorff`.padEnd(100, '-Ottilie')
  await registerAndSignIn(page, server, { ...aPerson('Ana'), name })
  const { watchlist, card } = await seedAs(page)
  const { id } = await watchlist('Friday film club')
  const title = 'Night Tram'
  await card(id, { title, image: club.posterOf(title), status: 'REVEALED', timesPutBack: 11 })
  await page.goto(`/watchlists/${id}`)
  await page.getByRole('button', { name: 'show the whole history' }).scrollIntoViewIfNeeded()
  await shoot(page, 'card-history')
  await page.getByRole('button', { name: 'show the whole history' }).click()
  await expect(page.getByRole('list', { name: 'All changes' }).getByRole('listitem')).toHaveCount(24)
  await shoot(page, 'card-history-open')
})

test('the statistics of a watchlist are photographed', async ({ openAs, club: { id, mia } }) => {
  const page = await openAs(mia)
  await page.goto(`/watchlists/${id}/statistics`)
  await expect(page.getByRole('heading', { name: 'The story so far' })).toBeVisible()
  await shoot(page, 'statistics', { height: 1100 })
  await page.getByRole('link', { name: /^Our \d+ in pictures$/u }).click()
  await expect(page.getByRole('dialog').getByRole('heading')).toBeVisible()
  await shoot(page, 'our-year')
})
