import { test as withCatalogue } from '../support/catalogue.ts'
import { expect } from '../support/journey.ts'
import { readMailPage } from '../support/mailbox.ts'
import { register, registerAndSignIn } from '../support/register.ts'
import { join, seedAs } from '../support/seed.ts'

import { test } from './film-club.ts'
import { shoot } from './shoot.ts'

const NIGHT_FILMS = ['Seven Lighthouses', 'Orbit, Slowly', 'Paper Lions']

test('a movie night is photographed, from its plan to its vote', async ({
  openAs,
  server,
  aPerson,
  club,
  page: mail,
}) => {
  const page = await openAs(club.mia)
  await page.goto('/watchlists')
  const asMia = await seedAs(page)
  const { id } = await asMia.watchlist('Rooftop cinema', 'Bring a blanket.')
  const lea = aPerson('Lea')
  const asLea = await register(server, lea)
  await join(id, asMia, asLea, lea.name)
  for (const title of NIGHT_FILMS) await asLea.card(id, { title, image: club.posterOf(title) })

  await page.goto(`/watchlists/${id}/night`)
  await page.getByRole('button', { name: 'Plan a night' }).click()
  await page.getByLabel('Date and time', { exact: true }).fill('2098-11-28T20:00')
  await page.getByRole('button', { name: 'Add another option' }).click()
  await page.getByLabel('Option 2', { exact: true }).fill('2098-11-29T20:30')
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByLabel('Place or link to a call').fill('On the roof')
  await page.getByRole('button', { name: 'Plan the night' }).click()
  await page.getByRole('group', { name: 'Your answer for Fri, Nov 28, 8:00 PM' }).getByText('In').click()
  await expect(page.getByText('In: Mia')).toBeVisible()
  await shoot(page, 'night-planned')
  const html = await readMailPage(server.dataDir, lea.email, 'Movie night: "Rooftop cinema"')
  await mail.setContent(html.replaceAll(lea.name, 'Lea').replaceAll(server.url, 'https://films.example.org'))
  await shoot(mail, 'mail-night', { height: 480 })

  await page.getByRole('button', { name: 'Confirm this time: Fri, Nov 28, 8:00 PM' }).click()
  await page.getByRole('button', { name: 'Start the night' }).click()
  await expect(page.getByText('1 person is here')).toBeVisible()
  await shoot(page, 'night-open', { height: 1000 })

  await page.getByRole('button', { name: 'Choose a movie' }).click()
  await page.getByRole('button', { name: 'Draw a shortlist' }).click()
  await expect(page.getByRole('button', { name: 'Love it' })).toBeVisible()
  await shoot(page, 'night-vote', { height: 1100, from: page.getByRole('heading', { name: 'Vote on the shortlist' }) })

  await page.goto(`/watchlists/${id}/draws`)
  await page.getByRole('main').getByRole('link').filter({ hasText: 'Paper Lions' }).first().click()
  await page.getByRole('button', { name: 'Check this draw' }).click()
  await expect(page.getByText('This draw checks out.')).toBeVisible()
  await shoot(page, 'draw-check', { height: 1000 })
})

test('the page of a join link is photographed', async ({ openAs, club, page: guest }) => {
  const page = await openAs(club.mia)
  await page.goto('/watchlists')
  const token = await (await seedAs(page)).joinLink(club.id)
  await guest.goto(`/join/${token}`)
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Mia invites you to Friday film club')
  await shoot(guest, 'join')
})

withCatalogue('a search for a new movie is photographed', async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Nele'))
  const { id } = await (await seedAs(page)).watchlist('Friday film club')
  await page.goto(`/watchlists/${id}`)
  await page.getByRole('button', { name: 'Add a movie' }).click()
  await page.getByRole('combobox', { name: 'Search for a movie, or paste a link' }).fill('the')
  await expect(page.getByRole('option').first()).toBeVisible()
  await shoot(page, 'add-movie-search', { from: page.getByRole('heading', { name: 'Movies' }) })
})
