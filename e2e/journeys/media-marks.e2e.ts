import { ENDPOINTS } from '@marquee/contract/endpoints'

import { expectAccessible, tabTo } from '../support/accessibility.ts'
import { callApi } from '../support/api.ts'
import { expect } from '../support/journey.ts'
import { test } from '../support/media-server.ts'
import { openScreen } from '../support/screens.ts'
import { idTokenOf } from '../support/seed.ts'
import { cardOf, shareWatchlist } from '../support/watchlist.ts'

test('a film that one member plays and another marks is seen by both, here and on the media server', async ({
  server,
  mediaServer,
  openAs,
  aPerson,
}) => {
  const [ana, lea, ida] = [aPerson('Ana'), aPerson('Lea'), aPerson('Ida')]
  const { id, asOwner } = await shareWatchlist(server, [ana, lea, ida])
  await asOwner.card(id, { title: 'Alien', status: 'REVEALED', movie: { ids: { tmdb: '348' } } })
  const [anas, leas, idas] = [await openAs(ana), await openAs(lea), await openAs(ida)]
  await callApi(server.url, await idTokenOf(anas), ENDPOINTS.connectMediaServer, {
    params: { watchlistId: id },
    body: { kind: 'jellyfin', url: mediaServer.url, token: mediaServer.key },
  })
  const settings = `/watchlists/${id}/settings`

  await test.step('a member links their user by keyboard, with a code that they enter on the media server', async () => {
    await leas.goto(settings)
    await expect(leas.getByText('Link your user, and movies that you watch there')).toBeVisible()
    await expectAccessible(leas, 'a media server without a linked user', { weekly: true })
    await tabTo(leas, leas.getByRole('button', { name: 'Link my user of Jellyfin at home' }))
    await leas.keyboard.press('Enter')
    const code = leas.getByText(/^\d{6}$/u)
    await expect(code).toBeVisible()
    await expectAccessible(leas, 'the code of Quick Connect')
    await leas.keyboard.press('Tab')
    await expect(leas.getByRole('button', { name: 'New code' })).toBeFocused()
    const first = (await code.textContent()) ?? ''
    await leas.keyboard.press('Enter')
    await expect(code).not.toHaveText(first)
    await mediaServer.enter((await code.textContent()) ?? '', 'Lea')
    await expect(leas.getByText('Linked with Lea: marks go both ways.')).toBeVisible()
    await leas.keyboard.press('Tab')
    await expect(leas.getByRole('button', { name: 'Unlink from Jellyfin at home' })).toBeFocused()
    await expectAccessible(leas, 'a media server with a linked user', { weekly: true })
  })

  await test.step('another member links their user', async () => {
    await idas.goto(settings)
    await idas.getByRole('button', { name: 'Link my user of Jellyfin at home' }).click()
    await mediaServer.enter((await idas.getByText(/^\d{6}$/u).textContent()) ?? '', 'Ida')
    await expect(idas.getByText('Linked with Ida: marks go both ways.')).toBeVisible()
  })

  const address = await test.step('the owner creates an address for reports, which is shown once', async () => {
    await anas.goto(settings)
    await anas.getByRole('button', { name: 'Make an address for reports of Jellyfin at home' }).click()
    const shown = anas.getByText('/api/media-reports/')
    await expect(shown).toBeVisible()
    await expect(anas.getByText('The server has not reported anything yet.')).toBeVisible()
    await expectAccessible(anas, 'the address for reports')
    const url = (await shown.textContent()) ?? ''
    await anas.reload()
    await expect(anas.getByText('The server has not reported anything yet.')).toBeVisible()
    await expect(shown).toHaveCount(0)
    return url
  })

  for (const page of [anas, leas, idas]) await openScreen(page, `/watchlists/${id}`)
  const [anasCard, leasCard, idasCard] = [cardOf(anas, 'Alien'), cardOf(leas, 'Alien'), cardOf(idas, 'Alien')]

  await test.step('a film played to its end is marked as seen, and its card names the media server', async () => {
    await mediaServer.play('Lea', 'Alien', address)
    await expect(leasCard.getByText('Marked by Jellyfin at home')).toBeVisible()
    await expectAccessible(leas, 'a card that a media server has marked')
    await expect(anasCard.getByText(`Seen by ${lea.name}`)).toBeVisible()
    await expect(anasCard.getByText('Marked by')).toHaveCount(0)
  })

  await test.step('a film that a member marks is also marked for their user on the media server', async () => {
    await idasCard.getByRole('button', { name: 'I have seen it' }).click()
    await idasCard.getByRole('button', { name: 'Save' }).click()
    await expect(anasCard.getByText('Seen by')).toContainText(ida.name)
    await expect(anasCard.getByText('Seen by')).toContainText(lea.name)
    await expect.poll(mediaServer.marks).toEqual(['Ida: Alien is seen'])
  })

  await test.step('an undone mark is removed here and on the media server', async () => {
    await tabTo(leas, leasCard.getByRole('button', { name: 'Undo' }))
    await leas.keyboard.press('Enter')
    await expect(leasCard.getByText('Marked by')).toHaveCount(0)
    await expect(leasCard.getByRole('button', { name: 'I have seen it' })).toBeFocused()
    await expect(anasCard.getByText('Seen by')).toHaveText(`Seen by ${ida.name}`)
    await expect.poll(mediaServer.marks).toEqual(['Ida: Alien is seen', 'Lea: Alien is not seen'])
  })

  await test.step('the owner sees how many reports arrived, and a member unlinks their user', async () => {
    await openScreen(anas, settings)
    await expect(anas.getByText(/^Last report today at .*\. Marked: 1\./u)).toBeVisible()
    await openScreen(leas, settings)
    await leas.getByRole('button', { name: 'Unlink from Jellyfin at home' }).click()
    await expect(leas.getByRole('button', { name: 'Link my user of Jellyfin at home' })).toBeVisible()
  })
})
