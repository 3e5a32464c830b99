import { createHash } from 'node:crypto'

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

type Sent = { hash?: string; seed?: string; drawNumber: number }

const hashOf = (seed = '') => createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')
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
    addSeedHash: () => undefined,
    addSeed: () => undefined,
    ...answers,
  })
  await renderPart(<OpenNight night={anOpenNight(watchlistId, present)} username="Ben" isOwner={false} />)
  await screen.findByRole('heading', { name: 'Who is here?' })
  const tell = (drawNumber?: number, seeds?: 'hash' | 'open') =>
    stream.tell({ kind: 'nights-changed', watchlistId, by: 'Ana', drawNumber, seeds })
  const bodies = (name: 'addSeedHash' | 'addSeed') => api.callsOf(name).map(({ request }) => request.body as Sent)
  return { api, tell, hashes: () => bodies('addSeedHash'), seeds: () => bodies('addSeed') }
}

test('a present member’s device sends a hash, and sends its seed once the closed list has that hash', async () => {
  let closed: string[] | null = null
  const { api, tell, hashes, seeds } = await show('w1', ['Ana', 'Ben'], { findSeedHashes: () => ({ hashes: closed }) })
  tell()
  tell(7, 'hash')
  tell(8, 'hash')
  await waitFor(() => expect(hashes()).toHaveLength(2))
  expect(hashes().map(({ drawNumber }) => drawNumber)).toEqual([7, 8])
  expect(new Set(hashes().map(({ hash }) => hash)).size).toBe(2)
  expect(api.callsOf('addSeedHash')[0]?.request.params).toEqual({ nightId: `w1_${NIGHT}` })

  tell(7, 'open')
  await waitFor(() => expect(api.callsOf('findSeedHashes')).toHaveLength(1))
  closed = [hashes()[1]?.hash ?? '', 'f'.repeat(64)]
  tell(7, 'open')
  tell(8, 'open')
  await waitFor(() => expect(api.callsOf('findSeedHashes')).toHaveLength(3))

  await waitFor(() => expect(seeds()).toHaveLength(1))
  const { seed, drawNumber } = seeds()[0] ?? {}
  expect([drawNumber, hashOf(seed)]).toEqual([8, hashes()[1]?.hash])
})

test('an absent member’s device sends neither hash nor seed', async () => {
  const { api, tell, hashes, seeds } = await show('w2', ['Ana'])
  const before = api.callsOf('findVote').length
  tell(7, 'hash')
  tell(7, 'open')

  await waitFor(() => expect(api.callsOf('findVote').length).toBeGreaterThan(before))
  expect([hashes(), seeds()]).toEqual([[], []])
})

test('the drawing device sends one hash, waits for the others, and uses a new seed for a replaced draw', async () => {
  const answers = drawing(aCard('drawn'))
  const conflicts = [{ missing: 1 }, { drawNumber: 2 }]
  const { api, tell, hashes } = await show('w3', ['Ana', 'Ben'], {
    ...answers,
    closeSeedHashes: ({ body }) => ({ hashes: [...(body as { hashes: string[] }).hashes, 'f'.repeat(64)] }),
    revealDraw: () => {
      const details = conflicts.shift()
      return details ? new Refusal(409, 'CONFLICT', 'Not yet', details) : answers.revealDraw()
    },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Choose a movie' }))
  await userEvent.click(screen.getByRole('button', { name: 'Draw a movie' }))
  tell(1, 'hash')

  await waitFor(() => expect(api.callsOf('revealDraw')).toHaveLength(3))
  expect(api.callsOf('prepareDraw')[0]?.request.body).toMatchObject({ nightId: `w3_${NIGHT}`, picks: 1 })
  const revealed = api
    .callsOf('revealDraw')
    .map(({ request }) => [request.params['drawNumber'], ...(request.body as { seeds: string[] }).seeds])
  expect(revealed.map(([drawNumber]) => drawNumber)).toEqual(['1', '1', '2'])
  expect(hashOf(revealed[0]?.[1])).toBe(hashes()[0]?.hash)
  expect([revealed[0]?.[1] === revealed[1]?.[1], revealed[0]?.[1] === revealed[2]?.[1]]).toEqual([true, false])
})
