import { expectAccessible } from '../support/accessibility.ts'
import { expect } from '../support/journey.ts'
import { test } from '../support/media-server.ts'
import { registerAndSignIn } from '../support/register.ts'
import { openScreen } from '../support/screens.ts'
import { seedAs } from '../support/seed.ts'

test('a club connects Seerr, asks for a movie, and is notified when it has arrived', async ({
  page,
  server,
  seerr,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const seed = await seedAs(page)
  const { id } = await seed.watchlist('Friday film club')
  await seed.card(id, { title: 'Stalker', status: 'REVEALED', movie: { ids: { tmdb: '1398' } } })
  const settings = `/watchlists/${id}/settings`
  const card = page.getByRole('article', { name: 'Stalker' })

  await test.step('a card offers no request before Seerr is connected', async () => {
    await page.goto(`/watchlists/${id}`)
    await expect(card.getByText('Stalker').first()).toBeVisible()
    await expect(card.getByRole('button', { name: 'Ask for it: Stalker' })).toHaveCount(0)
  })

  await test.step('the owner sees what Seerr is for, and connects it', async () => {
    await openScreen(page, settings)
    await expect(page.getByText('Members then ask for movies that none of your servers has')).toBeVisible()
    await page.getByRole('button', { name: 'Connect Seerr' }).click()
    await expect(page.getByLabel('Address', { exact: true })).toBeFocused()
    await page.keyboard.type(seerr.url)
    await page.getByLabel('Key', { exact: true }).fill('not-the-key')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByLabel('Key', { exact: true })).toHaveAccessibleDescription(
      /^The server does not accept this key\./u,
    )
    await expectAccessible(page, 'the form of Seerr with a fault', { weekly: true })
    await page.getByLabel('Key', { exact: true }).fill(seerr.key)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Seerr' })).toBeVisible()
    await expect(page.getByText('All members may ask.')).toBeVisible()
    await expectAccessible(page, 'the settings with Seerr')
  })

  await test.step('a member asks for a movie on its card by keyboard', async () => {
    await openScreen(page, `/watchlists/${id}`)
    const ask = card.getByRole('button', { name: 'Ask for it: Stalker' })
    await ask.focus()
    await expectAccessible(page, 'a card whose movie can be asked for')
    await page.keyboard.press('Enter')
    await expect(card.getByText('On its way')).toBeVisible()
    await expect(ask).toHaveCount(0)
    await expectAccessible(page, 'a card whose movie is on its way', { weekly: true })
    await page.reload()
    await expect(card.getByText('On its way')).toBeVisible()
  })

  await test.step('the details in the library also show the request', async () => {
    await openScreen(page, `/watchlists/${id}/library`)
    await page.getByRole('list', { name: 'Movies' }).getByRole('button').click()
    await expect(page.getByRole('dialog').getByText('On its way')).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).first().click()
  })

  await test.step('the card and a notification show that the movie has arrived', async () => {
    await seerr.deliver()
    await openScreen(page, settings)
    await expect(page.getByText('Not here yet: 1')).toBeVisible()
    // A new key has the server asked again at once.
    await page.getByRole('button', { name: 'Change Seerr' }).click()
    await page.getByLabel('New key').fill(seerr.key)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Not here yet: 0')).toBeVisible()
    await openScreen(page, `/watchlists/${id}`)
    await expect(card.getByText('Here now')).toBeVisible()
    await openScreen(page, '/notifications')
    await expect(page.getByText('Stalker has arrived')).toBeVisible()
    await expectAccessible(page, 'the notification of a movie that has arrived', { weekly: true })
  })

  await test.step('a disconnected Seerr leaves no trace on the card', async () => {
    await openScreen(page, settings)
    await page.getByRole('button', { name: 'Disconnect Seerr' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Its key, and what was asked for, are deleted here.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByRole('button', { name: 'Connect Seerr' })).toBeVisible()
    await openScreen(page, `/watchlists/${id}`)
    await expect(card.getByText('Stalker').first()).toBeVisible()
    await expect(card.getByText('Here now')).toHaveCount(0)
  })
})
