import type { Availability } from '@marquee/contract/entities/availability'
import type { Movie } from '@marquee/contract/entities/movie'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, onTestFinished, test } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { NO_FACTS } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'

import { Country } from '../card/card-context.ts'
import { CardWhere } from './card-where.tsx'

tidyUp()

const NETFLIX = { serviceId: 8, name: 'Netflix' }
const MUBI = { serviceId: 11, name: 'Mubi' }
const APPLE = { serviceId: 2, name: 'Apple TV' }
const PLUTO = { serviceId: 300, name: 'Pluto TV' }
const HOME = {
  serverId: 's1',
  kind: 'jellyfin',
  name: 'Home server',
  link: 'https://jellyfin.example/#/details?id=a1',
} as const
const ATTIC = { serverId: 's2', kind: 'plex', name: 'Attic', link: null } as const
const LINK = 'https://www.themoviedb.org/movie/348/watch?locale=DE'

const MOVIE: Movie = { ...NO_FACTS, ids: { tmdb: '348' } }

const USUAL = {
  country: 'DE',
  isOn: true,
  hasServers: false,
  ids: MOVIE.ids,
  cards: ['c1'],
  answers: {} as FakeAnswers,
}

async function show(where: Partial<Availability>[], options: Partial<typeof USUAL> = {}) {
  const { country, isOn, hasServers, ids, cards, answers } = { ...USUAL, ...options }
  const before = features()
  setFeatures({ ...before, ...(isOn && { watchProviders: true }), ...(hasServers && { mediaServers: true }) })
  onTestFinished(() => setFeatures(before))
  const rest = { streaming: [], paid: [], link: LINK, servers: [], havers: [], request: null }
  const api = fakeApi({
    listAvailability: () => ({ cards: where.map((one) => ({ cardId: 'c1', ...rest, ...one })) }),
    ...answers,
  })
  const { container } = await renderPart(
    <Country value={country === '' ? undefined : country}>
      {cards.map((id) => (
        <CardWhere key={id} card={{ id, watchlistId: 'w1', title: 'Alien', movie: { ...MOVIE, ids } }} />
      ))}
    </Country>,
  )
  return { api, container }
}

test.each<[string, Partial<Availability>, string]>([
  ['who streams it', { streaming: [MUBI, NETFLIX], paid: [APPLE] }, 'Streaming on Mubi, Netflix'],
  ['how many more do', { streaming: [MUBI, NETFLIX, APPLE, PLUTO] }, 'Streaming on Mubi, Netflix, Apple TV and 1 more'],
  ['who sells it, if it is not streamed', { paid: [APPLE] }, 'To rent or buy: Apple TV'],
  [
    'who of those who are there has it',
    { streaming: [MUBI], havers: [{ username: 'Lea', services: ['Mubi'] }] },
    'Lea (Mubi) has it',
  ],
  [
    'that several have it',
    {
      streaming: [MUBI],
      havers: [
        { username: 'Lea', services: ['Mubi'] },
        { username: 'Ben', services: ['Mubi'] },
      ],
    },
    'Lea (Mubi), Ben (Mubi) have it',
  ],
])('the availability of a movie shows %s', async (_what, where, text) => {
  await show([where])

  await screen.findByText(text)
  expect(screen.getByRole('link', { name: 'JustWatch' }).getAttribute('href')).toBe(LINK)
})

test.each<[string, Partial<Availability>, string]>([
  ['that a server has it, before all else', { servers: [HOME], streaming: [MUBI] }, 'On Home server'],
  ['which servers have it', { servers: [HOME, ATTIC] }, 'On Home server, Attic'],
])('the availability of a movie shows %s, without a source or a link', async (_what, where, text) => {
  await show([where], { hasServers: true })

  await screen.findByText(text)
  expect(screen.queryByText('JustWatch')).toBeNull()
  expect(screen.queryByRole('link')).toBeNull()
})

test.each([
  ['without a country', { country: '' }],
  ['of an installation that knows no services', { isOn: false }],
  ['whose movie no service knows', { ids: {} }],
])('a card %s shows which media server has the movie', async (_what, options) => {
  await show([{ servers: [HOME], link: null }], { ...options, hasServers: true })

  expect((await screen.findByText('On Home server')).title).toBe('On Home server')
})

test.each<[NonNullable<Availability['request']>, string]>([
  ['asked', 'Asked for'],
  ['coming', 'On its way'],
  ['partly', 'Partly here'],
  ['here', 'Here now'],
  ['declined', 'Declined'],
  ['failed', 'Could not be fetched'],
])('a movie request in the state %s is shown as "%s"', async (request, text) => {
  await show([{ request, link: null }], { hasServers: true })

  await screen.findByText(text)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a double click asks for a movie once, and its card shows that it was asked for', async () => {
  const answer = Promise.withResolvers<object>()
  const { api } = await show([{ request: 'possible', streaming: [MUBI] }], {
    hasServers: true,
    answers: { askForMovie: async () => await answer.promise },
  })
  await screen.findByText('Streaming on Mubi')

  await userEvent.dblClick(await screen.findByRole('button', { name: 'Ask for it: Alien' }))
  answer.resolve({ cardId: 'c1', state: 'asked' })

  const state = await screen.findByText('Asked for')
  await waitFor(() => expect(document.activeElement).toBe(state))
  expect(api.callsOf('askForMovie')).toHaveLength(1)
  expect(api.callsOf('listAvailability')).toHaveLength(1)
})

test('a failed request for a movie shows the reason and can be retried', async () => {
  await show([{ request: 'possible', link: null }], {
    hasServers: true,
    answers: {
      askForMovie: () => new Refusal(403, 'UNAUTHORIZED', 'In this watchlist, only the owner asks for movies'),
    },
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Ask for it: Alien' }))

  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Alien was not asked for.')
  expect(alert.textContent).toContain('only the owner asks for movies')
  expect(screen.getByRole('button', { name: 'Ask for it: Alien' })).toBeDefined()
})

test('the cards of a page share one call for availability', async () => {
  const { api } = await show([{ streaming: [MUBI] }], { cards: ['c1', 'c2'] })

  await screen.findByText('Streaming on Mubi')
  expect(api.callsOf('listAvailability')).toHaveLength(1)
})

test.each([
  ['a watchlist without a country', { country: '' }],
  ['an installation without the setting', { isOn: false }],
  ['a movie that The Movie Database does not know', { ids: { imdb: 'tt0078748' } }],
])('%s shows no availability and sends no request', async (_what, options) => {
  const { api, container } = await show([], options)

  expect(container.textContent).toBe('')
  expect(container.querySelector('div div')).toBeNull()
  expect(api.callsOf('listAvailability')).toHaveLength(0)
})

test('where to watch is read again when the title, the year or an id of the movie changes', async () => {
  const before = features()
  setFeatures({ ...before, watchProviders: true })
  onTestFinished(() => setFeatures(before))
  let services = [MUBI]
  const api = fakeApi({
    listAvailability: () => ({
      cards: [{ cardId: 'c1', streaming: services, paid: [], link: LINK, servers: [], havers: [], request: null }],
    }),
  })
  const card = { id: 'c1', watchlistId: 'w1', title: 'Alien', movie: MOVIE }
  const [remake, ids] = [
    { ...MOVIE, year: 1986 },
    { ...MOVIE, year: 1986, ids: { tmdb: '679' } },
  ]
  const versions = [card, { ...card, title: 'Aliens' }, { ...card, movie: remake }, { ...card, movie: ids }] as const
  function Corrected() {
    const [version, setVersion] = useState(0)
    return (
      <Country value="DE">
        <button type="button" onClick={() => setVersion(version + 1)}>
          {'Correct'}
        </button>
        <CardWhere card={versions[version] ?? card} />
      </Country>
    )
  }
  await renderPart(<Corrected />)
  await screen.findByText('Streaming on Mubi')

  services = [NETFLIX]
  await userEvent.click(screen.getByRole('button', { name: 'Correct' }))
  await screen.findByText('Streaming on Netflix')
  for (const reads of [3, 4]) {
    await userEvent.click(screen.getByRole('button', { name: 'Correct' }))
    await waitFor(() => expect(api.callsOf('listAvailability')).toHaveLength(reads), WITHIN)
  }
})
