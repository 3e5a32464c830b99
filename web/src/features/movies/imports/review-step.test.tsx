import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'

import '#web/i18n/import-texts.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { ReviewStep } from './review-step.tsx'

tidyUp()

const none = { rows: 0, chosen: 0 }
const REVIEW = {
  id: 'i1',
  watchlistId: 'w1',
  fileName: 'movies.csv',
  format: 'csv' as const,
  state: 'review' as const,
  createdAt: '2026-03-01T18:00:00.000Z',
  undoUntil: '2026-03-08T18:00:00.000Z',
  groups: { new: { rows: 1, chosen: 1 }, here: none, same: none, unsure: none },
  chosen: 1,
  added: 0,
  removed: 0,
  kept: 0,
  seen: 0,
  marked: 0,
  problems: [],
  problemCount: 0,
}
const ROW = {
  id: 1,
  file: null,
  row: 2,
  title: 'Alien',
  year: 1979,
  isSeen: false,
  stars: null,
  group: 'new' as const,
  isChosen: true,
  card: null,
  sameAs: null,
}

async function openReview(chooseImportRows: () => unknown) {
  const api = fakeApi({ getImport: () => ({ ...REVIEW, rows: [ROW], nextToken: null }), chooseImportRows })
  await renderPart(<ReviewStep shown={REVIEW} onCancel={() => {}} />)
  return { api, row: await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Alien (1979)' }) }
}

test('a row changes on click, before the server replies', async () => {
  const { api, row } = await openReview(async () => new Promise(() => {}))

  fireEvent.click(row)
  expect(row.checked).toBe(false)
  fireEvent.click(row)
  expect(row.checked).toBe(true)
  fireEvent.click(row)

  await waitFor(() => expect(api.callsOf('chooseImportRows')[0]?.request.body).toEqual({ rows: [1], isChosen: false }))
  expect(row.checked).toBe(false)
})

test('a failed choice is reverted and shown', async () => {
  const { row } = await openReview(() => new Refusal(404, 'NOT_FOUND', 'Resource not found'))

  fireEvent.click(row)

  expect((await screen.findByRole('alert')).textContent).toContain('The requested resource was not found.')
  await waitFor(() => expect(row.checked).toBe(true))
})

test('an import with only seen movies can be applied, and its ratings are mentioned', async () => {
  const shown = {
    ...REVIEW,
    groups: { new: none, here: { rows: 1, chosen: 0 }, same: none, unsure: none },
    seen: 1,
    chosen: 0,
  }
  const row = { ...ROW, group: 'here' as const, isChosen: false, isSeen: true, stars: 4.5 }
  const api = fakeApi({
    getImport: () => ({ ...shown, rows: [row], nextToken: null }),
    applyImport: () => ({ ...shown, state: 'applying' }),
  })
  await renderPart(<ReviewStep shown={shown} onCancel={() => {}} />)

  expect(await screen.findByText('Your rating: 4.5 of 5')).toBeDefined()
  expect(
    screen.getByText(
      'You have seen 1 of them, so it is not ticked. Marks and ratings are kept for movies in this watchlist.',
    ),
  ).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Save seen marks' }))

  await waitFor(() => expect(api.callsOf('applyImport')).toHaveLength(1))
})
