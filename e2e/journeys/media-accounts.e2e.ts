import { ENDPOINTS } from '@marquee/contract/endpoints'

import { expectAccessible, tabTo } from '../support/accessibility.ts'
import { callApi } from '../support/api.ts'
import { expect } from '../support/journey.ts'
import { test } from '../support/media-server.ts'
import { idTokenOf } from '../support/seed.ts'
import { WEEKLY } from '../support/variations.ts'
import { cardOf, openLiveWatchlist, shareWatchlist } from '../support/watchlist.ts'

test(
  'a member links their Emby user by password after a wrong one, and their mark is sent there',
  WEEKLY,
  async ({ server, emby, openAs, aPerson }) => {
    const [ana, lea] = [aPerson('Ana'), aPerson('Lea')]
    const { id, asOwner } = await shareWatchlist(server, [ana, lea])
    await asOwner.card(id, { title: 'Alien', status: 'REVEALED', movie: { ids: { tmdb: '348' } } })
    const [anas, leas] = [await openAs(ana), await openAs(lea)]
    const body = { kind: 'emby', url: emby.url, token: emby.key } as const
    await callApi(server.url, await idTokenOf(anas), ENDPOINTS.connectMediaServer, {
      params: { watchlistId: id },
      body,
    })

    await leas.goto(`/watchlists/${id}/settings`)
    await tabTo(leas, leas.getByRole('button', { name: 'Link my user of Emby at home' }))
    await leas.keyboard.press('Enter')
    await leas.keyboard.type('Lea')
    await leas.locator('input[name="mediaPassword"]').fill('not her password')
    await leas.keyboard.press('Enter')
    await expect(leas.getByText('Your user could not be linked.')).toBeVisible()
    await expectAccessible(leas, 'the form of a user of Emby with a wrong password')
    await leas.locator('input[name="mediaPassword"]').fill('a secret of Lea')
    await leas.keyboard.press('Enter')
    await expect(leas.getByText('Linked with Lea: marks go both ways.')).toBeVisible()

    await openLiveWatchlist(leas, id, 1)
    await cardOf(leas, 'Alien').getByRole('button', { name: 'I have seen it' }).click()
    await cardOf(leas, 'Alien').getByRole('button', { name: 'Save' }).click()
    await expect.poll(emby.marks).toEqual(['Lea: Alien is seen'])
  },
)

test(
  'a member claims their Plex account, and the owner confirms it',
  WEEKLY,
  async ({ server, plex, openAs, aPerson }) => {
    const [ana, ida] = [aPerson('Ana'), aPerson('Ida')]
    const { id } = await shareWatchlist(server, [ana, ida])
    const [anas, idas] = [await openAs(ana), await openAs(ida)]
    const body = { kind: 'plex', url: plex.url, token: plex.key } as const
    await callApi(server.url, await idTokenOf(anas), ENDPOINTS.connectMediaServer, {
      params: { watchlistId: id },
      body,
    })
    const settings = `/watchlists/${id}/settings`

    await idas.goto(settings)
    await tabTo(idas, idas.getByRole('button', { name: 'Link my user of Plex at home' }))
    await idas.keyboard.press('Enter')
    await idas.locator('select[name="mediaAccount"]').selectOption('Ida')
    await expectAccessible(idas, 'the accounts of Plex')
    await idas.getByRole('button', { name: 'That is me' }).click()
    await expect(idas.locator('select[name="mediaAccount"]')).toHaveCount(0)

    await anas.goto(settings)
    const confirm = anas.getByRole('button', { name: `Confirm ${ida.name}` })
    await expect(confirm).toBeVisible()
    await expectAccessible(anas, 'an account of Plex that waits for the owner')
    await confirm.click()
    await expect(confirm).toHaveCount(0)
    await idas.reload()
    await expect(idas.getByText(/^Linked with Ida/u)).toBeVisible()
  },
)
