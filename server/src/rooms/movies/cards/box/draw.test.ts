import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { MOVE_TARGETS } from '@marquee/contract/rules/card-moves'
import { type Random, systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp, startApp } from '../../../../testing/start-app.ts'
import type { CardTables } from '../card/store.ts'

const ROUNDS = 25

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  const reveal = async (watchlist: Watchlist, by: Caller) =>
    await call(theApp(), ENDPOINTS.revealRandomCard, by, { params: { watchlistId: watchlist.id } })
  const countBox = async (watchlist: Watchlist, by: Caller) =>
    (await callOk(theApp(), ENDPOINTS.countSuggestedCards, by, { params: { watchlistId: watchlist.id } })).count
  const slotsOf = async (watchlist: Watchlist) =>
    (
      await theDatabase()
        .withTables<CardTables>()
        .read.selectFrom('card')
        .select('selection_index')
        .where('watchlist_id', '=', watchlist.id)
        .where('status', '=', 'SUGGESTED')
        .orderBy('selection_index')
        .execute()
    ).map((row) => row.selection_index)
  const dense = (count: number) => Array.from({ length: count }, (_, index) => index)

  test('a reveal from an empty box gets 404 and the message that there are no cards', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())

    const { status, body } = await reveal(watchlist, owner)

    expect(status).toBe(404)
    expect(body).toEqual({ type: 'NOT_FOUND', message: 'No cards to reveal from the box' })
  })

  test('a revealed card leaves the box and appears at the top of the feed', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    await aCard(theApp(), { inside: watchlist, by: owner, status: 'WATCHED' })
    const card = await aCard(theApp(), { inside: watchlist, by: owner })

    const { status, body } = await reveal(watchlist, owner)

    expect(status).toBe(200)
    expect(body).toMatchObject({ id: card.id, status: 'REVEALED', selectionIndex: null })
    expect(body.statusChanges.map((change) => change.status)).toEqual(['SUGGESTED', 'REVEALED'])
    expect(await countBox(watchlist, owner)).toBe(0)
    const { cards } = await callOk(theApp(), ENDPOINTS.listCards, owner, { params: { watchlistId: watchlist.id } })
    expect(cards[0]).toEqual(body)
  })

  describe('two concurrent reveals', () => {
    test('two concurrent reveals get different cards from a box of two', { tags: ['race'] }, async () => {
      const ben = aUser('ben')
      const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
      for (let round = 0; round < ROUNDS; round += 1) {
        await aCard(theApp(), { inside: watchlist, by: owner })
        await aCard(theApp(), { inside: watchlist, by: ben })

        const [one, other] = await Promise.all([reveal(watchlist, owner), reveal(watchlist, ben)])

        expect([one.status, other.status]).toEqual([200, 200])
        expect(one.body.id).not.toBe(other.body.id)
      }
    })

    test('two concurrent reveals get one card and one 404 from a box of one', { tags: ['race'] }, async () => {
      const ben = aUser('ben')
      const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
      for (let round = 0; round < ROUNDS; round += 1) {
        await aCard(theApp(), { inside: watchlist, by: owner })

        const answers = await Promise.all([reveal(watchlist, owner), reveal(watchlist, ben)])

        expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 404])
        const loser = answers.find((answer) => answer.status === 404)
        expect(loser?.body.message).toBe('No cards to reveal from the box')
        expect(await countBox(watchlist, owner)).toBe(0)
      }
    })
  })

  test('concurrent changes by many members leave no gap in the slots of the box', { tags: ['race'] }, async () => {
    const members = ['ben', 'cem', 'dot'].map(aUser)
    const { watchlist, owner } = await aWatchlist(theApp(), { members })
    const params = { watchlistId: watchlist.id }
    const someone = () => [owner, ...members][systemRandom.below(4)] ?? owner
    const added = new Set<string>()
    const actions = [
      async () => {
        const reveals = systemRandom.below(3) === 0 ? ('REVEALED' as const) : ('SUGGESTED' as const)
        added.add((await aCard(theApp(), { inside: watchlist, by: someone(), status: reveals })).id)
      },
      async () => {
        await reveal(watchlist, someone())
      },
      async () => {
        const { cards } = await callOk(theApp(), ENDPOINTS.listCards, owner, { params })
        const card = cards[systemRandom.below(Math.max(cards.length, 1))]
        const status = MOVE_TARGETS[systemRandom.below(5)] ?? 'SUGGESTED'
        if (!card) return
        await call(theApp(), ENDPOINTS.moveCard, someone(), {
          params: { ...params, cardId: card.id },
          body: { status },
        })
      },
    ]

    for (let round = 0; round < 15; round += 1) {
      await Promise.all(Array.from({ length: 8 }, async () => await actions[systemRandom.below(actions.length)]?.()))
      const count = await countBox(watchlist, owner)
      expect(await slotsOf(watchlist)).toEqual(dense(count))
    }

    const rows = await theDatabase()
      .withTables<CardTables>()
      .read.selectFrom('card')
      .select(['id', 'status_change_count'])
      .where('watchlist_id', '=', watchlist.id)
      .execute()
    expect(new Set(rows.map((row) => row.id))).toEqual(added)
  })

  test('the history of a card that was revealed and put back repeatedly is complete and in order', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const card = await aCard(theApp(), { inside: watchlist, by: owner })
    const params = { watchlistId: watchlist.id, cardId: card.id }
    for (let round = 0; round < 12; round += 1) {
      await reveal(watchlist, owner)
      await callOk(theApp(), ENDPOINTS.moveCard, owner, { params, body: { status: 'SUGGESTED' } })
    }

    const { body } = await reveal(watchlist, owner)

    const rounds = Array.from({ length: 13 }, () => ['SUGGESTED', 'REVEALED']).flat()
    expect(body.statusChanges.map((change) => change.status)).toEqual(rounds)
    const times = body.statusChanges.map((change) => change.changedAt)
    expect(times).toEqual(times.toSorted())
  })

  test('every card has the same chance to be revealed', async () => {
    const size = 5
    const draws = 400
    const { watchlist, owner } = await aWatchlist(theApp())
    const params = { watchlistId: watchlist.id }
    const seen = new Map<string, number>()
    for (let n = 0; n < size; n += 1) seen.set((await aCard(theApp(), { inside: watchlist, by: owner })).id, 0)

    for (let n = 0; n < draws; n += 1) {
      const { body } = await reveal(watchlist, owner)
      seen.set(body.id, (seen.get(body.id) ?? 0) + 1)
      await callOk(theApp(), ENDPOINTS.moveCard, owner, {
        params: { ...params, cardId: body.id },
        body: { status: 'SUGGESTED' },
      })
    }

    const expected = draws / size
    const chiSquare = [...seen.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    // Four degrees of freedom: a fair draw exceeds this once in a million runs.
    expect(chiSquare).toBeLessThan(33.4)
  })

  test('a reveal draws a random slot below the number of cards in the box', async () => {
    const asked: number[] = []
    const random: Random = { ...systemRandom, below: (limit) => asked.push(limit) && limit - 2 }
    const app = await startApp(theDatabase(), { random })
    const { watchlist, owner } = await aWatchlist(app)
    const titles = ['a', 'b', 'c', 'd']
    for (const title of titles) await aCard(app, { inside: watchlist, by: owner, title })
    const draw = async () =>
      (await callOk(app, ENDPOINTS.revealRandomCard, owner, { params: { watchlistId: watchlist.id } })).title

    const drawn = [await draw(), await draw(), await draw()]
    await app.stop()

    // Each time the card of the last slot moves into the gap.
    expect(asked).toEqual([4, 3, 2])
    expect(drawn).toEqual(['c', 'b', 'a'])
    expect(await slotsOf(watchlist)).toEqual([0])
  })
})
