import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  let seconds = 0
  const theApp = anApp(theDatabase, { clock: { now: () => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds)) } })

  const suggestionsOf = async (by: Caller, watchlistId: string, query = {}) =>
    await callOk(theApp(), ENDPOINTS.listSuggestions, by, { params: { watchlistId }, query })
  const titlesOf = async (by: Caller, watchlistId: string) =>
    (await suggestionsOf(by, watchlistId)).cards.map(({ title }) => title)

  test('members see their own cards in the box and not those of others', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const { watchlist: other } = await aWatchlist(theApp(), { owner })
    await aCard(theApp(), { inside: watchlist, by: owner, title: 'Of the owner' })
    await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED', title: 'In the feed' })
    await aCard(theApp(), { inside: other, by: owner, title: 'Elsewhere' })
    const own = await aCard(theApp(), { inside: watchlist, by: ben, title: 'Of Ben' })

    expect(await suggestionsOf(ben, watchlist.id)).toEqual({ cards: [own], nextToken: null, count: 1, wantCount: 0 })
    expect(await titlesOf(owner, watchlist.id)).toEqual(['Of the owner'])
  })

  test('the card that entered the box last comes first, even if it was put back', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const revealed = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED', title: 'Put back' })
    for (const title of ['First', 'Second']) {
      seconds += 1
      await aCard(theApp(), { inside: watchlist, by: owner, title })
    }
    seconds += 1
    await callOk(theApp(), ENDPOINTS.moveCard, owner, {
      params: { watchlistId: watchlist.id, cardId: revealed.id },
      body: { status: 'SUGGESTED' },
    })

    expect(await titlesOf(owner, watchlist.id)).toEqual(['Put back', 'Second', 'First'])
  })

  test('the pages show every card once and the total count, even with equal times', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    for (let n = 0; n < 5; n += 1) await aCard(theApp(), { inside: watchlist, by: owner, title: `${n}` })

    const first = await suggestionsOf(owner, watchlist.id, { limit: 2 })
    const second = await suggestionsOf(owner, watchlist.id, { limit: 2, nextToken: String(first.nextToken) })
    const third = await suggestionsOf(owner, watchlist.id, { limit: 2, nextToken: String(second.nextToken) })

    const pages = [first, second, third]
    expect(pages.map(({ cards }) => cards.map(({ title }) => title))).toEqual([['4', '3'], ['2', '1'], ['0']])
    expect(pages.map(({ count }) => count)).toEqual([5, 5, 5])
    expect(third.nextToken).toBeNull()
  })

  test('an invalid page token is rejected', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())

    const { status, body } = await call(theApp(), ENDPOINTS.listSuggestions, owner, {
      params: { watchlistId: watchlist.id },
      query: { nextToken: 'nonsense' },
    })

    expect([status, body.type]).toEqual([400, 'BAD_REQUEST'])
  })

  test('only the creator of a suggestion can edit and delete it', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const { id: cardId } = await aCard(theApp(), { inside: watchlist, by: ben, title: 'Palyime' })
    const params = { watchlistId: watchlist.id, cardId }
    const edit = async (by: Caller) =>
      await call(theApp(), ENDPOINTS.editCard, by, { params, body: { title: 'Playtime' } })
    const remove = async (by: Caller) => await call(theApp(), ENDPOINTS.deleteCard, by, { params })

    expect([(await edit(owner)).status, (await remove(owner)).status]).toEqual([404, 404])
    expect((await edit(ben)).status).toBe(200)
    expect(await titlesOf(ben, watchlist.id)).toEqual(['Playtime'])
    expect((await remove(ben)).status).toBe(204)
    expect(await suggestionsOf(ben, watchlist.id)).toEqual({ cards: [], nextToken: null, count: 0, wantCount: 0 })
  })
})
