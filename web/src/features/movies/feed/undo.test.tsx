import type { Card } from '@marquee/contract/entities/card'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'
import { LiveRegion } from '#web/ui/live-region.tsx'

import { MovieSection } from '../section/movie-section.tsx'

tidyUp()

const REVEALED_AT = { newer: '2026-03-05T10:00:00.000Z', older: '2026-03-04T10:00:00.000Z' }
const DECIDED_AT = '2026-03-06T10:00:00.000Z'

function revealed(id: 'newer' | 'older'): Card {
  const at = REVEALED_AT[id]
  const [suggested] = aCard(id, 'SUGGESTED').statusChanges
  if (suggested === undefined) throw new Error('A card has a history')
  const statusChanges = [suggested, { status: 'REVEALED' as const, changedBy: 'Ana', changedAt: at }]
  return aCard(id, 'REVEALED', { statusChangedAt: at, statusChanges })
}

function decided(card: Card, status: 'WATCHED' | 'REJECTED', changedBy: string): Card {
  const statusChanges = [...card.statusChanges, { status, changedBy, changedAt: DECIDED_AT }]
  return { ...card, status, statusChangedAt: DECIDED_AT, statusChanges }
}

/** Ben's screen of two revealed cards. `server.cards` is the feed as the server has it. */
async function openSection(answers: FakeAnswers = {}) {
  const server = { cards: [revealed('newer'), revealed('older')] }
  const put = (card: Card) => {
    server.cards = [card, ...server.cards.filter(({ id }) => id !== card.id)].toSorted((one, other) =>
      one.statusChangedAt > other.statusChangedAt ? -1 : 1,
    )
    return card
  }
  const { response, tell } = aLiveStream()
  const api = fakeApi({
    listCards: () => ({ cards: server.cards, nextToken: null }),
    countSuggestedCards: () => ({ count: 0 }),
    getCard: ({ params }) => server.cards.find(({ id }) => id === params['cardId']),
    moveCard: () => put(decided(revealed('older'), 'WATCHED', 'Ben')),
    undoMove: () => put(revealed('older')),
    watchlistEvents: () => response,
    ...answers,
  })
  await renderPart(
    <>
      <LiveRegion />
      <MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />
    </>,
  )
  await waitFor(() => expect(titles()).toEqual(['Movie newer', 'Movie older']))
  return { api, put, tell }
}

const titles = () => screen.queryAllByRole('article').map((card) => within(card).getByRole('heading').textContent)
const card = (id: string) => screen.getByRole('article', { name: `Movie ${id}` })
const undoButton = () => screen.queryByRole('button', { name: 'Undo' })

async function accept(): Promise<void> {
  await userEvent.click(within(card('older')).getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(undoButton()).not.toBeNull())
}

test('undoing a decision leaves the card in place and hides the undo button', async () => {
  const { api } = await openSection()
  await accept()
  expect(titles()).toEqual(['Movie newer', 'Movie older'])
  expect(screen.getByText('Movie older was accepted. You can undo this for 10 seconds.')).toBeTruthy()
  expect(card('older').contains(document.activeElement)).toBe(true)

  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))

  await waitFor(() => expect(titles()).toEqual(['Movie newer', 'Movie older']))
  await waitFor(() => expect(undoButton()).toBeNull())
  expect(within(card('older')).getByRole('button', { name: 'Accept' })).toBeTruthy()
  expect(screen.getByText('Movie older is undecided again')).toBeTruthy()
  expect(api.callsOf('undoMove').map(({ request }) => request.params)).toEqual([{ watchlistId: 'w1', cardId: 'older' }])
  expect(card('older').contains(document.activeElement)).toBe(true)
})

test('the undo button comes right before the card in the tab order', async () => {
  await openSection()
  await accept()

  await userEvent.tab({ shift: true })

  await waitFor(() => expect(document.activeElement).toBe(undoButton()))
})

test('the undo button counts down, disappears after ten seconds, and does not lose the focus', async () => {
  // Ten seconds later minus this is a little more than ten seconds.
  const start = 12_526.72
  const clock = vi.spyOn(performance, 'now').mockReturnValue(start)
  await openSection()
  await accept()
  expect(undoButton()?.textContent).toBe('Undo (10)')
  undoButton()?.focus()

  clock.mockReturnValue(start + 3_100)
  await waitFor(() => expect(undoButton()?.textContent).toBe('Undo (7)'))
  clock.mockReturnValue(start + 10_000)
  await waitFor(() => expect(undoButton()).toBeNull())

  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Movies' })))
})

test('a rejected undo shows the reason at the card, which stays decided', async () => {
  await openSection({ undoMove: () => new Refusal(400, 'BAD_REQUEST', 'It is too late to undo this') })
  await accept()

  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))

  await waitFor(() =>
    expect(within(card('older')).getByRole('alert').textContent).toBe(
      'Failed to undo the decisionIt is too late to undo this',
    ),
  )
  expect(card('older').textContent).toContain('Watched')
  expect(undoButton()).toBeNull()
})

test('an undo without a reply can be retried with the same idempotency key', async () => {
  let isDown = true
  const { api, put } = await openSection({
    undoMove: () => {
      if (isDown) throw new Error('no network')
      return put(revealed('older'))
    },
  })
  await accept()

  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => within(card('older')).getByRole('alert'))
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))

  await waitFor(() => expect(titles()).toEqual(['Movie newer', 'Movie older']))
  const keys = api.callsOf('undoMove').map(({ request }) => request.headers['idempotency-key'])
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys).size).toBe(1)
})

test('putting a card back cannot be undone', async () => {
  await openSection({ moveCard: () => aCard('newer', 'SUGGESTED') })

  await userEvent.click(within(card('newer')).getByRole('button', { name: 'Put Back' }))

  expect(await screen.findByText('Movie newer is back in the box')).toBeTruthy()
  expect(undoButton()).toBeNull()
})

test('an undo by another member is announced, and the card stays in place', async () => {
  const { put, tell } = await openSection()
  put(decided(revealed('older'), 'REJECTED', 'Ana'))
  tell({ kind: 'card-changed', watchlistId: 'w1', cardId: 'older', by: 'Ana' })
  await waitFor(() => expect(card('older').textContent).toContain('Ana declined Movie older'))
  expect([titles(), undoButton()]).toEqual([['Movie newer', 'Movie older'], null])

  put(revealed('older'))
  tell({ kind: 'card-changed', watchlistId: 'w1', cardId: 'older', by: 'Ana' })

  expect(await screen.findByText('Ana took back the decision about Movie older')).toBeTruthy()
  await waitFor(() => within(card('older')).getByRole('button', { name: 'Accept' }))
  expect(titles()).toEqual(['Movie newer', 'Movie older'])
})
