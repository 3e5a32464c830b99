import { ENDPOINTS } from '@marquee/contract/endpoints'

import { expectAccessible } from '../support/accessibility.ts'
import { addressOf, answerTo, holdRequests } from '../support/api.ts'
import { test } from '../support/catalogue.ts'
import { expect } from '../support/journey.ts'
import { watchShifts } from '../support/layout.ts'
import { registerAndSignIn } from '../support/register.ts'
import { openScreen } from '../support/screens.ts'
import { seedAs } from '../support/seed.ts'

test('a club chooses a country and Ana her services, and the cards show where a movie can be watched', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const seeder = await seedAs(page)
  const { id } = await seeder.watchlist('Friday film club')
  await seeder.card(id, { title: 'Aliens', status: 'REVEALED', movie: { ids: { tmdb: '679' } } })
  await seeder.card(id, { title: 'Alien', status: 'REVEALED', movie: { ids: { tmdb: '348' } } })
  const alien = page.getByRole('article', { name: 'Alien', exact: true })
  const streaming = alien.getByText('Streaming on Mubi, Netflix')

  await test.step('the country is chosen in the settings', async () => {
    await page.goto(`/watchlists/${id}/settings`)
    await page.getByLabel('Country').selectOption('Germany')
    await expect(page.getByText('JustWatch tells us where movies can be watched.')).toBeVisible()
    await expectAccessible(page, 'the settings with a country', { weekly: true })
    await page.getByRole('link', { name: 'Choose your services in your profile.' }).click()
  })

  await test.step('the services are chosen in the profile and survive a reload', async () => {
    const services = page.getByRole('list', { name: 'Your streaming services' }).getByRole('button')
    await expect(services).toHaveText(['Netflix', 'Apple TV', 'Mubi', 'Amazon Video', 'Pluto TV'])
    const saved = answerTo(page, ENDPOINTS.chooseServices)
    await services.filter({ hasText: 'Mubi' }).click()
    await saved
    await page.reload()
    await expect(services.filter({ hasText: 'Mubi' })).toHaveAttribute('aria-pressed', 'true')
    await expectAccessible(page, 'the profile with services')
  })

  await test.step('the availability of a card appears after the page without moving anything', async () => {
    const held = await holdRequests(page, addressOf(ENDPOINTS.listAvailability))
    const asked = page.waitForRequest(addressOf(ENDPOINTS.listAvailability))
    await page.goto(`/watchlists/${id}`)
    await asked
    await expect(alien.getByRole('button', { name: 'I have seen it' })).toBeVisible()
    await expect(page.getByText('The box is empty')).toBeVisible()
    const shifts = await watchShifts(page)
    held.release()
    await expect(streaming).toBeVisible()
    await expect(alien.getByRole('link', { name: 'JustWatch' })).toHaveAttribute(
      'href',
      'https://www.themoviedb.org/movie/348/watch?locale=DE',
    )
    const aliens = page.getByRole('article', { name: 'Aliens', exact: true })
    await expect(aliens.getByText('To rent or buy: Apple TV, Amazon Video')).toBeVisible()
    expect(await shifts()).toEqual([])
    await page.unrouteAll()
    await expectAccessible(page, 'cards that say where they can be watched')
  })

  await test.step('the library finds movies that can be watched', async () => {
    await openScreen(page, `/watchlists/${id}/library`)
    const movies = page.getByRole('list', { name: 'Movies' }).getByRole('button')
    await expect(movies).toHaveCount(2)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Can be watched tonight').selectOption('On your services')
    await expect(movies).toHaveCount(1)
    await movies.click()
    await expect(page.getByRole('dialog').getByText('Streaming on Mubi, Netflix')).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).first().click()
  })

  await test.step('the page of a movie night and the big screen show who has the movie', async () => {
    await openScreen(page, `/watchlists/${id}/night`)
    await page.getByRole('button', { name: 'Start now' }).click()
    await expect(page.getByText('1 person is here').first()).toBeVisible()
    await seeder.card(id, { title: 'Alien again', status: 'REVEALED', movie: { ids: { tmdb: '348' } } })
    const film = page.getByRole('article', { name: 'Alien again' })
    await expect(film.getByText(`${ana.name} (Mubi) has it`)).toBeVisible()
    await expectAccessible(page, 'a movie of the night that a member has', { weekly: true })
    await openScreen(page, `/watchlists/${id}/night/screen`)
    await expect(page.getByText(`${ana.name} (Mubi) has it`)).toBeVisible()
  })
})
