import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { MAX_WATCHLISTS_PER_USER } from '@marquee/contract/limits'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp } from '../../../testing/start-app.ts'
import type { WatchlistTables } from './store.ts'

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  test('the creator of a watchlist is its owner and first member', async () => {
    const ana = aUser('Ana María')

    const { status, body } = await call(theApp(), ENDPOINTS.createWatchlist, ana, {
      body: { name: '  Friday films ', description: '  With popcorn ' },
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Friday films',
      description: 'With popcorn',
      ownerId: 'Ana María',
      hasImage: false,
      fullImageUrl: null,
      members: [{ username: 'Ana María', joinedAt: body.createdAt }],
    })
    expect(body.updatedAt).toBe(body.createdAt)
  })

  test.each([undefined, null, '', '   '])('the description %j is stored as null', async (description) => {
    const made = await callOk(theApp(), ENDPOINTS.createWatchlist, aUser(), { body: { name: 'Films', description } })

    expect(made.description).toBeNull()
  })

  test('a user lists their watchlists with members, oldest membership first', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist: first } = await aWatchlist(theApp(), { owner: ben })
    const { watchlist: second } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    await aWatchlist(theApp(), { owner: ana })

    const lists = await callOk(theApp(), ENDPOINTS.listWatchlists, ben)

    expect(lists.map((list) => list.id)).toEqual([first.id, second.id])
    expect(lists[1]?.members?.map((member) => member.username)).toEqual(['ana', 'ben'])
  })

  test('a user without watchlists has an empty list and no current one', async () => {
    const newcomer = aUser()

    expect(await callOk(theApp(), ENDPOINTS.listWatchlists, newcomer)).toEqual([])
    expect(await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, newcomer)).toEqual({ currentWatchlistId: null })
  })

  test('a member can change the name and description for all readers', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const params = { watchlistId: watchlist.id }

    const changed = await callOk(theApp(), ENDPOINTS.updateWatchlist, ben, {
      params,
      body: { name: 'Saturday films', description: 'New' },
    })

    expect(changed).toMatchObject({ name: 'Saturday films', description: 'New', ownerId: 'ana' })
    expect(changed.updatedAt >= watchlist.updatedAt).toBe(true)
    expect(await callOk(theApp(), ENDPOINTS.getWatchlist, aUser('stranger'), { params })).toEqual(changed)
  })

  test('a private watchlist is not found by non-members', { tags: ['race'] }, async () => {
    const { watchlist, owner } = await aWatchlist(theApp(), { isPrivate: true })
    const params = { watchlistId: watchlist.id }
    const stranger = aUser()

    const answers = await Promise.all([
      call(theApp(), ENDPOINTS.getWatchlist, stranger, { params }),
      call(theApp(), ENDPOINTS.listCards, stranger, { params }),
      call(theApp(), ENDPOINTS.countSuggestedCards, stranger, { params }),
      call(theApp(), ENDPOINTS.setCurrentWatchlist, stranger, { body: params }),
      call(theApp(), ENDPOINTS.getWatchlist, owner, { params }),
    ])

    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 200])
  })

  describe('the current watchlist', () => {
    test('the current watchlist is the first one that a user creates, until they choose another', async () => {
      const { watchlist: first, owner } = await aWatchlist(theApp())
      const { watchlist: second } = await aWatchlist(theApp(), { owner })
      const current = async () => await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, owner)

      const before = await current()
      await callOk(theApp(), ENDPOINTS.setCurrentWatchlist, owner, { body: { watchlistId: second.id } })

      expect(before).toEqual({ currentWatchlistId: first.id })
      expect(await current()).toEqual({ currentWatchlistId: second.id })
    })

    test('choosing an unknown watchlist as the current one gets 404', async () => {
      const { status } = await call(theApp(), ENDPOINTS.setCurrentWatchlist, aUser(), { body: { watchlistId: 'none' } })

      expect(status).toBe(404)
    })

    test('a user has no current watchlist after their membership ends', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())

      await theDatabase()
        .withTables<WatchlistTables>()
        .transaction(async (trx) => {
          await trx.deleteFrom('member').where('watchlist_id', '=', watchlist.id).execute()
        })

      expect(await callOk(theApp(), ENDPOINTS.getCurrentWatchlist, owner)).toEqual({ currentWatchlistId: null })
    })
  })

  test('a user cannot have more watchlists than allowed, even by concurrent calls', { tags: ['race'] }, async () => {
    const ana = aUser()
    const make = async () => await call(theApp(), ENDPOINTS.createWatchlist, ana, { body: { name: 'One more' } })

    for (let n = 5; n < MAX_WATCHLISTS_PER_USER; n += 1) expect((await make()).status).toBe(201)

    const answers = await Promise.all(Array.from({ length: 10 }, make))

    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(5)
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(5)
    expect(await callOk(theApp(), ENDPOINTS.listWatchlists, ana)).toHaveLength(MAX_WATCHLISTS_PER_USER)
  })
})
