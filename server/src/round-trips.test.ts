import { AsyncLocalStorage } from 'node:async_hooks'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Database } from '@marquee/platform/database/database'
import { migrate } from '@marquee/platform/database/migrate'
import { openPostgres } from '@marquee/platform/database/postgres'
import { PreparingClient } from '@marquee/platform/database/preparing-client'
import { freshPostgresUrl } from '@marquee/platform/testing/postgres-server'

import { productMigrations } from './migrations/index.ts'
import { call, type Caller, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { startApp, type TestApp } from './testing/start-app.ts'

const SEEDS = ['5e'.repeat(32)]

/** The count of the call that is made. The app does other work in the background. */
const counting = new AsyncLocalStorage<{ messages: number }>()

/** Counts messages to PostgreSQL: statements of one turn leave in one message. */
class CountingClient extends PreparingClient {
  /** The count that the message of this turn is in. */
  #counted: object | undefined

  // oxlint-disable-next-line typescript/no-explicit-any -- as in PreparingClient
  override query(...given: unknown[]): any {
    const count = counting.getStore()
    if (count && this.#counted !== count) {
      this.#counted = count
      count.messages += 1
      process.nextTick(() => {
        this.#counted = undefined
      })
    }
    return super.query(...given)
  }
}

let database: Database<unknown>
let app: TestApp & { stop: () => Promise<void> }

beforeAll(async () => {
  database = openPostgres(await freshPostgresUrl(), { onIdleError: () => undefined, Client: CountingClient })
  await migrate(database, 'product', productMigrations)
  // Activities are announced in the background, after the reply.
  app = await startApp(database, { announceAfterMs: 600_000 })
})
afterAll(async () => {
  await app.stop()
  await database.close()
})

async function scene() {
  const { watchlist, owner } = await aWatchlist(app)
  const [secret, shown] = [
    await aCard(app, { inside: watchlist, by: owner }),
    await aCard(app, { inside: watchlist, by: owner, status: 'REVEALED' }),
  ]
  await aCard(app, { inside: watchlist, by: owner })
  const decided = await aCard(app, { inside: watchlist, by: owner, status: 'WATCHED' })
  const inCard = { watchlistId: watchlist.id, cardId: shown.id }
  const { commentId } = await callOk(app, ENDPOINTS.addComment, owner, { params: inCard, body: { content: 'Hm' } })
  return {
    owner,
    params: { ...inCard, commentId },
    secretParams: { ...inCard, cardId: secret.id },
    decidedParams: { ...inCard, cardId: decided.id },
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

const CALLS: Record<string, (given: Scene) => Promise<unknown>> = {
  'adding a comment': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.addComment, owner, { params, body: { content: 'Tonight?' } }),
  'editing a comment': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.editComment, owner, { params, body: { content: 'Tomorrow?' } }),
  'deleting a comment': async ({ owner, params }) => await callOk(app, ENDPOINTS.deleteComment, owner, { params }),
  'rating a movie': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.saveViewing, owner, { params, body: { stars: 4 } }),
  'revealing a card': async ({ owner, params }) => await callOk(app, ENDPOINTS.revealRandomCard, owner, { params }),
  'accepting a card': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.moveCard, owner, { params, body: { status: 'WATCHED' } }),
  'putting a card back': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.moveCard, owner, { params, body: { status: 'SUGGESTED' } }),
  'undoing a decision': async ({ owner, decidedParams: params }) =>
    await callOk(app, ENDPOINTS.undoMove, owner, { params }),
  'editing a card of the feed': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.editCard, owner, { params, body: { title: 'Ran' } }),
  'editing a card in the box': async ({ owner, secretParams }) =>
    await callOk(app, ENDPOINTS.editCard, owner, { params: secretParams, body: { title: 'Ran' } }),
  'deleting a card of the feed': async ({ owner, params }) =>
    await callOk(app, ENDPOINTS.deleteCard, owner, { params }),
  'deleting a card in the box': async ({ owner, secretParams }) =>
    await callOk(app, ENDPOINTS.deleteCard, owner, { params: secretParams }),
}

test.each(Object.entries(CALLS))('%s takes two round trips to PostgreSQL', async (_what, makeCall) => {
  const given = await scene()

  expect(await countMessages(async () => await makeCall(given))).toBe(2)
})

async function countMessages(makeCall: () => Promise<unknown>): Promise<number> {
  const count = { messages: 0 }
  await counting.run(count, makeCall)
  return count.messages
}

test('removing a member takes the same number of round trips for five of their invitations as for one', async () => {
  const removal = async (invitations: number) => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben] })
    const params = { watchlistId: watchlist.id }
    for (let n = 0; n < invitations; n += 1)
      await callOk(app, ENDPOINTS.inviteUser, ben, { params, body: { username: aUser('guest').username } })
    const remove = async () =>
      await callOk(app, ENDPOINTS.removeMember, ana, { params: { ...params, username: ben.username } })
    return await countMessages(remove)
  }

  expect(await removal(5)).toBe(await removal(1))
})

/** A night with three members and a television, and a prepared draw of three cards. The rule knows people, and cards rest. */
async function evening() {
  const [ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
  const box = ['Alien', 'Brazil', 'Clueless', 'Duel', 'Eraserhead']
  const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben, cleo], box })
  await aCard(app, { inside: watchlist, by: ben, status: 'WATCHED' })
  const params = { watchlistId: watchlist.id }
  await callOk(app, ENDPOINTS.setDrawRule, ana, { params, body: { rule: 'waiting', rest: 3 } })
  const { id: nightId } = await callOk(app, ENDPOINTS.openNight, ana, { params })
  const atNight = { nightId }
  for (const by of [ben, cleo]) await callOk(app, ENDPOINTS.arriveAtNight, by, { params: atNight })
  const { code, secret } = await callOk(app, ENDPOINTS.requestScreen, ana)
  await callOk(app, ENDPOINTS.pairScreen, ana, { params: atNight, body: { code } })
  const { pass } = await callOk(app, ENDPOINTS.findScreenPass, ana, { body: { code, secret } })
  const { drawNumber } = await callOk(app, ENDPOINTS.prepareDraw, ana, {
    params,
    body: { picks: 3, nightId },
  })
  const openVote = async () =>
    await callOk(app, ENDPOINTS.openVote, ana, { params: atNight, body: { drawNumber, seeds: SEEDS } })
  const castBallot = async (by: Caller, cardIds: readonly string[]) =>
    await callOk(app, ENDPOINTS.castBallot, by, {
      params: atNight,
      body: { drawNumber, scores: Object.fromEntries(cardIds.map((id) => [id, 1])), veto: cardIds[0] ?? null },
    })
  return { ana, ben, cleo, watchlist, params, atNight, drawNumber, openVote, castBallot, token: pass?.token ?? '' }
}

type Evening = Awaited<ReturnType<typeof evening>>

/** Makes what the call needs, and returns the call. */
type Prepare = (given: Evening) => Promise<() => Promise<unknown>>

const IN_AN_EVENING: readonly (readonly [trips: number, what: string, prepare: Prepare])[] = [
  [
    3,
    'putting a card into the box',
    async ({ ana, watchlist }) =>
      async () =>
        await aCard(app, { inside: watchlist, by: ana }),
  ],
  [
    3,
    'adding a card to the feed',
    async ({ ana, watchlist }) =>
      async () =>
        await aCard(app, { inside: watchlist, by: ana, status: 'REVEALED' }),
  ],
  [
    3,
    'preparing a draw',
    async ({ ana, params, atNight }) =>
      async () =>
        await callOk(app, ENDPOINTS.prepareDraw, ana, { params, body: { picks: 1, ...atNight } }),
  ],
  [
    3,
    'revealing a draw of three cards',
    async ({ ana, params }) => {
      const { drawNumber } = await callOk(app, ENDPOINTS.prepareDraw, ana, { params, body: { picks: 3 } })
      const inDraw = { ...params, drawNumber: String(drawNumber) }
      return async () => await callOk(app, ENDPOINTS.revealDraw, ana, { params: inDraw, body: { seeds: SEEDS } })
    },
  ],
  [5, 'opening a vote', async ({ openVote }) => openVote],
  [
    5,
    'the ballot that closes a vote',
    async ({ ana, ben, cleo, openVote, castBallot }) => {
      const { vote } = await openVote()
      const ids = vote?.cards.map(({ cardId }) => cardId) ?? []
      await castBallot(ana, ids)
      await castBallot(ben, ids)
      return async () => {
        const closed = await castBallot(cleo, ids)
        expect(closed.vote?.closedAt).not.toBeNull()
      }
    },
  ],
  [
    2,
    'reading a vote',
    async ({ ben, atNight, openVote }) => {
      await openVote()
      return async () => await callOk(app, ENDPOINTS.findVote, ben, { params: atNight })
    },
  ],
  [
    2,
    'reading the night for the television of a member',
    async ({ ana, atNight, openVote }) => {
      await openVote()
      return async () => await callOk(app, ENDPOINTS.getNightScreen, ana, { params: atNight })
    },
  ],
  [
    3,
    'reading the night for a television with a pass',
    async ({ atNight, openVote, token }) => {
      await openVote()
      return async () => {
        const headers = { authorization: `Bearer ${token}` }
        const { status } = await call(app, ENDPOINTS.getNightScreen, undefined, { params: atNight, headers })
        expect(status).toBe(200)
      }
    },
  ],
]

test.each(IN_AN_EVENING)('%i round trips to PostgreSQL are needed for %s', async (trips, _what, prepare) => {
  const makeCall = await prepare(await evening())

  expect(await countMessages(makeCall)).toBe(trips)
})
