import type { Night } from '@marquee/contract/entities/night'
import { screen, waitFor, fireEvent } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import '#web/i18n/night-texts.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, ALIEN, anOpenNight, aProfile } from '#web/testing/samples.ts'

import { OpenNight } from './open-night.tsx'

tidyUp()

/** An open night with Ana and Ben, whose box has 40 cards. `fits` is the band of those that fit any filter: 0, 1 or 5. */
async function show(changes: Partial<Night> = {}) {
  const box = { fits: 5, cards: 40 }
  const stream = aLiveStream()
  const api = fakeApi({
    watchlistEvents: () => stream.response,
    findVote: () => ({ vote: null, revealed: [], wasVetoed: false, vetoBudget: 2, vetoesLeft: 2 }),
    listScreens: () => ({ screens: [] }),
    listCards: () => ({ cards: [], nextToken: null }),
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
    addSeed: () => undefined,
    getDrawOdds: ({ query }) => ({
      rule: 'cards',
      rest: 0,
      eligible: query.has('filter') ? box.fits : box.cards,
      resting: query.has('filter') ? 1 : 0,
      isBand: query.has('filter'),
      people: [],
    }),
    listLibrary: () => ({ cards: [{ ...aCard('Alien', 'WATCHED'), movie: ALIEN }], nextToken: null }),
    listSuggestions: () => ({ cards: [], nextToken: null, count: 0, wantCount: 0 }),
    prepareDraw: () => new Refusal(409, 'CONFLICT', 'No card fits'),
  })
  await renderPart(<OpenNight night={anOpenNight('w1', ['Ana', 'Ben'], changes)} username="Ben" isOwner={false} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Choose a movie' }))
  const filters = () => api.callsOf('getDrawOdds').map(({ request }) => request.query.get('filter'))
  return { api, box, filters, tell: () => stream.tell({ kind: 'box-changed', watchlistId: 'w1' }) }
}

test('the filters start with the maximum length of the plan, and the draw uses them', async () => {
  const { api, filters } = await show({ maxRuntimeMinutes: 130 })
  await screen.findByText('At least 5 movies of 40 match.')
  const longest = screen.getByLabelText<HTMLInputElement>('Maximum length (minutes)')
  expect(longest.value).toBe('130')
  await userEvent.clear(longest)
  screen.getByText('Optional. In steps of 15 minutes.')
  await userEvent.type(longest, '95')
  await userEvent.click(screen.getByRole('button', { name: 'More filters' }))
  await userEvent.click(screen.getByLabelText('Include movies of unknown length'))
  await userEvent.click(await screen.findByRole('button', { name: 'Horror', pressed: false }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Without these genres' }), 'horror, War ')
  await userEvent.click(screen.getByLabelText('Only movies that no one here has seen'))
  await waitFor(() =>
    expect(filters().at(-1)).toBe('{"maxRuntime":95,"includeUnknownRuntime":false,"withoutGenres":["Horror","War"]}'),
  )
  await userEvent.click(screen.getByRole('button', { name: 'Draw a movie' }))
  await waitFor(() =>
    expect(api.callsOf('prepareDraw')[0]?.request.body).toMatchObject({
      filter: { maxRuntime: 95, includeUnknownRuntime: false, withoutGenres: ['Horror', 'War'] },
    }),
  )
  await screen.findByText(/No movie was drawn/u)
})

test('the count is read once after typing, and again when the box changes', async () => {
  const { box, filters, tell } = await show()
  await screen.findByText('At least 5 movies of 40 match.')
  box.fits = 0
  // Two keys without a pause between them, however slow the machine is.
  for (const value of ['9', '90'])
    fireEvent.change(screen.getByLabelText('Maximum length (minutes)'), { target: { value } })
  screen.getByText('At least 5 movies of 40 match.')
  await screen.findByText('0 movies of 40 match. Loosen the filters.')
  expect(filters().filter((filter) => filter?.includes('maxRuntime'))).toEqual([
    '{"maxRuntime":90,"includeUnknownRuntime":true,"unseenBy":["Ana","Ben"]}',
  ])

  box.fits = 1
  tell()
  await screen.findByText('1 to 4 movies of 40 match.')

  box.cards = 3
  tell()
  await screen.findByText('1 to 3 movies of 3 match.')

  box.cards = 1
  tell()
  await screen.findByText('1 movie of 1 matches.')
})

test('an invalid filter stays visible and prevents a draw', async () => {
  await show()
  const drawButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Draw a movie' })
  await userEvent.type(screen.getByLabelText('Maximum length (minutes)'), 'two hours')
  expect(screen.getByRole('alert').textContent).toContain('A whole number from 1 to')
  expect(drawButton().disabled).toBe(true)

  await userEvent.clear(screen.getByLabelText('Maximum length (minutes)'))
  expect(drawButton().disabled).toBe(false)

  await userEvent.click(screen.getByRole('button', { name: 'More filters' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Without these genres' }), 'x'.repeat(200))
  await userEvent.click(screen.getByRole('button', { name: 'More filters' }))
  screen.getByRole('textbox', { name: 'Without these genres' })
  expect(drawButton().disabled).toBe(true)
})

test('genres can be chosen with Enter in the text field or with their buttons', async () => {
  const { filters } = await show()
  await userEvent.click(screen.getByRole('button', { name: 'More filters' }))
  await screen.findByRole('button', { name: 'Horror', pressed: false })

  await userEvent.type(screen.getByRole('textbox', { name: 'Without these genres' }), 'War{Enter}')
  expect(screen.getByRole('button', { name: 'War', pressed: true })).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Without these genres' }).value).toBe('')
  screen.getByRole('button', { name: 'Science fiction' }).focus()
  await userEvent.keyboard(' ')
  await waitFor(() => expect(filters().at(-1)).toContain('"withoutGenres":["War","Science fiction"]'))

  await userEvent.click(screen.getByRole('button', { name: 'War', pressed: true }))
  await waitFor(() => expect(filters().at(-1)).toContain('"withoutGenres":["Science fiction"]'))
})

test('the filter for movies to watch tonight shows no count if media servers are on', async () => {
  const before = features()
  setFeatures({ ...before, mediaServers: true })
  onTestFinished(() => setFeatures(before))
  const { api, filters } = await show()
  await screen.findByText('At least 5 movies of 40 match.')

  await userEvent.click(screen.getByRole('checkbox', { name: 'Only movies we can watch tonight' }))

  screen.getByText('How many match stays secret until you draw.')
  expect(screen.queryByText(/of 40 match/u)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Draw a movie' }))
  await waitFor(() =>
    expect(api.callsOf('prepareDraw')[0]?.request.body).toMatchObject({
      filter: { unseenBy: ['Ana', 'Ben'], watchable: true },
    }),
  )
  expect(filters().filter((filter) => filter?.includes('watchable'))).toEqual([])
})

test('the filter for movies to watch tonight is hidden if no source can answer it', async () => {
  const before = features()
  setFeatures({ ...before, watchProviders: true })
  onTestFinished(() => setFeatures(before))
  await show()
  await screen.findByText('At least 5 movies of 40 match.')

  // The watchlist has no country.
  expect(screen.queryByRole('checkbox', { name: 'Only movies we can watch tonight' })).toBeNull()
})
