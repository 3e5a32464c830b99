import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { type Caller, callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'
import type { CardTables } from '../card/store.ts'

const SAMURAI = { year: 1967, originalTitle: 'Le Samouraï', ids: { imdb: 'tt0062229', tmdb: '5511' } }
const NOWHERE = { inFeed: null, isInBox: false }

anyDatabase({ product: productMigrations }, (theDatabase) => {
  let seconds = 0
  const theApp = anApp(theDatabase, { clock: { now: () => new Date(Date.UTC(2026, 2, 1, 12, 0, seconds)) } })
  const ana = aUser()

  const add = async (watchlistId: string, title: string, movie?: object, revealImmediately = true) => {
    seconds += 1
    const body = { title, image: 'https://example.org/poster.jpg', movie, revealImmediately }
    return await callOk(theApp(), ENDPOINTS.addCard, ana, { params: { watchlistId }, body })
  }
  const match = async (watchlistId: string, query: Record<string, unknown>, by: Caller = ana) =>
    await callOk(theApp(), ENDPOINTS.matchMovie, by, { params: { watchlistId }, query: { title: 'Other', ...query } })

  test('a movie is found by any of its ids, whatever its title', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const { watchlist: other } = await aWatchlist(theApp(), { owner: ana })
    const { id: cardId } = await add(watchlist.id, 'The Samurai', SAMURAI)
    await add(watchlist.id, 'Only at TMDB', { ids: { tmdb: '77' } })

    const found = {
      inFeed: { cardId, status: 'REVEALED', statusChangedAt: '2026-03-01T12:00:01.000Z' },
      isInBox: false,
    }
    expect(await match(watchlist.id, { imdb: 'tt0062229' })).toEqual(found)
    expect((await match(watchlist.id, { imdb: 'tt0000077', tmdb: '77' })).inFeed).not.toBeNull()
    expect(await match(watchlist.id, { imdb: 'tt0000001', letterboxd: 'le-samourai' })).toEqual(NOWHERE)
    expect(await match(other.id, { imdb: 'tt0062229' })).toEqual(NOWHERE)
  })

  test('a movie is found by its title, ignoring accents and punctuation, unless year or id differ', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    await add(watchlist.id, 'Le Samouraï!', SAMURAI)
    await add(watchlist.id, 'Home movie')

    const isFound = async (query: Record<string, unknown>) => (await match(watchlist.id, query)).inFeed !== null
    expect(await isFound({ title: 'le samourai' })).toBe(true)
    expect(await isFound({ originalTitle: 'Le Samouraï', year: 1967 })).toBe(true)
    expect(await isFound({ title: 'Le Samouraï', year: 1968 })).toBe(false)
    expect(await isFound({ title: 'Le Samouraï', year: 1967, imdb: 'tt9999999' })).toBe(false)
    expect(await isFound({ title: 'home movie', year: 2020 })).toBe(true)
  })

  test('a card from an earlier version is found by its title, ignoring case', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const { id } = await add(watchlist.id, 'Paris, Texas')
    await theDatabase()
      .withTables<CardTables>()
      .transaction(async (trx) => {
        await trx.updateTable('card').set({ title_key: null }).where('id', '=', id).execute()
      })

    expect((await match(watchlist.id, { title: 'PARIS, TEXAS' })).inFeed?.cardId).toBe(id)
  })

  test('every member, even the creator, sees only that the card is in the box', async () => {
    const ben = aUser('ben')
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    await add(watchlist.id, 'Le Samouraï', SAMURAI, false)

    for (const member of [ana, ben]) {
      const answer = await match(watchlist.id, { title: 'Le Samouraï', tmdb: '5511' }, member)
      expect(answer).toEqual({ inFeed: null, isInBox: true })
    }
  })

  test('a match returns the card of the feed that changed last', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const first = await add(watchlist.id, 'Ran')
    const second = await add(watchlist.id, 'Ran')
    const found = async () => (await match(watchlist.id, { title: 'Ran' })).inFeed?.cardId

    expect(await found()).toBe(second.id)
    seconds += 1
    await callOk(theApp(), ENDPOINTS.moveCard, ana, {
      params: { watchlistId: watchlist.id, cardId: first.id },
      body: { status: 'WATCHED' },
    })
    expect(await found()).toBe(first.id)
  })

  test('an edited card is found only by its new title and movie', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const { id: cardId } = await add(watchlist.id, 'Le Samouraï', SAMURAI)
    const params = { watchlistId: watchlist.id, cardId }

    await callOk(theApp(), ENDPOINTS.editCard, ana, {
      params,
      body: { title: 'Brazil', movie: { ids: { tmdb: '68' } } },
    })

    expect(await match(watchlist.id, { title: 'Le Samouraï', imdb: 'tt0062229' })).toEqual(NOWHERE)
    expect((await match(watchlist.id, { title: 'Brazil' })).inFeed?.cardId).toBe(cardId)
    expect((await match(watchlist.id, { tmdb: '68' })).inFeed?.cardId).toBe(cardId)
  })
})
