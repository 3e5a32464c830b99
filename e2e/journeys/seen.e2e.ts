import { expectAccessible, tabTo } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { cardOf, openLiveWatchlist, openRow, shareWatchlist } from '../support/watchlist.ts'

test('a member rates a movie by keyboard, and another sees the rating after giving one', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  await asOwner.card(id, { title: 'Night Tram', status: 'WATCHED' })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  await openLiveWatchlist(anas, id, 1)
  await openLiveWatchlist(bens, id, 1)
  for (const page of [anas, bens]) await openRow(page, 'Night Tram')
  const [anasCard, bensCard] = [cardOf(anas, 'Night Tram'), cardOf(bens, 'Night Tram')]

  await test.step('the first member rates the movie', async () => {
    await tabTo(anas, anasCard.getByRole('button', { name: 'I have seen it' }))
    await anas.keyboard.press('Enter')
    await expect(anasCard.getByRole('radio', { name: 'No rating' })).toBeChecked()
    await tabTo(anas, anasCard.getByRole('radio', { name: 'No rating' }))
    for (const _ of '1234567') await anas.keyboard.press('ArrowRight')
    await expect(anasCard.getByRole('radio', { name: '3.5 stars' })).toBeChecked()
    await expectAccessible(anas, 'the form of a rating')
    await anasCard.getByLabel('Short note (optional)').fill('The last stop!')
    await anas.keyboard.press('Enter')
    await expect(anasCard.getByText('Average 3.5 (1 rating)')).toBeVisible()
    await expect(anasCard.getByRole('button', { name: 'Ratings' })).toBeFocused()
  })

  await test.step('the other member sees who has seen it, and the rating once they have given one', async () => {
    await expect(bensCard.getByText(`Seen by ${ana.name}`)).toBeVisible()
    await expect(bensCard.getByText('Average')).toHaveCount(0)
    await bensCard.getByRole('button', { name: 'I have seen it' }).click()
    const best = bens.getByRole('radio', { name: '5 stars', exact: true })
    await bensCard.locator('label').filter({ has: best }).click()
    await bensCard.getByRole('button', { name: 'Save' }).click()
    await expect(bensCard.getByText('Average 4.3 (2 ratings)')).toBeVisible()
    await expect(anasCard.getByText('Average 4.3 (2 ratings)')).toBeVisible()
    await bensCard.getByRole('button', { name: 'Ratings' }).click()
    await expect(bensCard.getByRole('list', { name: 'Ratings of others' })).toContainText('The last stop!')
    await expectAccessible(bens, 'the ratings of a movie')
  })
})
