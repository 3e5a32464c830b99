import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { test } from '../support/catalogue.ts'
import { expect, type Person } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { POSTER_URL, seedAs } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
import { translator } from '../support/texts.ts'
import { WEEKLY } from '../support/variations.ts'
import { cardOf } from '../support/watchlist.ts'

async function openForm(page: Page, server: RunningServer, person: Person) {
  await registerAndSignIn(page, server, person)
  const { watchlist } = await seedAs(page)
  const { id } = await watchlist('Friday film club')
  await page.goto(`/watchlists/${id}`)
  await page.getByRole('button', { name: 'Add a movie' }).click()
  const form = page.getByRole('form', { name: 'Add a movie' })
  const search = form.getByRole('combobox', { name: 'Search for a movie, or paste a link' })
  await expect(search).toBeFocused()
  return {
    id,
    form,
    search,
    option: (name: RegExp) => form.getByRole('option', { name }),
    /** Types until the movie is found: on a machine that is many times slower than usual, the catalogue is too late. */
    find: async (typed: string, title: RegExp) => {
      await expect(async () => {
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.type(typed)
        const found = form.getByRole('option', { name: title }).first()
        await expect(found).toHaveAttribute('aria-selected', 'true', { timeout: 10_000 })
      }).toPass({ timeout: 60_000 })
    },
    shown: (title: string) => form.getByRole('heading', { name: title, exact: true }),
    addToBox: form.getByRole('button', { name: 'Add to the box' }),
    addAndShow: form.getByRole('button', { name: 'Add and show now' }),
    change: form.getByRole('button', { name: 'Change details' }),
    byHand: form.getByRole('button', { name: 'Add by hand' }),
    title: form.getByLabel('Title'),
    url: form.getByRole('textbox', { name: 'Image URL' }),
    reveal: form.getByRole('checkbox', { name: 'Reveal immediately after adding' }),
    submit: form.getByRole('button', { name: 'Add to watchlist' }),
  }
}

const FILMS = [
  ['alien', 'Alien'],
  ['pulp fiction', 'Pulp Fiction'],
  ['titanic', 'Titanic'],
] as const

test('three movies are added with three searches and three presses of Enter', async ({ page, server, aPerson }) => {
  const { search, find, form } = await openForm(page, server, aPerson('Ana'))
  let presses = 0
  for (const [typed, title] of FILMS) {
    await find(typed, new RegExp(`^${title}`, 'u'))
    await page.keyboard.press('Enter')
    presses += 1
    await expect(form.getByText(`${title} is in the box`)).toBeVisible()
    await expect(search).toBeFocused()
    await expect(search).toHaveValue('')
  }
  expect(presses).toBe(3)
  await expect(page.getByText('3 cards', { exact: true })).toBeVisible()
})

test('a movie is added by keyboard alone, with requests only to our own server', async ({ page, server, aPerson }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const { form, search, find, shown } = await openForm(page, server, aPerson('Ana'))

  await find('ali', /^Alien/u)
  await expect(shown('Alien')).toBeVisible()
  await expect(form.getByText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 card', { exact: true })).toBeVisible()

  await test.step('a movie added by mistake is taken out again', async () => {
    await form.getByRole('button', { name: 'Undo' }).click()
    await expect(form.getByText('Alien was taken out of the box')).toBeVisible()
    await expect(page.getByText('The box is empty')).toBeVisible()
    await search.fill('alien')
    await expect(shown('Alien')).toBeVisible()
    await search.press('Enter')
    await expect(page.getByText('1 card', { exact: true })).toBeVisible()
  })

  await test.step('a movie that is already in the box is wanted instead of added', async () => {
    await search.fill('alien')
    await expect(form.getByText('This is already in the box')).toBeVisible()
    await expectAccessible(page, 'a movie that is in the box')
    await expect(form.getByRole('button', { name: 'Add anyway' })).toBeVisible()
    await search.press('Enter')
    await expect(form.getByText('You want Alien too. It is among your suggestions.')).toBeVisible()
    await expect(page.getByText('1 card', { exact: true })).toBeVisible()
  })

  await page.getByRole('button', { name: 'Reveal random card' }).click()
  const card = cardOf(page, 'Alien')
  await expect(card).toContainText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')
  await expect(card.getByRole('link', { name: 'IMDb' })).toHaveAttribute(
    'href',
    'https://www.imdb.com/title/tt0078748/',
  )
  const poster = card.getByRole('img', { name: 'Poster of Alien' })
  await expect
    .poll(async () => await poster.evaluate((shownPoster: HTMLImageElement) => shownPoster.naturalWidth))
    .toBeGreaterThan(0)
  await expectAccessible(page, 'a card with facts')

  await search.fill('ali')
  await page.getByRole('link', { name: /^In the feed, revealed in \w+$/u }).click()
  await expect(card).toBeFocused()
  expect([...hosts]).toEqual([new URL(server.url).host])
})

test('search results are accessible, and a pasted or shared link shows its movie', async ({
  page,
  server,
  aPerson,
}) => {
  const { search, option, shown, change, title, url, addAndShow } = await openForm(page, server, aPerson('Ana'))

  await search.fill('blade')
  await expect(option(/^Blade Runner 2049/u)).toBeVisible()
  await expectAccessible(page, 'the results of a search')
  await search.fill('https://letterboxd.com/film/blade-runner/')
  await expect(shown('Blade Runner')).toBeVisible()
  await expectAccessible(page, 'a movie that a link shows')
  await page.reload()
  await expect(shown('Blade Runner')).toBeVisible()
  await change.click()
  await expect(title).toHaveValue('Blade Runner')
  await expect(url).toHaveValue(new RegExp(`^${server.url}/images/[0-9a-f]{64}-\\d+\\.webp$`, 'u'))
  await expectAccessible(page, 'the details of a movie that was found')

  await page.goto('/share?title=Heat&text=https%3A%2F%2Fwww.imdb.com%2Ftitle%2Ftt0078748%2F')
  await expect(shown('Alien')).toBeVisible()
  await addAndShow.click()
  await expect(cardOf(page, 'Alien')).toBeInViewport()
  await expect(search).toHaveCount(0)
})

test('the form for a new movie is a sheet on a phone, and its button stays visible', async ({
  page,
  server,
  aPerson,
}) => {
  await page.setViewportSize({ width: 390, height: 500 })
  const { form, search, shown, addToBox, change, submit } = await openForm(page, server, aPerson('Ana'))
  await search.fill('the')
  await expect(addToBox).toBeInViewport({ ratio: 1 })
  await search.fill('alien')
  await expect(shown('Alien')).toBeInViewport({ ratio: 1 })
  await expect(addToBox).toBeInViewport({ ratio: 1 })
  await expectAccessible(page, 'the sheet for a new movie')
  await addToBox.click()
  await expect(form.getByText('Alien is in the box')).toBeVisible()

  await search.fill('titanic')
  await expect(shown('Titanic')).toBeVisible()
  await change.click()
  await expect(form.getByLabel('Title')).toBeInViewport()
  await expect(submit).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  await expect(page.getByText('1 card', { exact: true })).toBeVisible()
})

test.describe('a British browser', () => {
  test.use({ locale: 'en-GB' })

  test(
    'dates are British, and movies are found in the language that the user chooses',
    WEEKLY,
    async ({ page, server, aPerson }) => {
      const german = translator('de')
      const { id } = await openForm(page, server, aPerson('Ana'))
      const about = page.getByRole('region', { name: 'About this watchlist' })
      await expect(about.getByText(/^\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d{2}:\d{2}$/u)).toBeVisible()

      await page.goto('/profile/edit')
      await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
      await expect(page.locator('html')).toHaveAttribute('lang', 'de')
      await page.goto(`/watchlists/${id}`)
      await page.getByRole('button', { name: german('moviecard:feed.add'), exact: true }).click()
      await page.getByRole('combobox', { name: german('moviecard-parts:search.label') }).fill('the godfather')

      await expect(page.getByRole('option', { name: /^Der Pate/u }).first()).toBeVisible()
    },
  )
})

// The last one: the server of the worker leaves the catalogue alone for a while after it.
test('a movie can be added while the catalogue has problems', async ({ page, server, aPerson, catalogue }) => {
  const { search, option, title, url, reveal, submit } = await openForm(page, server, aPerson('Ana'))
  const sentence = page.getByText('The movie catalogue cannot be reached right now. You can add the movie by hand.')

  await catalogue.fail('limited')
  await search.fill('metropolis')
  await expect(sentence).toBeVisible()
  await expect(option(/metropolis/u)).toHaveText('Add “metropolis” by hand')
  await search.press('Enter')
  await expect(title).toHaveValue('metropolis')
  await title.fill('Night Tram')
  await url.fill(POSTER_URL)
  await reveal.check()
  await submit.click()
  await expect(cardOf(page, 'Night Tram')).toBeVisible()

  await test.step('a movie is added by hand while the catalogue is slow', async () => {
    await catalogue.fail('slow')
    await page.getByRole('button', { name: 'Add a movie' }).click()
    await page.getByRole('button', { name: 'Add by hand' }).click()
    await title.fill('Low Tide')
    await url.fill(POSTER_URL)
    await submit.click()
    await expect(page.getByText('1 card', { exact: true })).toBeVisible()
  })
})
