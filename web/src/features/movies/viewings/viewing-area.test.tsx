import type { CardViewings, Viewing } from '@marquee/contract/entities/viewing'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { networkFailure } from '#web/api/problem.ts'
import type { Item } from '#web/offline/outbox/machine.ts'
import * as overtaking from '#web/offline/outbox/overtake.ts'
import * as waiting from '#web/offline/outbox/waiting.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'

import { ViewingArea } from './viewing-area.tsx'

tidyUp()

const aViewing = (username: string, stars: number | null, note: string | null = null): Viewing => ({
  username,
  seenOn: null,
  stars,
  note,
  changedAt: '2026-03-02T20:14:00.000Z',
})

const UNSEEN: CardViewings = { cardId: 'c1', seenBy: ['Ana'], own: null, ratings: null, night: null, markedBy: null }
const RATED: CardViewings = {
  cardId: 'c1',
  seenBy: ['Ana', 'Ben'],
  own: aViewing('Ben', 3.5),
  ratings: { average: 4.3, count: 2, others: [aViewing('Ana', 5, 'In space!')] },
  night: null,
  markedBy: null,
}

const card = (id = 'c1') => <ViewingArea card={aCard(id)} username="Ben" />
const button = (name: string) => screen.getByRole('button', { name })

test('a rating is chosen and saved with the keyboard, and then the ratings of others are shown', async () => {
  const api = fakeApi({ listViewings: () => ({ cards: [UNSEEN] }), saveViewing: () => RATED })
  await renderPart(card())
  await screen.findByText('Seen by Ana')

  button('I have seen it').focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('radio', { name: 'No rating' })
  await userEvent.tab()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'No rating' })))
  screen.getByRole('radio', { name: '3 stars' }).focus()
  await userEvent.keyboard(' {ArrowRight}')
  await userEvent.type(screen.getByRole('textbox', { name: 'Short note (optional)' }), 'Again!{Enter}')

  await screen.findByText('Average 4.3 (2 ratings)')
  expect(api.callsOf('saveViewing')[0]?.request.body).toEqual({ stars: 3.5, note: 'Again!', seenOn: null })
  expect(screen.getByText('★★★½').parentElement?.textContent).toBe('★★★½3.5 stars')
  await waitFor(() => expect(document.activeElement).toBe(button('Ratings')))
  await userEvent.click(button('Ratings'))
  const others = within(screen.getByRole('list', { name: 'Ratings of others' })).getAllByRole('listitem')
  expect(others.map(({ textContent }) => textContent)).toEqual(['Ana★★★★★5 starsIn space!'])
})

test('a typed note stays when a movie night marks the movie as seen', async () => {
  let viewings: CardViewings = UNSEEN
  fakeApi({ listViewings: () => ({ cards: [viewings] }) })
  const { client } = await renderPart(card())
  await screen.findByText('Seen by Ana')
  await userEvent.click(button('I have seen it'))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Short note (optional)' }), 'Again!')

  viewings = { ...UNSEEN, seenBy: ['Ana', 'Ben'], own: { ...aViewing('Ben', null), seenOn: '2026-03-02' } }
  await act(async () => client.invalidateQueries())

  await screen.findByDisplayValue('2026-03-02')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Short note (optional)' }).value).toBe('Again!')
})

test('a reopened form has the rating that is waiting to be sent', async () => {
  fakeApi({ listViewings: () => ({ cards: [UNSEEN] }) })
  const action = {
    kind: 'viewing',
    watchlistId: 'w1',
    cardId: 'c1',
    body: { stars: 4, note: 'Lovely', seenOn: null },
  } as const
  const item: Item = { id: 'i1', userId: 'ben', key: 'k', order: 1, action, title: 'T', state: 'waiting', tries: 0 }
  vi.spyOn(waiting, 'useWaiting').mockReturnValue([item])
  await renderPart(card())

  await userEvent.click(button('I have seen it'))

  const note = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Short note (optional)' })
  expect(note.value).toBe('Lovely')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '4 stars' }).checked).toBe(true)
})

test('a rejected rating stays in the form with the reason', async () => {
  fakeApi({
    listViewings: () => ({ cards: [UNSEEN] }),
    saveViewing: () => new Refusal(404, 'NOT_FOUND', 'Resource not found'),
  })
  await renderPart(card())
  await userEvent.click(button('I have seen it'))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Short note (optional)' }), 'Again!')

  await userEvent.click(button('Save'))

  await screen.findByText('Failed to save your rating')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Short note (optional)' }).value).toBe('Again!')
})

test('removing a mark loads the viewings again, which hides the ratings', async () => {
  let isSeen = true
  fakeApi({
    listViewings: () => ({ cards: [isSeen ? RATED : UNSEEN] }),
    deleteViewing: () => {
      isSeen = false
    },
  })
  await renderPart(card())
  await screen.findByText('Average 4.3 (2 ratings)')

  await userEvent.click(button('Ratings'))
  await userEvent.click(await screen.findByRole('button', { name: 'I have not seen it' }))

  await waitFor(() => expect(screen.queryByText('Average 4.3 (2 ratings)')).toBeNull())
  expect(screen.getByText('Seen by Ana')).toBeDefined()
})

test('a mark is not removed while a waiting rating could bring it back', async () => {
  const api = fakeApi({ listViewings: () => ({ cards: [RATED] }), deleteViewing: () => undefined })
  const overtake = vi.spyOn(overtaking, 'overtake').mockRejectedValueOnce(networkFailure('no answer yet'))
  await renderPart(card())
  await screen.findByText('Average 4.3 (2 ratings)')
  await userEvent.click(button('Ratings'))

  await userEvent.click(await screen.findByRole('button', { name: 'I have not seen it' }))

  expect((await screen.findByRole('alert')).textContent).toContain('Network error. Please check your connection.')
  expect(api.callsOf('deleteViewing')).toEqual([])

  await userEvent.click(screen.getByRole('button', { name: 'I have not seen it' }))

  await waitFor(() => expect(api.callsOf('deleteViewing')).toHaveLength(1), WITHIN)
  const replaces = overtake.mock.calls[0]?.[0]
  expect(replaces?.({ kind: 'viewing', watchlistId: 'w1', cardId: 'c1', body: {} })).toBe(true)
  expect(replaces?.({ kind: 'viewing', watchlistId: 'w1', cardId: 'c2', body: {} })).toBe(false)
})

test('the viewings of all cards of a page are loaded in one call', async () => {
  const api = fakeApi({ listViewings: () => ({ cards: [RATED, { ...UNSEEN, cardId: 'c2' }] }) })

  await renderPart(
    <>
      {card('c1')}
      {card('c2')}
    </>,
  )

  await screen.findByText('Seen by Ana')
  expect(api.callsOf('listViewings').map(({ request }) => request.query.get('cards'))).toEqual(['c1,c2'])
})

test('a mark from a movie night asks for a rating, and names each viewer once', async () => {
  const night = { acceptedAt: '2026-03-02T20:14:00.000Z', watchedBy: ['Ana', 'Ben'] }
  const marked = { ...UNSEEN, seenBy: ['Ana', 'Ben', 'Cleo'], own: aViewing('Ben', null), night }
  fakeApi({ listViewings: () => ({ cards: [marked] }) })
  await renderPart(card())

  expect(await screen.findByText('Movie night on Mar 2, 2026: Ana, Ben')).toBeTruthy()
  expect(screen.getByText('Seen by Cleo')).toBeTruthy()
  expect(button('Rate it').getAttribute('aria-expanded')).toBe('false')
})
