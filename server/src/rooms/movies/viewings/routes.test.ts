import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'
import { listViewingsOf } from './store.ts'
import type { ViewingTables } from './store.ts'

const NOW = '2026-11-22T15:00:00.000Z'

anyDatabase<ViewingTables>({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(() => theDatabase().withTables(), { clock: { now: () => new Date(NOW) } })

  /** A watchlist of ana with ben and cleo as members, and a card in its feed. */
  async function scene() {
    const [ben, cleo] = [aUser('ben'), aUser('cleo')]
    const { watchlist, owner: ana } = await aWatchlist(theApp(), { members: [ben, cleo] })
    const card = await aCard(theApp(), { inside: watchlist, by: ana, status: 'WATCHED' })
    const params = { watchlistId: watchlist.id, cardId: card.id }
    const seenBy = async (who: Caller) => {
      const { cards } = await callOk(theApp(), ENDPOINTS.listViewings, who, {
        params,
        query: { cards: `${card.id},none` },
      })
      return cards
    }
    const save = async (who: Caller, body: object) => await call(theApp(), ENDPOINTS.saveViewing, who, { params, body })
    return { ana, ben, cleo, watchlist, card, params, seenBy, save }
  }

  test('a member sees the ratings of others once they mark the movie as seen, even without a rating', async () => {
    const { ana, ben, cleo, card, seenBy, save } = await scene()
    await save(ana, { stars: 4.5, note: '  In space ', seenOn: '2026-11-20' })
    await save(ben, { stars: 3 })
    const hidden = { cardId: card.id, seenBy: ['ana', 'ben'], own: null, ratings: null, night: null, markedBy: null }
    expect((await seenBy(cleo)).map((one) => ({ ...one, seenBy: one.seenBy.toSorted() }))).toEqual([hidden])

    const { body } = await save(cleo, {})

    expect({ ...body, seenBy: body.seenBy.toSorted() }).toEqual({
      cardId: card.id,
      seenBy: ['ana', 'ben', 'cleo'],
      own: { username: 'cleo', seenOn: null, stars: null, note: null, changedAt: NOW },
      ratings: { average: 3.8, count: 2, others: expect.any(Array) as unknown[] },
      night: null,
      markedBy: null,
    })
    expect(body.ratings?.others.toSorted((one, other) => (one.username < other.username ? -1 : 1))).toEqual([
      { username: 'ana', seenOn: '2026-11-20', stars: 4.5, note: 'In space', changedAt: NOW },
      { username: 'ben', seenOn: null, stars: 3, note: null, changedAt: NOW },
    ])
    expect(await seenBy(cleo)).toEqual([body])
  })

  test('a second mark replaces the first, and removing it hides the ratings of others again', async () => {
    const { ana, ben, params, seenBy, save } = await scene()
    await save(ana, { stars: 5 })
    await save(ben, { stars: 1 })
    await save(ben, { stars: 2 })
    expect((await seenBy(ben))[0]?.ratings).toMatchObject({ average: 3.5, count: 2 })

    for (const _ of ['once', 'twice']) await callOk(theApp(), ENDPOINTS.deleteViewing, ben, { params })

    expect(await seenBy(ben)).toEqual([
      { cardId: params.cardId, seenBy: ['ana'], own: null, ratings: null, night: null, markedBy: null },
    ])
  })

  test('an empty mark keeps the earlier day, stars and note, and takes over the mark of a night', async () => {
    const { ana, ben, params, seenBy, save } = await scene()
    await save(ana, { stars: 5, note: 'Again', seenOn: '2026-11-20' })
    const said = (await seenBy(ana))[0]?.own
    const brought = { watchlist_id: params.watchlistId, card_id: params.cardId, night_id: 'a night', changed_at: NOW }
    await theDatabase().transaction(async (trx) => {
      await trx
        .insertInto('card_viewings')
        .values({ ...brought, user_id: ben.userId, username: 'ben' })
        .execute()
    })

    const { body: ofAna } = await save(ana, {})
    await save(ben, {})

    expect(said).toMatchObject({ stars: 5, note: 'Again', seenOn: '2026-11-20' })
    expect(ofAna.own).toEqual(said)
    const rows = await theDatabase().read.selectFrom('card_viewings').select(['username', 'night_id']).execute()
    expect(rows.filter(({ night_id }) => night_id === 'a night')).toEqual([])
    await save(ana, { stars: null, seenOn: null, note: '' })
    expect((await seenBy(ana))[0]?.own).toMatchObject({ stars: null, note: null, seenOn: null })
  })

  test.each([
    ['a rating of quarter stars', { stars: 3.25 }, 'stars'],
    ['no star', { stars: 0 }, 'stars'],
    ['more than five stars', { stars: 5.5 }, 'stars'],
    ['a day that does not exist', { seenOn: '2026-02-30' }, 'seenOn'],
    ['a day in the future', { seenOn: '2026-11-24' }, 'seenOn: This day has not come yet'],
    ['a note that is too long', { note: 'x'.repeat(301) }, 'note'],
  ])('a mark with %s is rejected', async (_what, viewing, message) => {
    const { ana, save, seenBy } = await scene()

    const { status, body } = await save(ana, viewing)

    expect(status).toBe(400)
    expect(body).toMatchObject({ message: expect.stringContaining(message) as string })
    expect((await seenBy(ana))[0]?.seenBy).toEqual([])
  })

  test('a mark is hidden while its card is in the box, and shown again when the card is revealed', async () => {
    const { ana, ben, params, watchlist } = await scene()
    const card = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    const place = { ...params, cardId: card.id }
    await callOk(theApp(), ENDPOINTS.saveViewing, ben, { params: place, body: { stars: 4 } })

    await callOk(theApp(), ENDPOINTS.moveCard, ana, { params: place, body: { status: 'SUGGESTED' } })

    const query = { cards: card.id }
    expect(await callOk(theApp(), ENDPOINTS.listViewings, ben, { params, query })).toEqual({ cards: [] })
    expect((await call(theApp(), ENDPOINTS.saveViewing, ben, { params: place, body: {} })).status).toBe(404)
    const kept = await listViewingsOf(theDatabase().read, watchlist.id, [card.id, 'none'])
    expect(kept.map((row) => [row.card_id, row.user_id])).toEqual([[card.id, ben.userId]])
    await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params })
    const { cards } = await callOk(theApp(), ENDPOINTS.listViewings, ben, { params, query })
    expect(cards[0]?.own?.stars).toBe(4)
  })

  test('marks are deleted with their card', async () => {
    const { ana, ben, params, watchlist, card, save } = await scene()
    await save(ben, { stars: 4 })

    await callOk(theApp(), ENDPOINTS.deleteCard, ana, { params })

    expect(await listViewingsOf(theDatabase().read, watchlist.id, [card.id])).toEqual([])
  })
})
