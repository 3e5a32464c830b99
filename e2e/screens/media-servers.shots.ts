import { expect } from '../support/journey.ts'
import { test } from '../support/media-server.ts'
import { registerAndSignIn } from '../support/register.ts'
import { seedAs } from '../support/seed.ts'

import { shoot } from './shoot.ts'

test('a media server is photographed, from its connection to a movie that plays on it', async ({
  page,
  server,
  mediaServer,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Mia'))
  const asMia = await seedAs(page)
  const { id } = await asMia.watchlist('Rooftop cinema')

  await page.goto(`/watchlists/${id}/settings`)
  const section = page.getByRole('heading', { name: 'Media servers' })
  await shoot(page, 'media-none', { from: section })
  await page.getByRole('button', { name: 'Connect a server' }).click()
  await page.getByLabel('Address', { exact: true }).fill(mediaServer.url)
  await page.getByLabel('Key', { exact: true }).fill('not-the-key')
  await page.getByLabel('Address for browsers').fill('http://jellyfin.example.org')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(page.getByText('The server does not accept this key.')).toBeVisible()
  await shoot(page, 'media-fault', { height: 900, from: section })
  await page.getByLabel('Key', { exact: true }).fill(mediaServer.key)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^\d+ movies, read today at /u)).toBeVisible()
  await shoot(page, 'media-connected', { from: section })

  await page.getByRole('button', { name: 'Link my user of Jellyfin at home' }).click()
  const code = page.getByText(/^\d{6}$/u)
  await expect(code).toBeVisible()
  await shoot(page, 'media-code', { height: 1000, from: section })
  await mediaServer.enter((await code.textContent()) ?? '', 'Lea')
  await expect(page.getByText('Linked with Lea: marks go both ways.')).toBeVisible()
  await page.getByRole('button', { name: 'Make an address for reports of Jellyfin at home' }).click()
  const address = page.getByText('/api/media-reports/')
  await expect(address).toBeVisible()
  await shoot(page, 'media-linked', { height: 1000, from: section })
  await asMia.card(id, { title: 'Alien', status: 'REVEALED', movie: { ids: { tmdb: '348' } } })
  await mediaServer.play('Lea', 'Alien', (await address.textContent()) ?? '')
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByText('Marked by Jellyfin at home')).toBeVisible()
  await shoot(page, 'media-marked', { height: 1000, from: page.getByRole('heading', { name: 'Alien' }) })
  await page.goto(`/watchlists/${id}/settings`)
  await expect(page.getByText(/^Last report today at /u)).toBeVisible()
  await shoot(page, 'media-reported', { height: 1000, from: section })

  await asMia.card(id, { title: 'An Unknown Film', movie: { ids: { tmdb: '1' } } })
  await page.goto(`/watchlists/${id}/night`)
  await page.getByRole('button', { name: 'Start now' }).click()
  await page.getByRole('button', { name: 'Choose a movie' }).click()
  await page.getByRole('checkbox', { name: 'Only movies we can watch tonight' }).check()
  await shoot(page, 'media-draw')
  await page.getByRole('button', { name: 'Draw a movie' }).click()
  await expect(page.getByText('No movie in the box can be watched tonight')).toBeVisible()
  await shoot(page, 'media-draw-nothing', { height: 1000 })
  await page.goto(`/watchlists/${id}/draws/1`)
  await expect(page.getByText('No movie could be watched')).toBeVisible()
  await shoot(page, 'media-draw-receipt')

  await asMia.card(id, { title: 'Pulp Fiction', movie: { ids: { tmdb: '680' } } })
  await page.goto(`/watchlists/${id}/night`)
  await page.getByRole('button', { name: 'Choose a movie' }).click()
  await expect(page.getByRole('checkbox', { name: 'Only movies we can watch tonight' })).toBeChecked()
  await page.getByRole('button', { name: 'Draw a movie' }).click()
  const film = page.getByRole('article', { name: 'Pulp Fiction' })
  await expect(film.getByText('On Jellyfin at home')).toBeVisible()
  await shoot(page, 'media-drawn', { height: 1000 })
  await film.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('button', { name: 'Play on…' }).click()
  await page.getByRole('button', { name: 'Television · Living room app' }).click()
  await expect(page.getByText('Pulp Fiction starts on Television.')).toBeVisible()
  await shoot(page, 'media-plays', { height: 1000 })
})
