import { expectAccessible } from '../support/accessibility.ts'
import { expect, IN_MOTION, test } from '../support/journey.ts'
import { vote } from '../support/night.ts'
import { WEEKLY } from '../support/variations.ts'
import { shareWatchlist } from '../support/watchlist.ts'

test.use({ needsWindows: true, ...IN_MOTION })

test('a big screen follows the night, and can be used with the keys of a remote control', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  for (const title of ['Alphaville', 'Breathless', 'Night Tram']) await asOwner.card(id, { title })
  const [laptop, phone] = [await openAs(ana), await openAs(ben)]
  await laptop.setViewportSize({ width: 1280, height: 720 })
  await laptop.goto(`/watchlists/${id}/night`)
  await laptop.getByRole('button', { name: 'Start now' }).click()
  await laptop.getByRole('button', { name: 'Options' }).click()
  await laptop.getByRole('link', { name: 'Show on this device' }).click()
  await expect(laptop.getByRole('listitem').filter({ hasText: ana.name })).toBeVisible()
  await phone.goto(`/watchlists/${id}/night`)
  await phone.getByRole('button', { name: 'I’m here' }).click()
  await expect(laptop.getByRole('listitem').filter({ hasText: ben.name })).toBeVisible()
  await expectAccessible(laptop, 'the big screen while people arrive')

  await test.step('the arrow keys and Enter draw a shortlist', async () => {
    await laptop.keyboard.press('ArrowRight')
    await laptop.keyboard.press('ArrowRight')
    await expect(laptop.getByRole('button', { name: 'Shortlist of 3' })).toBeFocused()
    await expect(laptop).toHaveTitle('Movie night · Friday film club · Marquee')
    await laptop.keyboard.press('Enter')
    await expect(laptop.getByRole('status')).toHaveText('0 of 2 voted')
    await expect(laptop.getByRole('main').getByText('Breathless', { exact: true })).toBeVisible()
    await vote(phone, { loves: 'Alphaville' })
    await expect(laptop.getByRole('status')).toHaveText('1 of 2 voted')
    await expectAccessible(laptop, 'the big screen during a vote')
  })

  await test.step('the winner is shown and accepted', async () => {
    await phone.getByRole('button', { name: 'End voting' }).click()
    await phone.getByRole('dialog').getByRole('button', { name: 'End voting' }).click()
    await expect(laptop.getByRole('status')).toHaveText('The winner: Alphaville')
    await laptop.getByRole('button', { name: 'Accept' }).click()
    await expect(laptop.getByRole('status')).toHaveText('Tonight’s movie: Alphaville')
    await laptop.keyboard.press('Escape')
    await expect(laptop.getByRole('heading', { name: 'Movie night is on' })).toBeVisible()
  })
})

test(
  'a television without an account shows the night after pairing by code',
  WEEKLY,
  async ({ server, page: tv, openAs, aPerson }) => {
    const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
    const { id, asOwner } = await shareWatchlist(server, [ana, ben])
    await asOwner.card(id, { title: 'Night Tram' })
    const phone = await openAs(ana)
    await tv.setViewportSize({ width: 1920, height: 1080 })
    await tv.goto('/tv')
    const code = tv.getByRole('status')
    await expect(code).toHaveText(/^[A-Z2-9]{6}$/u)
    await expect(tv).toHaveTitle('Connect this screen · Marquee')
    await expectAccessible(tv, 'a television with its code')
    await phone.goto(`/watchlists/${id}/night`)
    await phone.getByRole('button', { name: 'Start now' }).click()

    await test.step('a wrong code is rejected, and the right one shows the night', async () => {
      await phone.getByRole('button', { name: 'Options' }).click()
      await phone.getByRole('button', { name: 'Show on a TV' }).click()
      await phone.getByLabel('Code on the TV').fill('222222')
      await phone.getByRole('button', { name: 'Connect' }).click()
      await expect(phone.getByText('No screen shows this code')).toBeVisible()
      await phone.getByLabel('Code on the TV').fill(await code.innerText())
      await expectAccessible(phone, 'the code of a television')
      await phone.getByRole('button', { name: 'Connect' }).click()
      await expect(tv.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
      await expect(tv.getByText(ana.name)).toBeVisible()
      await expect(tv).toHaveTitle('Movie night · Friday film club · Marquee')
      const disconnect = tv.getByRole('button', { name: 'Disconnect' })
      await expect(disconnect).toBeHidden()
      await tv.keyboard.press('ArrowRight')
      await expect(disconnect).toBeVisible()
    })

    await test.step('the television shows a draw, even after a reload', async () => {
      await phone.getByRole('button', { name: 'Choose a movie' }).click()
      await phone.getByRole('button', { name: 'Draw a movie' }).click()
      await expect(tv.getByRole('heading', { name: 'Night Tram' })).toBeVisible()
      await expectAccessible(tv, 'a television with a drawn movie')
      await tv.reload()
      await expect(tv.getByRole('heading', { name: 'Night Tram' })).toBeVisible()
    })

    await test.step('a member disconnects the television, which shows a code again', async () => {
      await phone.getByRole('button', { name: 'Disconnect', exact: true }).click()
      await expect(code).toHaveText(/^[A-Z2-9]{6}$/u)
    })
  },
)
