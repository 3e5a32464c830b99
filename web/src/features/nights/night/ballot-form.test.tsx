import type { NightVote, NightVoteState } from '@marquee/contract/entities/vote'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import '#web/i18n/night-texts.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { ALIEN } from '#web/testing/samples.ts'
import { type Draft, NO_DRAFT } from '#web/session/drafts.ts'

import { BallotForm } from './ballot-form.tsx'

tidyUp()

const film = {
  imageUrl: 'https://posters.test/alien.jpg',
  movie: ALIEN,
  description: 'In space',
  status: 'REVEALED',
  statusChangedAt: '2026-03-01T20:00:00.000Z',
} as const
const card = (cardId: string, title: string | null) => ({
  cardId,
  title,
  film: title === null ? null : film,
  total: null,
  isVetoed: null,
})

/** The ballot of a vote on Alien, Brazil and Contempt. */
async function show(changes: Partial<NightVote> = {}, vetoesLeft = 1, draft: Draft = NO_DRAFT) {
  const vote: NightVote = {
    drawNumber: 3,
    openedAt: '2026-03-01T20:00:00.000Z',
    closedAt: null,
    present: 3,
    voted: 0,
    cards: [card('a', 'Alien'), card('b', 'Brazil'), card('c', 'Contempt')],
    winner: null,
    ballot: null,
    ...changes,
  }
  const state: NightVoteState = { vote, revealed: [], accepted: [], wasVetoed: false, vetoBudget: 2, vetoesLeft }
  const sent: unknown[] = []
  const cast = { mutate: (ballot: unknown) => void sent.push(ballot), error: null, isPending: false }
  await renderPart(<BallotForm state={state} vote={vote} cast={cast} vetoesLeft="One veto" draft={draft} />)
  return sent
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const press = async (...names: string[]) => {
  for (const name of names) await userEvent.click(button(name))
}
const title = () => screen.getByRole('heading', { level: 3 }).textContent
const pressed = () => screen.queryAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent)

test('an answer opens the next movie, and the last one opens a summary of all answers', async () => {
  const sent = await show()
  expect([title(), pressed()]).toEqual(['Alien', []])
  screen.getByText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')
  screen.getByText('In space')

  await press('Love it')
  expect([title(), pressed()]).toEqual(['Brazil', []])
  await press('Rather not', 'Fine')
  expect(title()).toBe('Your vote')
  expect(rows()).toEqual(['Alien Love it', 'Brazil Rather not', 'Contempt Fine'])
  expect(sent).toEqual([])
  await press('Vote')

  expect(sent).toEqual([{ drawNumber: 3, scores: { a: 2, b: 0, c: 1 }, veto: null }])
})

test('a movie can be answered again from the summary', async () => {
  const sent = await show()
  await press('Fine', 'Fine', 'Fine')

  await press('Brazil Fine')
  expect([title(), pressed()]).toEqual(['Brazil', ['Fine']])
  await press('Love it', 'Vote')

  expect(sent).toEqual([{ drawNumber: 3, scores: { a: 1, b: 2, c: 1 }, veto: null }])
})

test('a vetoed movie needs no answer, and the veto can be moved to another movie', async () => {
  const sent = await show()
  await press('Veto Alien', 'Fine', 'Fine')
  expect(rows()).toEqual(['Alien vetoed', 'Brazil Fine', 'Contempt Fine'])

  await press('Alien vetoed', 'Veto Alien', 'Love it', 'Brazil Fine', 'Veto Brazil', 'Vote')

  expect(sent).toEqual([{ drawNumber: 3, scores: { a: 2, b: 1, c: 1 }, veto: 'b' }])
})

test('the ballot has no veto button if no veto is left', async () => {
  await show({}, 0)

  expect(screen.queryByRole('button', { name: 'Veto Alien' })).toBeNull()
})

test('a ballot with an unanswered movie cannot be sent and explains why', async () => {
  const sent = await show()
  await press('Love it', 'Next movie', 'Fine', 'Next movie', 'Next movie')

  expect(rows()).toEqual(['Alien Love it', 'Brazil No answer yet', 'Contempt Fine'])
  expect(button('Vote').disabled).toBe(true)
  screen.getByText('Answer for every movie, then send your vote.')
  expect(sent).toEqual([])
})

test('a saved ballot shows its answers, and can be sent again after a change', async () => {
  const sent = await show({ ballot: { scores: { a: 0, b: 1, c: 2 }, veto: null } })
  screen.getByText('Your vote is in. You can change it until the vote ends.')
  expect(rows()).toEqual(['Alien Rather not', 'Brazil Fine', 'Contempt Love it'])
  expect(screen.queryByRole('button', { name: 'Change my vote' })).toBeNull()

  await press('Alien Rather not', 'Fine', 'Change my vote')

  expect(sent).toEqual([{ drawNumber: 3, scores: { a: 1, b: 1, c: 2 }, veto: null }])
})

test('a movie that was deleted during the vote is skipped', async () => {
  const sent = await show({ cards: [card('a', 'Alien'), card('b', null)] })

  await press('Love it', 'Vote')

  expect(sent).toEqual([{ drawNumber: 3, scores: { a: 2 }, veto: null }])
})

test.each([
  { direction: 'ltr', to: 'the left', dx: -80, next: 'Brazil' },
  { direction: 'ltr', to: 'the right', dx: 80, next: 'Alien' },
  { direction: 'rtl', to: 'the right', dx: 80, next: 'Brazil' },
  { direction: 'ltr', to: 'the left, but mostly down', dx: -80, dy: 100, next: 'Alien' },
])('a swipe to $to on an $direction page shows the movie $next', async ({ direction, dx, dy = 0, next }) => {
  document.body.style.direction = direction
  await show()
  const heading = screen.getByRole('heading', { level: 3 })

  fireEvent.pointerDown(heading, { pointerType: 'touch', clientX: 200, clientY: 200 })
  fireEvent.pointerUp(heading, { pointerType: 'touch', clientX: 200 + dx, clientY: 200 + dy })

  expect(title()).toBe(next)
  document.body.style.direction = ''
})

test('one press answers all other movies with "Fine" after the first answer', async () => {
  const sent = await show()
  expect(screen.queryByRole('button', { name: 'All others: Fine' })).toBe(null)
  await press('Love it', 'All others: Fine')
  expect(rows()).toEqual(['Alien Love it', 'Brazil Fine', 'Contempt Fine'])
  await press('Vote')
  expect(sent).toEqual([{ drawNumber: 3, scores: { a: 2, b: 1, c: 1 }, veto: null }])
})

/** A draft in memory. */
function aDraft() {
  const kept: { text?: string | undefined } = {}
  const save = (text: string | undefined) => {
    kept.text = text
  }
  return { kept, draft: { read: () => kept.text, save, clear: () => save(undefined) } }
}

test('unsent answers survive leaving the page', async () => {
  const { kept, draft } = aDraft()
  await show({}, 1, draft)
  await press('Love it', 'Veto Brazil')
  cleanup()

  const sent = await show({}, 1, draft)
  expect(title()).toBe('Contempt')
  await press('Fine')
  cleanup()
  await show({}, 1, draft)
  expect([title(), rows()]).toEqual(['Your vote', ['Alien Love it', 'Brazil vetoed', 'Contempt Fine']])
  expect(sent).toEqual([])
  cleanup()

  await show({ ballot: { scores: { a: 2, b: 0, c: 1 }, veto: 'b' } }, 1, draft)
  expect(kept.text).toBe(undefined)
})

test('unsent changes of a saved ballot survive leaving the page and can be sent', async () => {
  const { draft } = aDraft()
  const ballot = { scores: { a: 0, b: 1, c: 2 }, veto: null } as const
  await show({ ballot }, 1, draft)
  await press('Alien Rather not', 'Love it')
  cleanup()

  const sent = await show({ ballot }, 1, draft)
  expect(rows()).toEqual(['Alien Love it', 'Brazil Fine', 'Contempt Love it'])
  await press('Change my vote')
  expect(sent).toEqual([{ drawNumber: 3, scores: { a: 2, b: 1, c: 2 }, veto: null }])
})
