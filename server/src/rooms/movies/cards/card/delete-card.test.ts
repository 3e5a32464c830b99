import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { localEventBus } from '@marquee/platform/events/bus'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { insertComment } from '../../../../testing/insert-comment.ts'
import type { Tables } from '../../../../tables.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'

const ROUNDS = 20
const bus = localEventBus()

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { bus })

  const remove = async (card: Card, by: Caller) =>
    await call(theApp(), ENDPOINTS.deleteCard, by, { params: { watchlistId: card.watchlistId, cardId: card.id } })
  const reveal = async (watchlist: Watchlist, by: Caller) =>
    await call(theApp(), ENDPOINTS.revealRandomCard, by, { params: { watchlistId: watchlist.id } })
  const countOf = async (watchlist: Watchlist, by: Caller) =>
    (await callOk(theApp(), ENDPOINTS.countSuggestedCards, by, { params: { watchlistId: watchlist.id } })).count
  const rowsOf = async (watchlist: Watchlist) =>
    await theDatabase()
      .withTables<Tables>()
      .read.selectFrom('card')
      .select(['id', 'status', 'selection_index'])
      .where('watchlist_id', '=', watchlist.id)
      .orderBy('selection_index')
      .execute()
  const boxOf = async (watchlist: Watchlist) =>
    (await rowsOf(watchlist)).filter((row) => row.status === 'SUGGESTED').map((row) => row.selection_index)
  const dense = (count: number) => Array.from({ length: count }, (_, index) => index)

  test('deleting a card of the feed deletes its history and comments, and a second deletion gets 404', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'WATCHED' })
    const kept = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
    for (const shown of [card, kept])
      await insertComment(theDatabase(), { card: shown, content: 'Hm', id: systemRandom.orderedId() })

    const answers = [await remove(card, owner), await remove(card, owner)]

    expect(answers.map(({ status }) => status)).toEqual([204, 404])
    const tables = theDatabase().withTables<Tables>().read
    for (const table of ['card', 'status_change', 'comment'] as const) {
      const column = table === 'card' ? 'id' : 'card_id'
      const rows = await tables
        .selectFrom(table)
        .select(column)
        .distinct()
        .where('watchlist_id', '=', watchlist.id)
        .execute()
      expect(rows).toEqual([{ [column]: kept.id }])
    }
  })

  test.each([
    ['first', 0, ['c', 'b']],
    ['middle', 1, ['a', 'c']],
    ['last', 2, ['a', 'b']],
  ] as const)(
    'deleting the %s card of the box leaves no gap: the last card takes its slot',
    async (_which, index, left) => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const cards: Card[] = []
      for (const title of ['a', 'b', 'c']) cards.push(await aCard(theApp(), { inside: watchlist, by: owner, title }))
      const card = cards[index]
      if (!card) throw new Error('There is no such card')

      const { status } = await remove(card, owner)

      expect(status).toBe(204)
      expect(await countOf(watchlist, owner)).toBe(2)
      const titles = new Map(cards.map(({ id, title }) => [id, title]))
      expect((await rowsOf(watchlist)).map((row) => titles.get(row.id))).toEqual(left)
      expect(await boxOf(watchlist)).toEqual([0, 1])
    },
  )

  describe('concurrent deletions', () => {
    test('a concurrent deletion and move leave no card behind', { tags: ['race'] }, async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      for (let round = 0; round < ROUNDS; round += 1) {
        const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
        const params = { watchlistId: watchlist.id, cardId: card.id }

        const [deleted, moved] = await Promise.all([
          remove(card, owner),
          call(theApp(), ENDPOINTS.moveCard, owner, { params, body: { status: 'SUGGESTED' } }),
        ])

        expect(deleted.status).toBe(204)
        expect([200, 404]).toContain(moved.status)
        expect(await rowsOf(watchlist)).toEqual([])
        expect(await countOf(watchlist, owner)).toBe(0)
      }
    })

    test('only one of two concurrent deletions of a card succeeds', { tags: ['race'] }, async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      for (let round = 0; round < ROUNDS; round += 1) {
        const card = await aCard(theApp(), { inside: watchlist, by: owner })
        await aCard(theApp(), { inside: watchlist, by: owner })

        const answers = await Promise.all([remove(card, owner), remove(card, owner)])

        expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404])
        expect(await boxOf(watchlist)).toEqual(dense(round + 1))
      }
    })

    test(
      'concurrent deletions and reveals leave no gap in the slots and keep the count correct',
      { tags: ['race'] },
      async () => {
        const ben = aUser('ben')
        const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
        for (let round = 0; round < ROUNDS; round += 1) {
          const cards = await Promise.all(
            dense(6).map(async () => await aCard(theApp(), { inside: watchlist, by: ben })),
          )
          const before = await countOf(watchlist, owner)

          const [removed, revealed] = await Promise.all([
            Promise.all(cards.slice(0, 4).map(async (card) => await remove(card, ben))),
            Promise.all([owner, ben, owner].map(async (member) => await reveal(watchlist, member))),
          ])

          // A card that was revealed first is then deleted from the feed, so both orders are possible.
          expect(removed.map(({ status }) => status)).toEqual([204, 204, 204, 204])
          const drawn = revealed.filter(({ status }) => status === 200).map(({ body }) => body.id)
          expect(new Set(drawn).size).toBe(drawn.length)
          const count = await countOf(watchlist, owner)
          expect(await boxOf(watchlist)).toEqual(dense(count))
          expect(count).toBeGreaterThanOrEqual(before - 7)
          expect(count).toBeLessThanOrEqual(before - 4)
          const left = new Set((await rowsOf(watchlist)).map(({ id }) => id))
          expect(cards.slice(0, 4).filter(({ id }) => left.has(id))).toEqual([])
        }
      },
    )
  })

  test('a live event names a changed or deleted card of the feed, but no card of the box', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const shown = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
    const secret = await aCard(theApp(), { inside: watchlist, by: owner })
    const heard: unknown[] = []
    const leave = bus.subscribe(`watchlist:${watchlist.id}`, (payload) => heard.push(JSON.parse(payload)))
    const params = { watchlistId: watchlist.id, cardId: secret.id }

    await callOk(theApp(), ENDPOINTS.editCard, owner, { params, body: { title: 'A secret' } })
    await remove(secret, owner)
    await remove(shown, aUser('eve'))
    await callOk(theApp(), ENDPOINTS.editCard, owner, {
      params: { ...params, cardId: shown.id },
      body: { title: 'No secret' },
    })
    await remove(shown, owner)
    leave()

    const by = owner.username
    expect(heard).toEqual([
      { kind: 'box-changed', watchlistId: watchlist.id },
      { kind: 'card-changed', watchlistId: watchlist.id, cardId: shown.id, by },
      { kind: 'card-deleted', watchlistId: watchlist.id, cardId: shown.id, by },
    ])
  })
})
