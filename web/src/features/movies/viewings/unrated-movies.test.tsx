import type { CardViewings } from '@marquee/contract/entities/viewing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { UnratedMovies } from './unrated-movies.tsx'

tidyUp()

const changedAt = '2026-03-02T20:14:00.000Z'
const own = { username: 'Ben', seenOn: null, stars: null, note: null, changedAt }
const MARKED: CardViewings = { cardId: 'c1', seenBy: ['Ben'], own, ratings: null, night: null, markedBy: null }
const RATED: CardViewings = { ...MARKED, ratings: { average: null, count: 0, others: [] } }
const movies = [{ cardId: 'c1', title: 'Night Tram' }]

test('the question about a movie disappears after "No rating", and the focus is not lost', async () => {
  const api = fakeApi({ listViewings: () => ({ cards: [MARKED] }), saveViewing: () => RATED })
  const onFocusLost = vi.fn<() => void>()
  await renderPart(<UnratedMovies watchlistId="w1" movies={movies} onFocusLost={onFocusLost} />)

  await userEvent.click(await screen.findByRole('button', { name: 'No rating' }))

  await waitFor(() => expect(screen.queryByText('How was Night Tram?')).toBeNull())
  expect(api.callsOf('saveViewing')[0]?.request.body).toEqual({ note: null })
  expect(onFocusLost).toHaveBeenCalledOnce()
})

test('the question about a movie opens a rating form', async () => {
  const api = fakeApi({ listViewings: () => ({ cards: [MARKED] }), saveViewing: () => RATED })
  await renderPart(<UnratedMovies watchlistId="w1" movies={movies} onFocusLost={vi.fn<() => void>()} />)

  await userEvent.click(screen.getByRole('button', { name: 'Rate it' }))
  await userEvent.click(screen.getByRole('radio', { name: '3.5 stars' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Short note (optional)' }), 'The last stop!{Enter}')

  await waitFor(() => expect(screen.queryByText('How was Night Tram?')).toBeNull())
  expect(api.callsOf('saveViewing')[0]?.request.body).toEqual({ stars: 3.5, note: 'The last stop!', seenOn: null })
})
