import { A_PICTURE } from '../support/files.ts'
import { expect, test } from '../support/journey.ts'
import { register, signInWithoutForm } from '../support/register.ts'
import { cardOf } from '../support/watchlist.ts'

test('the creator of a card whose poster cannot be copied uploads one instead', async ({
  page,
  startWith,
  aPerson,
}) => {
  const server = await startWith({ REMOTE_POSTERS: 'copy' })
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  // The server never fetches from its own machine.
  await asAna.card(id, { title: 'Night Tram', image: 'http://127.0.0.1/tram.jpg', status: 'REVEALED' })
  await signInWithoutForm(page, server, ana)
  await page.goto(`${server.url}/watchlists/${id}`)
  const card = cardOf(page, 'Night Tram')

  await expect(card.getByText('The poster could not be fetched from its address.')).toBeVisible()
  await expect(card.getByRole('img', { name: 'No poster could be shown for Night Tram' })).toBeVisible()
  await card.getByRole('button', { name: 'Upload an image' }).click()
  const form = card.getByRole('form', { name: 'Edit movie' })
  await form.locator('input[type=file]').setInputFiles(A_PICTURE)
  await form.getByRole('button', { name: 'Save' }).click()

  const poster = card.getByRole('img', { name: 'Poster of Night Tram' })
  await expect(poster).toHaveAttribute('src', /\/images\/[0-9a-f]{64}-640\.webp$/u)
  await expect.poll(async () => await poster.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(200)
  await expect(card.getByText('The poster could not be fetched from its address.')).toHaveCount(0)
})
