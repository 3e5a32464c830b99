import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Page } from '@playwright/test'

import { addressOf, holdRequests, isCallOf } from '../support/api.ts'
import { A_BITMAP, A_DRAWING, A_FORGERY, A_SCAN } from '../support/files.ts'
import { expectError, expectNoError } from '../support/forms.ts'
import { expect, type Person, test } from '../support/journey.ts'
import { aPng } from '../support/png.ts'
import { registerAndSignIn } from '../support/register.ts'
import { POSTER_URL, seedAs } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
import { TRIES_ALL, WEEKLY } from '../support/variations.ts'

const MEGABYTE = 1024 * 1024
const cards = addressOf(ENDPOINTS.addCard)

/** Signs the user in and opens a new watchlist with an empty box. */
async function openWatchlist(page: Page, server: RunningServer, person: Person): Promise<void> {
  await registerAndSignIn(page, server, person)
  const { watchlist } = await seedAs(page)
  const { id } = await watchlist('Friday film club')
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByText('The box is empty')).toBeVisible()
}

function formOf(page: Page) {
  const form = page.getByRole('form', { name: 'Add a movie' })
  return {
    form,
    title: form.getByLabel('Title'),
    description: form.getByLabel('Description'),
    byFile: form.getByText('Upload a file'),
    url: form.getByRole('textbox', { name: 'Image URL' }),
    file: form.locator('input[type=file]'),
    revealImmediately: form.getByRole('checkbox', { name: 'Reveal immediately after adding' }),
    submit: form.getByRole('button', { name: 'Add to watchlist' }),
    cancel: form.getByRole('button', { name: 'Cancel' }),
  }
}

test(
  'the form asks for a title, then for an image, and rejects an invalid image URL',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    await openWatchlist(page, server, aPerson('Ana'))
    await page.getByRole('button', { name: 'Add a movie' }).click()
    const { title, description, url, submit } = formOf(page)
    await expect(title).toBeFocused()
    await expect(title).toHaveAttribute('name', 'title')
    await expect(description).toHaveAttribute('name', 'description')
    await expect(description).toHaveAttribute('rows', '8')

    await submit.click()
    await expectError(title, 'Movie title is required')
    await expectNoError(url)
    await title.fill('   ')
    await submit.click()
    await expectError(title, 'Movie title is required')

    await title.fill('Night Tram')
    await submit.click()
    await expectNoError(title)
    await expectError(url, 'An image is required')

    for (const typed of ['not an address', 'https://example.invalid/page', 'ftp://example.org/poster.jpg']) {
      await url.fill(typed)
      await submit.click()
      await expectError(url, 'Please enter a valid image URL')
    }
  },
)

test('a movie with an image URL goes into the box, and the form closes', WEEKLY, async ({ page, server, aPerson }) => {
  await openWatchlist(page, server, aPerson('Ana'))
  const { form, title, description, url, submit, cancel } = formOf(page)

  await page.getByRole('button', { name: 'Add movie', exact: true }).click()
  await title.fill('Given up')
  await cancel.click()
  await expect(form).toHaveCount(0)

  await page.getByRole('button', { name: 'Add a movie' }).click()
  await expect(title).toHaveValue('')
  await title.fill('  Night Tram ')
  await description.fill('  The last tram never arrives.  ')
  await url.fill('http://posters.example.org/tram.webp?width=600')
  const request = page.waitForRequest((sent) => isCallOf(sent, ENDPOINTS.addCard))
  const answer = await holdRequests(page, cards)
  await submit.click()
  await expect(submit).toBeDisabled()
  answer.release()

  await expect(form).toHaveCount(0)
  expect((await request).postDataJSON()).toEqual({
    title: 'Night Tram',
    description: 'The last tram never arrives.',
    image: 'http://posters.example.org/tram.webp?width=600',
    revealImmediately: false,
  })
  await expect(page.getByText('1 card', { exact: true })).toBeVisible()
  await expect(page.getByText('Night Tram is in the box')).toBeAttached()
  await expect(page.getByRole('article')).toHaveCount(0)

  await page.getByRole('button', { name: 'Add a movie' }).click()
  await expect(title).toHaveValue('')
  await expect(description).toHaveValue('')
  await expect(url).toHaveValue('')
})

test('a movie that is revealed at once appears on top of the feed with its uploaded poster', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await openWatchlist(page, server, ana)
  const { title, byFile, file, form, revealImmediately, submit } = formOf(page)
  await page.getByRole('button', { name: 'Add a movie' }).click()
  await expect(revealImmediately).not.toBeChecked()
  await expect(revealImmediately).toHaveAccessibleDescription(
    'Check this if you want the movie to be visible in the feed right away.',
  )

  await title.fill('Night Tram')
  await byFile.click()
  await submit.click()
  await expectError(file, 'An image is required')
  await file.setInputFiles({ name: 'tram.png', mimeType: 'image/png', buffer: aPng({ width: 400, height: 600 }) })
  await expect(form.getByRole('img', { name: 'Preview of the chosen image' })).toBeVisible()
  await expectNoError(file)
  await revealImmediately.check()
  await submit.click()

  const card = page.getByRole('article')
  await expect(card).toContainText('Night Tram')
  await expect(card).toContainText(`Added by ${ana.name}`)
  await expect(card).toContainText('No description provided')
  await expect(page.getByText('The box is empty')).toBeVisible()
  const poster = card.getByRole('img', { name: 'Poster of Night Tram' })
  await expect(poster).toHaveAttribute('src', new RegExp(`^${server.url}/images/[0-9a-f]{64}-640\\.webp$`, 'u'))
  await expect.poll(async () => await poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400)
})

test('an image format that the server does not read is converted in the browser', async ({ page, server, aPerson }) => {
  await openWatchlist(page, server, aPerson('Ana'))
  const { title, byFile, file, form, revealImmediately, submit } = formOf(page)
  const posters = TRIES_ALL ? { 'Day Tram': A_DRAWING, 'Night Tram': A_BITMAP } : { 'Day Tram': A_DRAWING }

  for (const [movie, poster] of Object.entries(posters)) {
    await page.getByRole('button', { name: 'Add a movie' }).click()
    await title.fill(movie)
    await byFile.click()
    await file.setInputFiles(poster)
    await expect(form.getByRole('img', { name: 'Preview of the chosen image' })).toBeVisible()
    await revealImmediately.check()
    const sent = page.waitForRequest((request) => isCallOf(request, ENDPOINTS.addCard))
    await submit.click()

    expect(ENDPOINTS.addCard.body.parse((await sent).postDataJSON()).image).toMatch(/^data:image\/webp;base64,/u)
    const image = page.getByRole('img', { name: `Poster of ${movie}` })
    await expect(image).toHaveAttribute('src', /\/images\/[0-9a-f]{64}-640\.webp$/u)
    await expect.poll(async () => await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(40)
  }
})

test(
  'the form rejects a large file and a text file, and the server rejects a forged image',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    await openWatchlist(page, server, aPerson('Ana'))
    const { title, byFile, file, form, submit } = formOf(page)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Add a movie' }).click()
    await title.fill('Night Tram')
    await byFile.click()

    await file.setInputFiles({ name: 'tram.txt', mimeType: 'text/plain', buffer: Buffer.from('A tram') })
    await expectError(file, 'Please select a valid image file (JPG, PNG, GIF).')
    await file.setInputFiles(A_SCAN)
    await expectError(file, 'This browser cannot read the picture. Choose a JPG, PNG, GIF or WebP file.')
    await file.setInputFiles({ name: 'tram.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * MEGABYTE + 1) })
    await expectError(file, 'File size must be less than 5MB.')
    await submit.click()
    await expectError(file, 'File size must be less than 5MB.')
    expect(sent).toEqual([])

    await file.setInputFiles(A_FORGERY)
    await submit.click()
    const refusal = form.getByRole('alert')
    await expect(refusal).toContainText('Failed to add the movie')
    await expect(refusal).toContainText('Please select a valid image file (JPG, PNG, GIF).')
    await expect(title).toHaveValue('Night Tram')
  },
)

test('a failure to add a movie is shown, and the form keeps its values', WEEKLY, async ({ page, server, aPerson }) => {
  await openWatchlist(page, server, aPerson('Ana'))
  const { form, title, url, submit } = formOf(page)
  await page.route(cards, async (route) => {
    await (route.request().method() === 'POST' ? route.fulfill({ status: 500 }) : route.fallback())
  })

  await page.getByRole('button', { name: 'Add a movie' }).click()
  await title.fill('Night Tram')
  await url.fill(POSTER_URL)
  await submit.click()
  await expect(form.getByRole('alert')).toContainText('Failed to add the movie')
  await expect(title).toHaveValue('Night Tram')

  await page.unroute(cards)
  await submit.click()
  await expect(page.getByText('1 card', { exact: true })).toBeVisible()
})
