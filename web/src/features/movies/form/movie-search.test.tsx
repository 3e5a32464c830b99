import type { CatalogueMovie, CatalogueResult } from '@marquee/contract/entities/catalogue'
import type { Card } from '@marquee/contract/entities/card'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, ALIEN } from '#web/testing/samples.ts'

import { AddMovieForm } from './card-forms.tsx'

tidyUp()

const before = features()
beforeEach(() => setFeatures({ ...before, catalogue: 'wikidata' }))
afterEach(() => setFeatures(before))

const aResult = (title: string, changes: Partial<CatalogueResult> = {}): CatalogueResult => ({
  source: 'wikidata',
  id: 'Q103569',
  title,
  originalTitle: title,
  year: 1979,
  directors: ['Ridley Scott'],
  posterUrl: null,
  ...changes,
})

const FOUND: CatalogueMovie = {
  title: 'Alien',
  description: 'A crew meets a stranger.',
  posterUrl: 'http://localhost:3000/images/alien-640.webp',
  movie: ALIEN,
}

const DOWN = () => new Refusal(503, 'SERVICE_UNAVAILABLE', 'Try again later')

async function openForm(answers: FakeAnswers, props: Partial<Parameters<typeof AddMovieForm>[0]> = {}) {
  const api = fakeApi({
    addCard: () => aCard('c1', 'SUGGESTED', { title: 'Alien' }),
    matchMovie: () => ({ inFeed: null, isInBox: false }),
    ...answers,
  })
  const added: Card[] = []
  const close = vi.fn<() => void>()
  await renderPart(<AddMovieForm watchlistId="w1" onAdded={(card) => added.push(card)} onClose={close} {...props} />)
  return { api, added, close }
}

const LINK = 'https://www.imdb.com/title/tt0078748/'
const BOTH = { results: [aResult('Alien'), aResult('Aliens', { id: 'Q104814', year: 1986 })] }

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search for a movie, or paste a link' })
const valueOf = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value
const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const activeOption = () =>
  document.querySelector(`[id="${field().getAttribute('aria-activedescendant')}"]`)?.textContent
const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('the form starts with a search field, and Enter adds the first result with its details', async () => {
  const { api, added } = await openForm({ searchCatalogue: () => BOTH, readCatalogueMovie: () => FOUND })
  expect(buttons()).toEqual(['Add by hand', ''])
  expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull()

  await userEvent.keyboard('ali')
  expect(await screen.findByText('2 movies found')).toBeTruthy()
  expect(options()).toEqual(['Alien1979 · Ridley Scott', 'Aliens1986 · Ridley Scott', 'Add “ali” by hand'])
  expect(activeOption()).toBe('Alien1979 · Ridley Scott')
  expect(await screen.findByText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')).toBeTruthy()
  expect(screen.getByText('A crew meets a stranger.')).toBeTruthy()
  await userEvent.keyboard('{Enter}')

  expect(await screen.findByText('Alien is in the box')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(field()))
  expect([field().value, options(), added]).toEqual(['', [], []])
  expect(api.callsOf('searchCatalogue').map(({ request }) => request.query.get('q'))).toEqual(['ali'])
  expect(api.callsOf('addCard').map(({ request }) => request.body)).toEqual([
    {
      title: 'Alien',
      description: 'A crew meets a stranger.',
      image: 'http://localhost:3000/images/alien-640.webp',
      movie: ALIEN,
      revealImmediately: false,
    },
  ])
})

test('Enter waits for the details of a movie before adding it', async () => {
  const { promise: details, resolve } = Promise.withResolvers<unknown>()
  const { api } = await openForm({ searchCatalogue: () => BOTH, readCatalogueMovie: async () => details })

  await userEvent.keyboard('ali')
  await screen.findByText('2 movies found')
  await userEvent.keyboard('{Enter}{Enter}')
  expect(api.callsOf('addCard')).toEqual([])
  resolve(FOUND)

  await screen.findByText('Alien is in the box')
  expect(api.callsOf('addCard').map(({ request }) => request.body)).toMatchObject([{ movie: ALIEN }])
})

test('a newly added card can be taken out of the box again', async () => {
  const { api } = await openForm({
    searchCatalogue: () => BOTH,
    readCatalogueMovie: () => FOUND,
    deleteCard: () => undefined,
    listSuggestions: () => ({ cards: [], nextToken: null, count: 0, wantCount: 0 }),
  })
  await userEvent.keyboard('ali')
  await screen.findByText('2 movies found')
  await userEvent.keyboard('{Enter}')

  await press('Undo')

  expect(await screen.findByText('Alien was taken out of the box')).toBeTruthy()
  expect(api.callsOf('deleteCard').map(({ request }) => request.params['cardId'])).toEqual(['c1'])
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(field()))
})

test('the other buttons of the form are disabled while a movie is being added', async () => {
  const { promise: reply, resolve: answer } = Promise.withResolvers<Card>()
  await openForm(
    { searchCatalogue: () => BOTH, readCatalogueMovie: () => FOUND, addCard: async () => reply },
    { offersShow: true },
  )
  await userEvent.keyboard('ali')
  await screen.findByText('A crew meets a stranger.')
  const disabled = () =>
    screen
      .getAllByRole<HTMLButtonElement>('button')
      .filter((button) => button.disabled)
      .map(({ textContent }) => textContent)

  await press('Add to the box')
  expect(disabled()).toEqual(['Add to the box', 'Add and show now', 'Change details', ''])
  await userEvent.clear(field())
  expect(disabled()).toEqual(['Add by hand', ''])
  answer(aCard('c1', 'SUGGESTED', { title: 'Alien' }))

  await screen.findByText('Alien is in the box')
  expect(disabled()).toEqual([])
})

test('the form in the feed can reveal a movie at once, and then closes', async () => {
  const shown = aCard('c1', 'REVEALED')
  const { api, added } = await openForm(
    { searchCatalogue: () => BOTH, readCatalogueMovie: () => FOUND, addCard: () => shown },
    { offersShow: true },
  )
  await userEvent.keyboard('ali')

  await press('Add and show now')

  await waitFor(() => expect(added).toEqual([shown]))
  expect(api.callsOf('addCard').map(({ request }) => request.body)).toMatchObject([{ revealImmediately: true }])
})

test('the form in the box does not offer to reveal a movie', async () => {
  await openForm({ searchCatalogue: () => BOTH, readCatalogueMovie: () => FOUND })
  await userEvent.keyboard('ali')

  expect(await screen.findByRole('button', { name: 'Add to the box' })).toBeTruthy()
  expect(buttons()).toEqual(['Add to the box', 'Change details', ''])
})

test('a failed addition keeps the typed text and shows the reason', async () => {
  await openForm({
    searchCatalogue: () => BOTH,
    readCatalogueMovie: () => FOUND,
    addCard: () => new Refusal(400, 'BAD_REQUEST', 'The box is full'),
  })
  await userEvent.keyboard('ali')
  await press('Add to the box')

  expect(await screen.findByText('The box is full')).toBeTruthy()
  expect(field().value).toBe('ali')
})

// Evidence: wcag-2.1.1
test('the arrow keys cycle through the options, and Escape closes the list and keeps the text', async () => {
  await openForm({
    searchCatalogue: () => ({
      results: [aResult('Le Samouraï', { title: 'The Samurai', originalTitle: 'Le Samouraï' })],
    }),
    readCatalogueMovie: () => FOUND,
  })

  await userEvent.keyboard('samurai')
  await screen.findByText('1 movie found')
  expect(activeOption()).toBe('The SamuraiLe Samouraï1979 · Ridley Scott')
  await userEvent.keyboard('{ArrowUp}')
  expect(activeOption()).toBe('Add “samurai” by hand')
  expect(screen.queryByRole('button', { name: 'Add to the box' })).toBeNull()
  await userEvent.keyboard('{ArrowDown}')
  expect(activeOption()).toBe('The SamuraiLe Samouraï1979 · Ridley Scott')
  await userEvent.keyboard('{Escape}')

  expect([field().getAttribute('aria-expanded'), options(), field().value]).toEqual(['false', [], 'samurai'])
})

test('details are loaded only for the movie that stays selected', async () => {
  const { api } = await openForm({
    searchCatalogue: () => ({ results: ['1', '2', '3'].map((id) => aResult(`Alien ${id}`, { id })) }),
    readCatalogueMovie: () => FOUND,
  })
  await userEvent.keyboard('ali')
  await screen.findByText('3 movies found')

  await userEvent.keyboard('{ArrowDown}{ArrowDown}')

  await screen.findByText('A crew meets a stranger.')
  expect(api.callsOf('readCatalogueMovie').map(({ request }) => request.params['id'])).toEqual(['3'])
})

test('clicking a movie shows it without adding it', async () => {
  const { api } = await openForm({
    searchCatalogue: () => BOTH,
    readCatalogueMovie: ({ params }) => ({ ...FOUND, title: params['id'] === 'Q104814' ? 'Aliens' : 'Alien' }),
  })
  await userEvent.keyboard('ali')
  await userEvent.click(await screen.findByRole('option', { name: /^Aliens/u }))

  expect(await screen.findByRole('heading', { name: 'Aliens' })).toBeTruthy()
  expect(api.callsOf('addCard')).toEqual([])
})

test('a late reply to an earlier search is dropped', async () => {
  const { promise: late, resolve } = Promise.withResolvers<unknown>()
  const { api } = await openForm({
    searchCatalogue: async ({ query }) => (query.get('q') === 'ali' ? late : { results: [aResult('Brazil')] }),
    readCatalogueMovie: () => FOUND,
  })

  await userEvent.keyboard('ali')
  await waitFor(() => expect(api.callsOf('searchCatalogue')).toHaveLength(1))
  await userEvent.clear(field())
  await userEvent.keyboard('brazil')
  await screen.findByText('1 movie found')
  resolve({ results: [aResult('Alien')] })

  await waitFor(() => expect(options()).toEqual(['Brazil1979 · Ridley Scott', 'Add “brazil” by hand']))
})

test.each([
  ['nothing is found', () => ({ results: [] }), 'No movie was found. You can add it by hand.'],
  ['the source is down', DOWN, 'The movie catalogue cannot be reached right now. You can add the movie by hand.'],
  [
    'the catalogue is off',
    () => new Refusal(404, 'NOT_FOUND', 'The movie catalogue is switched off'),
    'The movie catalogue is switched off. You can add the movie by hand.',
  ],
])('Enter copies the text into the long form if %s', async (_, searchCatalogue, sentence) => {
  const { api } = await openForm({ searchCatalogue })

  await userEvent.keyboard('Home movie')
  expect(await screen.findByText(sentence)).toBeTruthy()
  await userEvent.keyboard('{Enter}')

  expect(valueOf('Title')).toBe('Home movie')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Title' })))
  expect(api.callsOf('searchCatalogue')).toHaveLength(1)
})

test.each([
  ['whose details cannot be read', DOWN, '1979 · Ridley Scott'],
  [
    'without a poster',
    () => ({ ...FOUND, description: null, posterUrl: null }),
    '1979 · 1 h 57 · Horror, Science fiction · Ridley Scott',
  ],
])('a movie %s opens the long form with the known facts', async (_, readCatalogueMovie, facts) => {
  const { api } = await openForm({ searchCatalogue: () => BOTH, readCatalogueMovie })

  await userEvent.keyboard('ali')
  await screen.findByText('2 movies found')
  await userEvent.keyboard('{Enter}')

  expect(
    await screen.findByText('The poster of Alien could not be fetched. Please fill in what is missing.'),
  ).toBeTruthy()
  expect([valueOf('Title'), valueOf('Image URL')]).toEqual(['Alien', ''])
  expect(screen.getByText(facts)).toBeTruthy()
  expect(api.callsOf('addCard')).toEqual([])
})

test('the details of a movie can be changed before it is added, and Cancel returns to the search', async () => {
  const { api, added, close } = await openForm({ searchCatalogue: () => BOTH, readCatalogueMovie: () => FOUND })
  await userEvent.keyboard('ali')
  await screen.findByText('A crew meets a stranger.')

  await press('Change details')
  expect(valueOf('Image URL')).toBe('http://localhost:3000/images/alien-640.webp')
  await press('Cancel')
  expect([field().value, close.mock.calls]).toEqual(['ali', []])
  await screen.findByText('A crew meets a stranger.')
  await press('Change details')
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), ', again')
  await press('Add to watchlist')

  await waitFor(() => expect(added).toHaveLength(1))
  expect(api.callsOf('addCard').map(({ request }) => request.body)).toMatchObject([{ title: 'Alien, again' }])
})

test('a pasted link shows its movie', async () => {
  const { api } = await openForm({ readCatalogueLink: () => FOUND })

  await userEvent.paste(`Look: ${LINK}.`)

  expect(await screen.findByText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')).toBeTruthy()
  expect(api.callsOf('readCatalogueLink').map(({ request }) => request.body)).toEqual([
    { url: LINK, language: 'en-US' },
  ])
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByText('Alien is in the box')).toBeTruthy()
})

test('a link without a movie is copied into the description', async () => {
  await openForm({ readCatalogueLink: () => new Refusal(400, 'BAD_REQUEST', 'No movie was found at this link') })

  await userEvent.paste('https://example.org/film')
  await screen.findByText('No movie was found at this link. You can add it by hand.')
  await userEvent.keyboard('{Enter}')

  expect([valueOf('Title'), valueOf('Description')]).toEqual(['', 'https://example.org/film'])
})

test('a movie that is already in the feed is marked before it is added', async () => {
  const { api } = await openForm({
    readCatalogueLink: () => FOUND,
    matchMovie: () => ({
      inFeed: { cardId: 'c7', status: 'WATCHED', statusChangedAt: '2025-03-14T20:00:00.000Z' },
      isInBox: true,
    }),
  })

  await userEvent.paste(LINK)

  expect(await screen.findByText('In the feed, watched in March 2025')).toBeTruthy()
  expect(screen.queryByText('This is already in the box')).toBeNull()
  expect(Object.fromEntries(api.callsOf('matchMovie')[0]?.request.query ?? [])).toEqual({
    title: 'Alien',
    originalTitle: 'Alien',
    year: '1979',
    tmdb: '348',
    imdb: 'tt0078748',
    wikidata: 'Q103569',
    letterboxd: 'alien',
  })
})

test('Enter wants a movie that is already in the box instead of adding it', async () => {
  const { api } = await openForm({
    readCatalogueLink: () => FOUND,
    matchMovie: () => ({ inFeed: null, isInBox: true }),
    wantMovie: () => undefined,
  })

  await userEvent.paste(LINK)
  expect(await screen.findByText('This is already in the box')).toBeTruthy()
  expect(buttons()).toEqual(['I want this too', 'Add anyway', 'Change details', ''])
  await userEvent.keyboard('{Enter}')

  expect(await screen.findByText('You want Alien too. It is among your suggestions.')).toBeTruthy()
  expect(field().value).toBe('')
  expect(api.callsOf('wantMovie').map(({ request }) => request.body)).toEqual([{ title: 'Alien', movie: ALIEN }])
  expect(api.callsOf('addCard')).toEqual([])
})

test('Enter never adds a second card of a movie in the box, even before the match is known', async () => {
  const { promise: match, resolve } = Promise.withResolvers<unknown>()
  const { api } = await openForm({ readCatalogueLink: () => FOUND, matchMovie: async () => match })

  await userEvent.paste(LINK)
  await screen.findByText('A crew meets a stranger.')
  await userEvent.keyboard('{Enter}')
  resolve({ inFeed: null, isInBox: true })

  expect(await screen.findByRole('button', { name: 'I want this too' })).toBeTruthy()
  expect(api.callsOf('addCard')).toEqual([])
  await press('Add anyway')
  expect(await screen.findByText('Alien is in the box')).toBeTruthy()
})

test('the main button of the long form wants a movie that is already in the box', async () => {
  const { api, close } = await openForm({
    readCatalogueLink: () => FOUND,
    matchMovie: () => ({ inFeed: null, isInBox: true }),
    wantMovie: () => undefined,
  })
  await userEvent.paste(LINK)
  await press('Change details')
  expect(screen.getByRole('button', { name: 'Add anyway' })).toBeTruthy()

  await press('I want this too')

  await waitFor(() => expect(close).toHaveBeenCalledTimes(1))
  expect(api.callsOf('wantMovie')).toHaveLength(1)
})

test('a movie that was drawn in the meantime is not wanted, and the form shows where it is', async () => {
  let isInBox = true
  const inFeed = { cardId: 'c7', status: 'REVEALED', statusChangedAt: '2025-03-14T20:00:00.000Z' }
  await openForm({
    readCatalogueLink: () => FOUND,
    matchMovie: () => ({ inFeed: isInBox ? null : inFeed, isInBox }),
    wantMovie: () => {
      isInBox = false
      return new Refusal(404, 'NOT_FOUND', 'This movie is not in the box any more')
    },
  })

  await userEvent.paste(LINK)
  await press('I want this too')

  expect(await screen.findByText('In the feed, revealed in March 2025')).toBeTruthy()
  expect(screen.getByText('This movie is not in the box any more')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'I want this too' })).toBeNull()
})

test('the long form opens at once if there is no catalogue, with the focus on the title', async () => {
  setFeatures({ ...before, catalogue: null })
  await openForm({})

  expect(screen.queryByRole('combobox')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Title' })))
})
