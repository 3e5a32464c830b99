import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { test } from '../support/catalogue.ts'
import { expect, type Person } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { POSTER_URL, seedAs } from '../support/seed.ts'
import type { RunningServer } from '../support/server.ts'
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
    form,
    search,
    option: (name: RegExp) => form.getByRole('option', { name }),
    title: form.getByLabel('Title'),
    url: form.getByRole('textbox', { name: 'Image URL' }),
    reveal: form.getByRole('checkbox', { name: 'Reveal immediately after adding' }),
    submit: form.getByRole('button', { name: 'Add to watchlist' }),
  }
}

test('a movie is added with the keyboard alone, and only our server is asked', async ({ page, server, aPerson }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const { search, option, submit } = await openForm(page, server, aPerson('Ana'))

  await page.keyboard.type('ali')
  await expect(option(/^Alien/u).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(submit).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 card', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Reveal random card' }).click()
  const card = cardOf(page, 'Alien')
  await expect(card).toContainText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')
  await expect(card.getByRole('link', { name: 'IMDb' })).toHaveAttribute(
    'href',
    'https://www.imdb.com/title/tt0078748/',
  )
  const poster = card.getByRole('img', { name: 'Poster of Alien' })
  await expect
    .poll(async () => await poster.evaluate((shown: HTMLImageElement) => shown.naturalWidth))
    .toBeGreaterThan(0)
  await expectAccessible(page, 'a card with facts')

  await page.getByRole('button', { name: 'Add a movie' }).click()
  await search.fill('ali')
  await option(/^Alien/u)
    .first()
    .click()
  await page.getByRole('link', { name: /^In the feed, revealed in \w+$/u }).click()
  await expect(card).toBeFocused()
  expect([...hosts]).toEqual([new URL(server.url).host])
})

test('results are for everyone, and a pasted or shared link fills in the form', async ({ page, server, aPerson }) => {
  const { search, option, title, url } = await openForm(page, server, aPerson('Ana'))

  await search.fill('blade')
  await expect(option(/^Blade Runner 2049/u)).toBeVisible()
  await expectAccessible(page, 'the results of a search')
  await search.fill('https://letterboxd.com/film/blade-runner/')
  await expect(title).toHaveValue('Blade Runner')
  await expect(url).toHaveValue(new RegExp(`^${server.url}/images/[0-9a-f]{64}-\\d+\\.webp$`, 'u'))
  await expectAccessible(page, 'a form that a link filled in')

  await page.goto('/share?title=Heat&text=https%3A%2F%2Fwww.imdb.com%2Ftitle%2Ftt0078748%2F')
  await expect(title).toHaveValue('Alien')
})

test('a source in trouble does not keep anyone from adding a movie', async ({ page, server, aPerson, catalogue }) => {
  const { search, option, title, url, reveal, submit } = await openForm(page, server, aPerson('Ana'))
  const sentence = page.getByText('The movie catalogue cannot be reached right now. You can add the movie by hand.')

  for (const [trouble, typed] of [
    ['down', 'brazil'],
    ['nonsense', 'playtime'],
    ['html', 'stalker'],
    ['limited', 'metropolis'],
  ] as const) {
    await catalogue.fail(trouble)
    await search.fill(typed)
    await expect(sentence).toBeVisible()
    await expect(option(new RegExp(typed, 'u'))).toHaveText(`Add “${typed}” by hand`)
  }

  await catalogue.fail('slow')
  await search.fill('Night Tram')
  await title.fill('Night Tram')
  await url.fill(POSTER_URL)
  await reveal.check()
  await expect(sentence).toBeVisible()
  await submit.click()
  await expect(cardOf(page, 'Night Tram')).toBeVisible()
})
