import type { Availability } from '@marquee/contract/entities/availability'
import type { CardStatus } from '@marquee/contract/entities/card'
import type { NightVoteState } from '@marquee/contract/entities/vote'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'

import '#web/i18n/night-texts.ts'
import { features, setFeatures } from '#web/config.ts'
import type { Item } from '#web/offline/outbox/machine.ts'
import * as waiting from '#web/offline/outbox/waiting.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, ALIEN as ALIEN_FACTS, anOpenNight, aProfile } from '#web/testing/samples.ts'

import { OpenNight } from './open-night.tsx'
import { withKnownTitles } from './vote-queries.ts'
import { VoteResult } from './vote-section.tsx'

tidyUp()

const film = {
  imageUrl: 'https://posters.test/alien.jpg',
  movie: ALIEN_FACTS,
  description: null,
  status: 'REVEALED',
  statusChangedAt: '2026-03-02T20:20:00.000Z',
} as const
const ALIEN = { cardId: 'c1', title: 'Alien', film }
const NONE = { vote: null, vetoBudget: 2 }
const NIGHT_ID = anOpenNight('w1', []).id
const FEW_PEOPLE = 'With fewer than three people here, it is easy to guess who used a veto.'

/** An open night in which Alien was drawn. The first veto fails if `isRefused`. Replies after a move wait for `read`. */
async function show(
  people: string[],
  { isRefused = false, vetoesLeft = 2, read = Promise.resolve(), services = (): Availability['streaming'] => [] } = {},
) {
  let isVetoed = false
  let moved: CardStatus | undefined
  const state = () => ({
    ...NONE,
    revealed: isVetoed || moved !== undefined ? [] : [ALIEN],
    accepted: moved === 'WATCHED' ? [{ ...ALIEN, film: { ...film, status: moved } }] : [],
    wasVetoed: isVetoed,
    vetoesLeft,
  })
  const stream = aLiveStream()
  const api = fakeApi({
    watchlistEvents: () => stream.response,
    findVote: async () => {
      if (moved !== undefined) await read
      return state()
    },
    vetoCard: () => {
      if (isRefused) return new Refusal(400, 'BAD_REQUEST', 'cardId: This movie is decided already')
      isVetoed = true
      return state()
    },
    moveCard: ({ body }) => {
      if (moved !== undefined) return new Refusal(400, 'BAD_REQUEST', 'status: This card is decided already')
      moved = (body as { status: CardStatus }).status
      return aCard('c1', moved)
    },
    undoMove: () => {
      moved = undefined
      return aCard('c1')
    },
    countSuggestedCards: () => ({ count: 3 }),
    listScreens: () => ({ screens: [] }),
    listCards: () => ({ cards: [], nextToken: null }),
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
    addSeed: () => undefined,
    getDrawOdds: () => ({ rule: 'cards', rest: 0, eligible: 1, resting: 0, people: [] }),
    listNightAvailability: () => ({
      cards: [{ cardId: 'c1', streaming: services(), paid: [], link: null, servers: [], havers: [], request: null }],
    }),
  })
  let meet: (present: string[]) => void = () => {}
  function Evening() {
    const [present, setPresent] = useState(people)
    useEffect(() => {
      meet = setPresent
    }, [])
    return <OpenNight night={anOpenNight('w1', present)} username="Ben" isOwner={false} />
  }
  await renderPart(<Evening />)
  await screen.findByRole('heading', { name: 'Alien' })
  return {
    meet: (...present: string[]) => act(() => meet(present)),
    vetoes: () => api.callsOf('vetoCard').map(({ request }) => request.body),
    moves: () => api.callsOf('moveCard').map(({ request }) => [request.params['cardId'], request.body]),
  }
}

test('a veto is sent after a confirmation, and announced without a name', async () => {
  const { vetoes } = await show(['Ana', 'Ben', 'Cleo'])

  await userEvent.click(screen.getByRole('button', { name: 'Veto Alien' }))
  screen.getByRole('dialog', { name: 'Veto Alien?' })
  expect(screen.queryByText(FEW_PEOPLE, { exact: false })).toBeNull()
  expect(vetoes()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Veto' }))

  await screen.findByText('Someone used a veto. The movie is back in the box.')
  expect(vetoes()).toEqual([{ cardId: 'c1' }])
  await waitFor(() => expect(screen.queryByText('Alien')).toBeNull())
})

test('the confirmation of a veto warns that it is easy to guess if fewer than three people are here', async () => {
  await show(['Ana', 'Ben'])

  await userEvent.click(screen.getByRole('button', { name: 'Veto Alien' }))

  expect(screen.queryByText(FEW_PEOPLE, { exact: false })).not.toBeNull()
})

test('a veto that cannot be saved shows a message and can be cancelled', async () => {
  await show(['Ana', 'Ben'], { isRefused: true })

  await userEvent.click(screen.getByRole('button', { name: 'Veto Alien' }))
  await userEvent.click(screen.getByRole('button', { name: 'Veto' }))
  await screen.findByText('Your veto could not be saved.', { exact: false })
  await userEvent.click(screen.getByRole('button', { name: 'Not now' }))

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the veto button is hidden if no veto is left', async () => {
  await show(['Ana', 'Ben'], { vetoesLeft: 0 })

  screen.getByText('You have no veto left this month.')
  expect(screen.queryByRole('button', { name: 'Veto Alien' })).toBeNull()
})

test('a member accepts the movie at the night, undoes that, and puts the movie back', async () => {
  const { moves } = await show(['Ana', 'Ben'])
  screen.getByText('1979 · 1 h 57 · Horror, Science fiction · Ridley Scott')

  await userEvent.click(screen.getByRole('button', { name: 'Accept' }))
  await screen.findByText('Enjoy the movie!')
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: /^Undo/u }))
  await userEvent.click(await screen.findByRole('button', { name: 'Put Back' }))

  await screen.findByRole('heading', { name: 'Who is here?' })
  expect(moves()).toEqual([
    ['c1', { status: 'WATCHED', nightId: NIGHT_ID }],
    ['c1', { status: 'SUGGESTED' }],
  ])
})

test('a double tap on a decision sends it once, and the buttons are disabled until the result is shown', async () => {
  const { promise: read, resolve: answer } = Promise.withResolvers<void>()
  const { moves } = await show(['Ana', 'Ben'], { read })

  await userEvent.dblClick(screen.getByRole('button', { name: 'Accept' }))
  await screen.findByRole('button', { name: /^Undo/u })
  const buttons = ['Put Back', 'Decline', 'Accept'].map((name) =>
    screen.getByRole<HTMLButtonElement>('button', { name }),
  )
  expect(buttons.map(({ disabled }) => disabled)).toEqual([true, true, true])
  answer()

  await screen.findByText('Enjoy the movie!')
  expect(screen.queryByText('Failed to update movie status', { exact: false })).toBeNull()
  expect(moves()).toEqual([['c1', { status: 'WATCHED', nightId: NIGHT_ID }]])
})

test('a decision that waits for a connection is shown at the movie and replaces the buttons', async () => {
  const item: Item = {
    id: 'i1',
    userId: 'ben',
    key: 'k1',
    order: 1,
    action: { kind: 'move', watchlistId: 'w1', cardId: 'c1', status: 'WATCHED' },
    title: 'Alien',
    state: 'waiting',
    tries: 0,
  }
  vi.spyOn(waiting, 'useMoving').mockReturnValue(new Set(['c1']))
  vi.spyOn(waiting, 'useWaiting').mockImplementation((place) => (place === 'c1' ? [item] : []))
  await show(['Ana', 'Ben'])

  expect(await screen.findByText('Accept Alien')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^(?:Accept|Decline|Put Back)$/u })).toBeNull()
  expect(screen.queryByText('Waiting for your decision')).toBeNull()
})

test('where to watch is read again when one person arrives as another leaves', async () => {
  const before = features()
  setFeatures({ ...before, watchProviders: true })
  onTestFinished(() => setFeatures(before))
  let name = 'Mubi'
  const { meet } = await show(['Ana', 'Ben'], { services: () => [{ serviceId: 11, name }] })
  await screen.findByText('Streaming on Mubi')

  name = 'Netflix'
  meet('Ben', 'Cleo')

  expect(await screen.findByText('Streaming on Netflix')).toBeTruthy()
})

const total = (cardId: string, points: number | null, title: string | null = null, isVetoed = false) => ({
  cardId,
  title,
  film: null,
  total: points,
  isVetoed,
})
const vote = {
  drawNumber: 1,
  openedAt: '2026-03-01T20:00:00.000Z',
  closedAt: '2026-03-01T20:05:00.000Z',
  present: 3,
  voted: 3,
  cards: [total('c1', 1), total('c2', 6, null, true), total('c3', 4, 'Alien'), total('c4', 3)],
  winner: 'c3',
  ballot: null,
}
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

test('the result of a vote lists the winner first and the others by points', async () => {
  await renderPart(<VoteResult vote={vote} />)

  expect(rows()).toEqual([
    'Alien · 4 points',
    'A movie that is back in the box · 6 points · vetoed',
    'A movie that is back in the box · 3 points',
    'A movie that is back in the box · 1 point',
  ])
})

test('the result keeps the titles that this tab showed during the same vote', async () => {
  const state = (changes: object) =>
    ({
      ...NONE,
      revealed: [],
      accepted: [],
      wasVetoed: false,
      vetoesLeft: 0,
      vote: { ...vote, ...changes },
    }) as NightVoteState
  const cards = [total('c1', null, 'Brazil'), total('c2', null, 'Contempt'), total('c3', null, 'Alien')]
  const open = state({ closedAt: null, cards })
  const closed = state({ cards: [total('c1', 1), total('c2', 3), total('c3', 5, 'Alien')] })

  const { vote: known } = withKnownTitles(open, closed)
  if (known === null) throw new Error('There is a vote')
  await renderPart(<VoteResult vote={known} />)

  expect(rows()).toEqual(['Alien · 5 points', 'Contempt · 3 points', 'Brazil · 1 point'])
  expect(withKnownTitles(state({ closedAt: null, cards, drawNumber: 2 }), closed)).toEqual(closed)
  // A card that leaves an open vote can no longer be voted on.
  expect(withKnownTitles(open, state({ closedAt: null }))).toEqual(state({ closedAt: null }))
})
