import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import '#web/i18n/night-texts.ts'
import { fakeApi, type FakeAnswers, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, anOpenNight, aProfile, drawing } from '#web/testing/samples.ts'

import { OpenNight } from './open-night.tsx'

tidyUp()

const SEED = /^[\da-f]{64}$/u
const NIGHT = '00000000-0000-4000-8000-000000000000'

/** Shows an open night to Ben. Each test has a watchlist of its own: a device has one seed for each draw. */
async function show(watchlistId: string, present: string[], answers: FakeAnswers = {}) {
  const stream = aLiveStream()
  const api = fakeApi({
    watchlistEvents: () => stream.response,
    findVote: () => ({ vote: null, revealed: [], wasVetoed: false, vetoBudget: 2, vetoesLeft: 2 }),
    getDrawOdds: () => ({ rule: 'cards', rest: 0, eligible: 4, resting: 0, people: [] }),
    listScreens: () => ({ screens: [] }),
    listCards: () => ({ cards: [], nextToken: null }),
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
    addSeed: () => undefined,
    ...answers,
  })
  await renderPart(<OpenNight night={anOpenNight(watchlistId, present)} username="Ben" isOwner={false} />)
  await screen.findByRole('button', { name: 'Draw a movie' })
  const tell = (drawNumber?: number) => stream.tell({ kind: 'nights-changed', watchlistId, by: 'Ana', drawNumber })
  return { api, tell, seeds: () => api.callsOf('addSeed').map(({ request }) => request) }
}

test('a device of a member who is here adds its seed to each prepared draw', async () => {
  const { tell, seeds } = await show('w1', ['Ana', 'Ben'], { addSeed: () => new Refusal(409, 'CONFLICT', 'Too late') })
  tell()
  tell(7)
  tell(8)

  await waitFor(() => expect(seeds()).toHaveLength(2))
  const body = (drawNumber: number) => ({ seed: expect.stringMatching(SEED) as unknown, drawNumber })
  expect(seeds().map((request) => request.body)).toEqual([body(7), body(8)])
  expect(seeds()[0]?.params).toEqual({ nightId: `w1_${NIGHT}` })
  expect(new Set(seeds().map((request) => (request.body as { seed: string }).seed)).size).toBe(2)
})

test('a member who is not here adds no seed', async () => {
  const { api, tell, seeds } = await show('w2', ['Ana'])
  const before = api.callsOf('findVote').length
  tell(7)

  await waitFor(() => expect(api.callsOf('findVote').length).toBeGreaterThan(before))
  expect(seeds()).toEqual([])
})

test('the device that draws counts once, and a draw that was prepared again gets another seed', async () => {
  const answers = drawing(aCard('drawn'))
  const { api, tell, seeds } = await show('w3', ['Ana', 'Ben'], {
    ...answers,
    revealDraw: ({ params }) =>
      params['drawNumber'] === '1' ? new Refusal(409, 'CONFLICT', 'Gone', { drawNumber: 2 }) : answers.revealDraw(),
  })
  await userEvent.click(screen.getByRole('button', { name: 'Draw a movie' }))
  tell(1)
  tell(2)

  await waitFor(() => expect(api.callsOf('revealDraw')).toHaveLength(2), { timeout: 10_000 })
  expect(api.callsOf('prepareDraw')[0]?.request.body).toMatchObject({ nightId: `w3_${NIGHT}`, picks: 1 })
  const revealed = api.callsOf('revealDraw').flatMap(({ request }) => (request.body as { seeds: string[] }).seeds)
  expect(revealed).toEqual(seeds().map((request) => (request.body as { seed: string }).seed))
  expect(new Set(revealed).size).toBe(2)
})
