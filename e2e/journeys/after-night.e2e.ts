import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { openScreen } from '../support/screens.ts'
import { cardOf, openLiveWatchlist, openRow, shareWatchlist } from '../support/watchlist.ts'

test('a night records its viewers, and hides comments from a member who has not seen the movie', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  const card = await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  const bensCard = cardOf(bens, 'Night Tram')

  await test.step('the watchlist page shows that a night is open', async () => {
    await openLiveWatchlist(bens, id, 1)
    await anas.goto(`/watchlists/${id}/night`)
    await anas.getByRole('button', { name: 'Start now' }).click()
    await expect(bens.getByRole('link', { name: 'Join the night' })).toBeVisible()
    await expectAccessible(bens, 'a watchlist with an open night')
  })

  await test.step('an accepted movie is recorded for those who are there', async () => {
    await openScreen(anas, `/watchlists/${id}`)
    await cardOf(anas, 'Night Tram').getByRole('button', { name: 'Accept' }).click()
    await expect(bensCard.getByText(/^Movie night on /u)).toContainText(ana.name)
    await openScreen(bens, `/watchlists/${id}/night`)
    await expect(bens.getByRole('region', { name: 'Watched at movie nights' })).toContainText(ana.name)
    await expectAccessible(bens, 'the movies of nights')
  })

  await test.step('later comments are folded for a member who was not there, even if they arrive live', async () => {
    await asOwner.comment(id, card.id, 'The driver did it!')
    await openScreen(bens, `/watchlists/${id}`)
    await openRow(bens, 'Night Tram')
    await expect(bensCard.getByText('1 comment about a movie you have not seen')).toBeVisible()
    await asOwner.comment(id, card.id, 'And the dog knew.')
    await bensCard.getByRole('button', { name: '1 new comment' }).click()
    await expect(bensCard.getByText('2 comments about a movie you have not seen')).toBeVisible()
    await expect(bens.getByText('The driver did it!')).toHaveCount(0)
    await expectAccessible(bens, 'folded comments')
    await bensCard.getByRole('button', { name: 'Read anyway' }).click()
    await expect(bensCard.getByText('The driver did it!')).toBeVisible()
    await expect(cardOf(anas, 'Night Tram').getByText('And the dog knew.')).toBeVisible()
  })
})
