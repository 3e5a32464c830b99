import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'

const RAN = {
  year: 1985,
  runtimeMinutes: 162,
  genres: ['Drama', 'War'],
  directors: ['Akira Kurosawa'],
  originalTitle: '乱',
  language: 'ja',
  source: 'wikidata',
  ids: { tmdb: '11645', imdb: 'tt0089881', wikidata: 'Q223299', letterboxd: 'ran' },
}

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)
  const ana = aUser()

  const add = async (watchlistId: string, body: Record<string, unknown>, by: Caller = ana) =>
    await call(theApp(), ENDPOINTS.addCard, by, {
      params: { watchlistId },
      body: { title: 'Ran', image: 'https://example.org/ran.jpg', ...body },
    })

  test('every reply that shows a card includes its movie', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const params = { watchlistId: watchlist.id }

    const added = (await add(watchlist.id, { movie: RAN })).body
    const suggestions = await callOk(theApp(), ENDPOINTS.listSuggestions, ana, { params })
    const revealed = await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params })
    const feed = await callOk(theApp(), ENDPOINTS.listCards, ana, { params })
    const read = await callOk(theApp(), ENDPOINTS.getCard, ana, { params: { ...params, cardId: added.id } })
    const exported = await callOk(theApp(), ENDPOINTS.exportData, ana)
    const own = exported.watchlists.find(({ id }) => id === watchlist.id)

    const replies = [added, ...suggestions.cards, revealed, ...feed.cards, read, ...(own?.cards ?? [])]
    expect(replies.map(({ movie }) => movie)).toEqual([RAN, RAN, RAN, RAN, RAN, RAN])
  })

  test('a card without a movie has no movie field', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const params = { watchlistId: watchlist.id }

    const added = await add(watchlist.id, { revealImmediately: true })
    const addedWithNull = await add(watchlist.id, { movie: null, revealImmediately: true })
    const { cards } = await callOk(theApp(), ENDPOINTS.listCards, ana, { params })

    const all = [added.body, addedWithNull.body, ...cards]
    expect(all.map((card) => Object.hasOwn(card, 'movie'))).toEqual([false, false, false, false])
  })

  test('facts that are left out become null or an empty list', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })

    const { body } = await add(watchlist.id, { movie: { year: 1985 } })

    expect(body.movie).toEqual({
      year: 1985,
      runtimeMinutes: null,
      genres: [],
      directors: [],
      originalTitle: null,
      language: null,
      source: null,
      ids: {},
    })
  })

  test('an edit without a movie keeps the old one, and null removes it', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const { body: card } = await add(watchlist.id, { movie: RAN, revealImmediately: true })
    const edit = async (body: Record<string, unknown>) =>
      await callOk(theApp(), ENDPOINTS.editCard, ana, {
        params: { watchlistId: watchlist.id, cardId: card.id },
        body: { title: 'Ran', ...body },
      })

    expect((await edit({ image: 'https://example.org/other.jpg' })).movie).toEqual(RAN)
    expect((await edit({ movie: { ...RAN, year: 1986 } })).movie).toEqual({ ...RAN, year: 1986 })
    expect(await edit({ movie: null })).not.toHaveProperty('movie')
  })

  test.each([
    ['a year before the first film', { year: 1869 }, 'movie.year: '],
    ['a year that is not a whole number', { year: 1985.5 }, 'movie.year: '],
    ['too many genres', { genres: Array<string>(11).fill('Drama') }, 'movie.genres: '],
    ['genres that only have a length', { genres: { length: { toString: 1, valueOf: 1 } } }, 'movie.genres: '],
    ['a blank director', { directors: [' '] }, 'movie.directors.0: A director has a name'],
    ['a null character', { originalTitle: 'Ran\u0000' }, 'movie.originalTitle: Null characters are not allowed'],
    ['an address as an id', { ids: { imdb: 'https://example.org' } }, 'movie.ids.imdb: '],
    ['a list in place of facts', [], 'movie: '],
  ])('a movie with %s is rejected and adds no card', async (_what, movie, message) => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const params = { watchlistId: watchlist.id }

    const answer = await add(watchlist.id, { movie })

    expect({ status: answer.status, type: answer.body.type }).toEqual({ status: 400, type: 'BAD_REQUEST' })
    expect(answer.body.message).toContain(message)
    expect(await callOk(theApp(), ENDPOINTS.countSuggestedCards, ana, { params })).toEqual({ count: 0 })
  })
})
