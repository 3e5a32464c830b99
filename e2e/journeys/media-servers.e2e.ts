import { ENDPOINTS } from '@marquee/contract/endpoints'

import { expectAccessible } from '../support/accessibility.ts'
import { addressOf } from '../support/api.ts'
import { expect } from '../support/journey.ts'
import { test } from '../support/media-server.ts'
import { registerAndSignIn } from '../support/register.ts'
import { openScreen } from '../support/screens.ts'
import { seedAs } from '../support/seed.ts'

/** Where members open the server. */
const PAGE = 'http://jellyfin.example.org'

test('a club connects a media server, opens and plays a movie on it, and disconnects it', async ({
  page,
  context,
  server,
  mediaServer,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const { id } = await (await seedAs(page)).watchlist('Friday film club')
  const settings = `/watchlists/${id}/settings`
  await context.route(`${PAGE}/**`, async (route) => {
    await route.fulfill({ contentType: 'text/html', body: '<!DOCTYPE html><title>Jellyfin</title>' })
  })

  await test.step('the owner sees what a media server is for, and connects one', async () => {
    await page.goto(settings)
    await expect(page.getByText('The cards then say which movies are on your server')).toBeVisible()
    await expectAccessible(page, 'the settings without a media server')
    await page.getByRole('button', { name: 'Connect a server' }).click()
    await expect(page.getByLabel('Address', { exact: true })).toBeFocused()
    await page.keyboard.type(mediaServer.url)
    await page.getByLabel('Key', { exact: true }).fill('not-the-key')
    await page.getByLabel('Address for browsers').fill(PAGE)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByLabel('Key', { exact: true })).toHaveAccessibleDescription(
      /^The server does not accept this key\./u,
    )
    await expectAccessible(page, 'the form of a media server with a fault', { weekly: true })
    await page.getByLabel('Key', { exact: true }).fill(mediaServer.key)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Jellyfin at home' })).toBeVisible()
    await expect(page.getByText(/^\d+ movies, read today at /u)).toBeVisible()
    await expectAccessible(page, 'the settings with a media server')
  })

  await test.step('a movie from the box is drawn, and its card shows which server has it', async () => {
    await openScreen(page, `/watchlists/${id}`)
    await page.getByRole('button', { name: 'Add a movie' }).click()
    const form = page.getByRole('form', { name: 'Add a movie' })
    await expect(form.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('alien')
    await expect(form.getByRole('option', { name: /^Alien/u }).first()).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(form.getByText('Alien is in the box')).toBeVisible()
    await page.getByRole('button', { name: 'Reveal random card' }).click()
    const alien = page.getByRole('article', { name: 'Alien' })
    await expect(alien.getByText('On Jellyfin at home')).toBeVisible()
    await expect(alien.getByRole('link', { name: 'Open in Jellyfin' })).toHaveCount(0)
    await expectAccessible(page, 'a card whose movie is on a server')
    await alien.getByRole('button', { name: 'Accept' }).click()
    await expect(alien.getByText('Alien was accepted')).toBeVisible()
  })

  await test.step('the details in the library open the movie on the server, in a new tab', async () => {
    await openScreen(page, `/watchlists/${id}/library`)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Can be watched tonight').selectOption('On your server')
    await page.getByRole('list', { name: 'Movies' }).getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('On Jellyfin at home')).toBeVisible()
    await expectAccessible(page, 'the details of a movie that is on a server', { weekly: true })
    const opened = context.waitForEvent('page')
    await dialog.getByRole('link', { name: 'Open in Jellyfin' }).click()
    const tab = await opened
    await expect(tab).toHaveTitle('Jellyfin')
    expect(tab.url()).toMatch(/^http:\/\/jellyfin\.example\.org\/.*[\da-f]{32}/u)
    await tab.close()
    await page.getByRole('button', { name: 'Close' }).first().click()
  })

  await test.step('the winner of a night plays on a device, from the phone and from the big screen', async () => {
    await openScreen(page, `/watchlists/${id}/night`)
    await page.getByRole('button', { name: 'Start now' }).click()
    await expect(page.getByText('1 person is here').first()).toBeVisible()
    await (await seedAs(page)).card(id, { title: 'An Unknown Film', movie: { ids: { tmdb: '1' } } })
    await page.getByRole('button', { name: 'Choose a movie' }).click()
    await page.getByRole('checkbox', { name: 'Only movies we can watch tonight' }).press('Space')
    await expect(page.getByText('How many match stays secret until you draw.')).toBeVisible()
    await expectAccessible(page, 'the draw of what can be watched', { weekly: true })
    await page.getByRole('button', { name: 'Draw a movie' }).click()
    await expect(page.getByText('No movie in the box can be watched tonight')).toBeVisible()
    await expectAccessible(page, 'a draw that found nothing')
    await (await seedAs(page)).card(id, { title: 'Pulp Fiction', movie: { ids: { tmdb: '680' } } })
    await page.getByRole('button', { name: 'Draw a movie' }).click()
    const film = page.getByRole('article', { name: 'Pulp Fiction' })
    await expect(film.getByText('On Jellyfin at home')).toBeVisible()
    await film.getByRole('button', { name: 'Accept' }).click()
    await expect(page.getByRole('link', { name: 'Open in Jellyfin' })).toBeVisible()
    await page.getByRole('button', { name: 'Play on…' }).click()
    await page.getByRole('button', { name: 'Television · Living room app' }).click()
    await expect(page.getByText('Pulp Fiction starts on Television.')).toBeVisible()
    await expectAccessible(page, 'a movie of the night that plays on a device')

    await page.goto(`/watchlists/${id}/night/screen`)
    await expect(page.getByText('On Jellyfin at home')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Play on…' })).toBeVisible()
    for (const focused of [
      page.getByRole('link', { name: 'Open in Jellyfin' }),
      page.getByRole('button', { name: 'Play on…' }),
    ]) {
      await page.keyboard.press('ArrowRight')
      await expect(focused).toBeFocused()
    }
    await page.keyboard.press('Enter')
    const device = page.getByRole('button', { name: 'Television · Living room app' })
    await expect(device).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(device).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Pulp Fiction starts on Television.')).toBeVisible()
    await expectAccessible(page, 'the big screen with the devices of a server')
  })

  await test.step('a disconnected server leaves no trace, even on open screens', async () => {
    const other = await context.newPage()
    await other.goto(`/watchlists/${id}/library`)
    await other.getByRole('list', { name: 'Movies' }).getByRole('button', { name: /Alien/u }).click()
    const link = other.getByRole('dialog').getByRole('link', { name: 'Open in Jellyfin' })
    await expect(link).toBeVisible()
    await openScreen(page, settings)
    await page.getByRole('button', { name: 'Disconnect Jellyfin at home' }).click()
    const dialog = page.getByRole('dialog')
    await expect(
      dialog.getByText('Its key, the list of its movies and the links to it are deleted here.'),
    ).toBeVisible()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByRole('button', { name: 'Connect a server' })).toBeVisible()
    await expect(link).toHaveCount(0)
    await other.close()
    await page.goto(`/watchlists/${id}/library`)
    const answer = page.waitForResponse(addressOf(ENDPOINTS.listAvailability))
    await page.getByRole('list', { name: 'Movies' }).getByRole('button', { name: /Alien/u }).click()
    expect(await (await answer).json()).toEqual({ cards: [] })
    await expect(page.getByRole('dialog').getByText('Added by')).toBeVisible()
    await expect(page.getByRole('dialog').getByText('On Jellyfin at home')).toHaveCount(0)
  })
})
