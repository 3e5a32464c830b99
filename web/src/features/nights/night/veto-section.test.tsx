import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import '#web/i18n/night-texts.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { anOpenNight, aProfile } from '#web/testing/samples.ts'

import { OpenNight } from './open-night.tsx'
import { VoteResult } from './vote-section.tsx'

tidyUp()

const ALIEN = { cardId: 'c1', title: 'Alien' }
const NONE = { vote: null, vetoBudget: 2 }
const FEW_PEOPLE = 'With fewer than three people here, it is easy to guess who used a veto.'

/** An open night in which Alien was drawn. The first veto fails if `isRefused`. */
async function show(people: string[], { isRefused = false, vetoesLeft = 2 } = {}) {
  let isVetoed = false
  const state = () => ({ ...NONE, revealed: isVetoed ? [] : [ALIEN], wasVetoed: isVetoed, vetoesLeft })
  const stream = aLiveStream()
  const api = fakeApi({
    watchlistEvents: () => stream.response,
    findVote: state,
    vetoCard: () => {
      if (isRefused) return new Refusal(400, 'BAD_REQUEST', 'cardId: This movie is decided already')
      isVetoed = true
      return state()
    },
    listScreens: () => ({ screens: [] }),
    listCards: () => ({ cards: [], nextToken: null }),
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
    addSeed: () => undefined,
    getDrawOdds: () => ({ rule: 'cards', rest: 0, eligible: 1, resting: 0, people: [] }),
  })
  await renderPart(<OpenNight night={anOpenNight('w1', people)} username="Ben" isOwner={false} />)
  await screen.findByText('Alien')
  return { vetoes: () => api.callsOf('vetoCard').map(({ request }) => request.body) }
}

test('a veto is sent after a question, and the page says that someone used one', async () => {
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

test('with fewer than three people the question warns that a veto is easy to guess', async () => {
  await show(['Ana', 'Ben'])

  await userEvent.click(screen.getByRole('button', { name: 'Veto Alien' }))

  expect(screen.queryByText(FEW_PEOPLE, { exact: false })).not.toBeNull()
})

test('a veto that came too late says so, and can be cancelled', async () => {
  await show(['Ana', 'Ben'], { isRefused: true })

  await userEvent.click(screen.getByRole('button', { name: 'Veto Alien' }))
  await userEvent.click(screen.getByRole('button', { name: 'Veto' }))
  await screen.findByText('Your veto was not used.', { exact: false })
  await userEvent.click(screen.getByRole('button', { name: 'Not now' }))

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('without a veto left there is no button', async () => {
  await show(['Ana', 'Ben'], { vetoesLeft: 0 })

  screen.getByText('You have no veto left this month.')
  expect(screen.queryByRole('button', { name: 'Veto Alien' })).toBeNull()
})

test('the result of a vote begins with the winner, and the others follow by points', async () => {
  const total = (cardId: string, points: number, title: string | null = null, isVetoed = false) => ({
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

  await renderPart(<VoteResult vote={vote} />)

  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Alien · 4 points',
    'A movie that is back in the box · 6 points · vetoed',
    'A movie that is back in the box · 3 points',
    'A movie that is back in the box · 1 point',
  ])
})
