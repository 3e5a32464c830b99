import '#web/i18n/statistics-texts.ts'
import type { MovieInStatistics, Statistics } from '@marquee/contract/entities/statistics'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { StatisticsSection } from './statistics-section.tsx'

tidyUp()

function aMovie(title: string): MovieInStatistics {
  return {
    id: title,
    title,
    imageUrl: '/images/a.webp',
    creatorId: 'Ana',
    statusChangedAt: '2026-03-02T20:14:00.000Z',
  }
}

/** The page of a club that has watched this many movies of an hour, two thirds of them suggested by Ana. */
async function show(movies: number, changes: Partial<Statistics> = {}) {
  const titles = Array.from({ length: movies }, (_, n) => `Movie ${n + 1}`)
  const ofAna = Math.ceil((movies * 2) / 3)
  const statistics: Statistics = {
    watched: { movies, runtimeMinutes: movies * 60, moviesWithoutRuntime: 0 },
    putBack: 0,
    declined: 0,
    months: [
      { month: '2026-02', movies: 0, runtimeMinutes: 0 },
      { month: '2026-03', movies, runtimeMinutes: movies * 60 },
    ],
    suggesters: [
      { username: 'Ana', movies: ofAna, rating: null },
      { username: 'Ben', movies: movies - ofAna, rating: null },
    ],
    mostLoved: [],
    mostDivisive: [],
    longestWaits: [],
    nights: { held: 0, vetoed: 0, attendance: [] },
    fairness: [],
    due: [],
    firstMovie: null,
    lastMovie: null,
    lastMovies: titles.map((title) => aMovie(title)),
    ...changes,
  }
  fakeApi({ getStatistics: () => statistics, watchlistEvents: () => new Response('') })
  await renderPart(<StatisticsSection watchlistId="w1" />)
}

const sentences = () =>
  within(screen.getByRole('region', { name: 'The story so far' }))
    .getAllByRole('paragraph')
    .map(({ textContent }) => textContent)

test('five movies are shown as sentences and posters', async () => {
  await show(5, { putBack: 1, declined: 2 })

  expect(await screen.findByRole('heading', { name: 'The story so far' })).toBeTruthy()
  expect(sentences()).toEqual([
    'You have watched 5 movies together.',
    'Running time: 5 h.',
    'Suggested by Ana (4), Ben (1).',
    '1 card went back into the box.',
    '2 cards were declined.',
  ])
  expect(screen.getByRole('list', { name: 'Movies' }).textContent).toBe('Movie 1Movie 2Movie 3Movie 4Movie 5')
  expect(screen.queryByRole('table')).toBeNull()
})

test('six movies are shown as numbers and charts', async () => {
  await show(6)

  expect(await screen.findByRole('heading', { name: 'Month by month' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Who suggested them' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'The story so far' })).toBeNull()
})

test('a chart with only one month is left out', async () => {
  await show(6, { months: [{ month: '2026-03', movies: 6, runtimeMinutes: 360 }] })

  expect(await screen.findByRole('heading', { name: 'Who suggested them' })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Month by month' })).toBeNull()
})

test('two nights and five picks are described in sentences', async () => {
  const attendance = [{ username: 'Ana', nights: 2 }]
  await show(6, {
    nights: { held: 2, vetoed: 1, attendance },
    fairness: [
      { username: 'Ana', expected: 2.5, actual: 5 },
      { username: 'Ben', expected: 2.5, actual: 0 },
    ],
  })

  expect(await screen.findByRole('heading', { name: 'The story so far' })).toBeTruthy()
  expect(sentences()).toEqual([
    'There were 2 movie nights, with Ana (2).',
    '1 movie was vetoed.',
    'The draw picked Ana (5).',
  ])
})

test('three nights and six picks are shown in charts', async () => {
  await show(0, {
    suggesters: [],
    nights: { held: 3, vetoed: 0, attendance: [{ username: 'Ana', nights: 3 }] },
    fairness: [{ username: 'Ana', expected: 6, actual: 6 }],
  })

  expect(await screen.findByRole('heading', { name: 'Nights attended' })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Who the draw picked' })).toBeTruthy()
  expect(screen.getByText('Nothing watched in this period')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'The story so far' })).toBeNull()
})
