import type { CardStatus } from '@marquee/contract/entities/card'
import type { Night } from '@marquee/contract/entities/night'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Outlet, Route, Routes } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'

import { connection } from '#web/api/connection.ts'
import { answeredHere } from '#web/api/read-times.ts'
import { nightList } from '#web/features/nights/night/night-list.ts'
import { type Items, step } from '#web/offline/outbox/machine.ts'
import { store } from '#web/offline/outbox/store.ts'
import { openOutbox, settlers } from '#web/offline/outbox/waiting.ts'
import { session } from '#web/session/session.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, anOpenNight, aProfile, aWatchlist, drawing } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'

import { Component } from './watchlist.tsx'
import type { WatchlistPlace } from './watchlist-layout.tsx'

tidyUp()

const FRIDAY = anOpenNight('w1', ['Ana'])
const SUNDAY = anOpenNight('w1', ['Ana', 'Ben'], { id: 'w1_11111111-1111-4111-8111-111111111111' })
const ON_FRIDAY = [FRIDAY]
const PLACE: WatchlistPlace = { username: 'Ben', isMember: true, isOwner: false, watchlist: aWatchlist() }

/** The box during the night on Friday, where Ben is not. `become` changes the nights. */
async function open(first: Night[] | Refusal = ON_FRIDAY) {
  const nights = { now: first, isKept: false }
  const { queryKey } = nightList('w1')
  const listNights = () => {
    const query = client.getQueryCache().find({ queryKey })
    if (nights.isKept && query) answeredHere(query)
    return nights.now instanceof Refusal ? nights.now : { nights: nights.now, unrated: [] }
  }
  const api = fakeApi({
    ...drawing(aCard('drawn')),
    moveCard: ({ params, body }) => aCard(params['cardId'] ?? '', (body as { status: CardStatus }).status),
    listNights,
    listCards: () => ({ cards: [], nextToken: null }),
    countSuggestedCards: () => ({ count: 3 }),
    listSuggestions: () => ({ cards: [], nextToken: null, count: 0, wantCount: 0 }),
    watchlistEvents: () => aLiveStream().response,
    getProfile: ({ params }) => aProfile(params['username'] ?? ''),
  })
  const { client } = await renderPart(
    <Routes>
      <Route element={<Outlet context={PLACE} />}>
        <Route index element={<Component />} />
      </Route>
    </Routes>,
  )
  if (first === ON_FRIDAY) await screen.findByRole('heading', { name: 'Movie night is on' }, WITHIN)
  return {
    moves: () => api.callsOf('moveCard').map(({ request }) => request.body),
    draws: () => api.callsOf('prepareDraw').length + client.isMutating(),
    become: async (...now: Night[]) => {
      nights.now = now
      await client.invalidateQueries({ queryKey })
    },
    /** Shows what this device has kept of the nights. */
    showKept: async () => {
      nights.isKept = true
      await client.invalidateQueries({ queryKey })
    },
  }
}

const reveal = async () => userEvent.click(await screen.findByRole('button', { name: 'Reveal random card' }, WITHIN))
const question = () => screen.queryByRole('dialog', { name: 'A movie night is on. Join it?' })

test('the question to join a night closes once the user is there, and the next press reveals a movie', async () => {
  const { become, draws } = await open()
  await reveal()
  await waitFor(() => expect(question()).not.toBeNull(), WITHIN)

  await become({ ...FRIDAY, present: SUNDAY.present })
  await screen.findByRole('link', { name: 'Back to the night' }, WITHIN)
  await waitFor(() => expect(question()).toBeNull(), WITHIN)
  expect(draws()).toBe(0)
  await reveal()

  await screen.findByRole('article', { name: 'Movie drawn' }, WITHIN)
  expect(draws()).toBe(1)
})

test('a card that is accepted in the feed names the open night, and one that is declined does not', async () => {
  const { become, moves } = await open()
  await become({ ...FRIDAY, present: SUNDAY.present })
  await screen.findByRole('link', { name: 'Back to the night' }, WITHIN)
  for (const decision of ['Accept', 'Decline']) {
    await reveal()
    await screen.findByRole('article', { name: 'Movie drawn' }, WITHIN)
    await userEvent.click(await screen.findByRole('button', { name: decision }, WITHIN))
    await waitFor(() => expect(moves()).toHaveLength(decision === 'Accept' ? 1 : 2), WITHIN)
  }

  expect(moves()).toEqual([{ status: 'WATCHED', nightId: FRIDAY.id }, { status: 'REJECTED' }])
})

/** An outbox in memory for a user of this test alone, since the app opens one for each user. */
function keepFor(userId: string): void {
  let items: Items = []
  vi.spyOn(session, 'idToken').mockResolvedValue(`head.${btoa(JSON.stringify({ sub: userId }))}.signature`)
  const user = { userId, username: 'Ben', loginId: 'ben@example.org' }
  vi.spyOn(session, 'current').mockReturnValue({ state: 'signed-in', user })
  vi.spyOn(store, 'read').mockImplementation(async () => items)
  vi.spyOn(store, 'apply').mockImplementation(async (_userId, event) => {
    items = step(items, event)
    return items
  })
  const settle = () => undefined
  settlers.add(settle)
  onTestFinished(() => void settlers.delete(settle))
}

const tenMinutesLater = () => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 })
type Page = Awaited<ReturnType<typeof open>>
const AT_NONE = { status: 'WATCHED', nightId: null }
const UNKNOWN = { status: 'WATCHED' }

test.each<[string, Night[] | Refusal, (page: Page) => unknown, object]>([
  ['says that none was open if the list was empty', [], () => undefined, AT_NONE],
  ['names none if the list was unknown', new Refusal(500, 'SERVER_ERROR', 'no'), () => undefined, UNKNOWN],
  ['names none if the list was kept on this device', [], async ({ showKept }) => showKept(), UNKNOWN],
  ['names none if the list was read ten minutes ago', [], tenMinutesLater, UNKNOWN],
])('an accept beside no night names none, and one that waited %s', async (what, nights, become, afterwards) => {
  const page = await open(nights)
  const { moves } = page
  keepFor(what)
  const current = vi.spyOn(connection, 'current').mockReturnValue('online')
  await reveal()
  await userEvent.click(await screen.findByRole('button', { name: 'Accept' }, WITHIN))
  await waitFor(() => expect(moves()).toEqual([{ status: 'WATCHED' }]), WITHIN)

  await reveal()
  await screen.findByRole('button', { name: 'Accept' }, WITHIN)
  await become(page)
  current.mockReturnValue('offline')
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull(), WITHIN)
  expect(moves()).toHaveLength(1)
  current.mockReturnValue('online')
  await (await openOutbox()).send()

  expect(moves().at(-1)).toEqual(afterwards)
})

test.each([
  ['where the user is not', { ...SUNDAY, present: FRIDAY.present }, 'Join the night'],
  ['where the user is', SUNDAY, 'Back to the night'],
])('the question about an ended night does not return with the next night, %s', async (_where, next, link) => {
  const { become, draws } = await open()
  await reveal()
  await become()
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Movie night is on' })).toBeNull(), WITHIN)

  await become(next)
  await screen.findByRole('link', { name: link }, WITHIN)

  expect(question()).toBeNull()
  expect(draws()).toBe(0)
})
