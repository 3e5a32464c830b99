import { beforeAll, describe, expect, test } from 'vitest'

import type { Card, CardStatus } from '@marquee/contract/entities/card'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'
import type { CardTables } from '../card/store.ts'

type Film = { title: string; by?: Caller; status?: CardStatus; movie?: object | null }

eachDatabase({ product: productMigrations }, (theDatabase) => {
  let seconds = 0
  const theApp = anApp(theDatabase, { clock: { now: () => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds)) } })
  const ana = aUser('ana')
  const ben = aUser('ben')

  async function add(watchlistId: string, { title, by = ana, status = 'REVEALED', movie = null }: Film): Promise<Card> {
    seconds += 1
    const params = { watchlistId }
    const body = { title, movie, image: 'https://example.org/a.jpg', revealImmediately: status !== 'SUGGESTED' }
    const card = await callOk(theApp(), ENDPOINTS.addCard, by, { params, body })
    if (status === 'SUGGESTED' || status === 'REVEALED') return card
    return await callOk(theApp(), ENDPOINTS.moveCard, by, { params: { ...params, cardId: card.id }, body: { status } })
  }
  const page = async (watchlistId: string, query = {}, by: Caller = ana) =>
    await callOk(theApp(), ENDPOINTS.listLibrary, by, { params: { watchlistId }, query })
  const titles = async (watchlistId: string, query = {}) =>
    (await page(watchlistId, query)).cards.map(({ title }) => title)

  const cardTable = () => theDatabase().withTables<CardTables>().read.selectFrom('card')

  describe('a library', () => {
    let id: string
    beforeAll(async () => {
      id = (await aWatchlist(theApp(), { owner: ana, members: [ben] })).watchlist.id
      const movie = (
        year: number,
        runtimeMinutes: number,
        genres: string[],
        director: string,
        originalTitle?: string,
      ) => ({
        year,
        runtimeMinutes,
        genres,
        directors: [director],
        originalTitle,
      })
      await add(id, {
        title: 'Ran',
        movie: movie(1985, 162, ['Drama', 'War'], 'Akira Kurosawa', '乱'),
        status: 'WATCHED',
      })
      await add(id, { title: 'Amélie', movie: movie(2001, 122, ['Comedy'], 'Jean-Pierre Jeunet'), by: ben })
      await add(id, { title: 'Alien', movie: movie(1979, 117, ['Horror', 'Science fiction'], 'Ridley Scott') })
      await add(id, { title: '100% Wolf', status: 'REJECTED' })
      await add(id, { title: 'Alien 3', by: ben, status: 'SUGGESTED' })
      const cards = new Map((await page(id)).cards.map((card) => [card.title, card.id]))
      const rate = async (by: Caller, title: string, stars: number | null) =>
        await callOk(theApp(), ENDPOINTS.saveViewing, by, {
          params: { watchlistId: id, cardId: cards.get(title) ?? '' },
          body: { stars },
        })
      await rate(ana, 'Ran', 4)
      await rate(ana, 'Alien', 4.5)
      await rate(ana, 'Amélie', null)
      await rate(ben, 'Ran', 5)
      await rate(ben, 'Alien', 2)
      await rate(ben, '100% Wolf', 5)
    })

    test.each([
      ['no filter', {}, ['100% Wolf', 'Alien', 'Amélie', 'Ran']],
      ['the beginning of words', { q: 'R' }, ['Alien', 'Ran']],
      ['the beginnings of two words of a title and a director', { q: 'al rid' }, ['Alien']],
      ['the end of a word', { q: 'lie' }, []],
      ['a title without its accent', { q: 'amelie' }, ['Amélie']],
      ['words of title and director', { q: 'kurosawa ran' }, ['Ran']],
      ['an original title', { q: '乱' }, ['Ran']],
      ['a name with other punctuation', { q: 'jean pierre' }, ['Amélie']],
      ['a wildcard, which is a plain character', { q: '%' }, []],
      ['a word that no card has', { q: 'alien jeunet' }, []],
      ['a status', { status: 'WATCHED' }, ['Ran']],
      ['a genre', { genre: 'science FICTION' }, ['Alien']],
      ['a part of a genre', { genre: 'fiction' }, []],
      ['a decade', { decade: 1980 }, ['Ran']],
      ['a length', { maxRuntime: 122 }, ['Alien', 'Amélie']],
      ['a creator', { suggestedBy: 'ben' }, ['Amélie']],
      ['several filters', { decade: 1970, maxRuntime: 120, genre: 'horror', suggestedBy: 'ana' }, ['Alien']],
      ['empty filters', { q: '', genre: ' ', suggestedBy: '' }, ['100% Wolf', 'Alien', 'Amélie', 'Ran']],
      ['movies not seen by the caller', { seen: 'no' }, ['100% Wolf']],
      ['movies seen by the caller', { seen: 'yes' }, ['Alien', 'Amélie', 'Ran']],
      ['a rating of the caller', { ownRating: 4.5 }, ['Alien']],
      ['an average that the caller may see', { averageRating: 4.5 }, ['Ran']],
      ['a rating and a title', { ownRating: 4, q: 'ran' }, ['Ran']],
      ['the order of titles', { sort: 'title' }, ['100% Wolf', 'Alien', 'Amélie', 'Ran']],
      ['the order of years', { sort: 'year' }, ['Amélie', 'Ran', 'Alien', '100% Wolf']],
      ['the order of ratings', { sort: 'rating' }, ['Alien', 'Ran', '100% Wolf', 'Amélie']],
      ['the order of ratings, with a filter', { sort: 'rating', seen: 'yes' }, ['Alien', 'Ran', 'Amélie']],
      ['the order of lengths', { sort: 'runtime' }, ['Alien', 'Amélie', 'Ran', '100% Wolf']],
    ])('a library query with %s returns the matching cards and none from the box', async (_what, query, expected) => {
      expect(await titles(id, query)).toEqual(expected)
    })

    test('the library counts every movie as unseen for a non-member', async () => {
      const found = await page(id, { ownRating: 0.5 }, aUser('eve'))
      const unseen = await page(id, { seen: 'no', sort: 'rating' }, aUser('eve'))

      expect([found.cards.length, unseen.cards.length]).toEqual([0, 4])
    })

    test.each(['changed', 'title', 'year', 'runtime', 'rating'])(
      'the pages of a library sorted by %s show each card once',
      async (sort) => {
        const all = await titles(id, { sort })
        const paged: string[] = []
        let nextToken: string | null = null
        do {
          const { cards, nextToken: next }: { cards: Card[]; nextToken: string | null } = await page(id, {
            sort,
            limit: 1,
            ...(nextToken !== null && { nextToken }),
          })
          paged.push(...cards.map(({ title }) => title))
          nextToken = next
        } while (nextToken !== null)

        expect(paged).toEqual(all)
        expect(paged).toHaveLength(4)
      },
    )

    test.each([
      [{ nextToken: 'nonsense' }, 'nextToken: this is not a token of an earlier page'],
      [{ status: 'SUGGESTED' }, 'status: '],
      [{ decade: 1985 }, 'decade: '],
      [{ maxRuntime: 0 }, 'maxRuntime: '],
      [{ sort: 'poster' }, 'sort: '],
      [{ q: 'x'.repeat(201) }, 'q: '],
    ])('the library query %j is rejected', async (query, message) => {
      const { status, body } = await call(theApp(), ENDPOINTS.listLibrary, ana, { params: { watchlistId: id }, query })

      expect([status, body.type]).toEqual([400, 'BAD_REQUEST'])
      expect(body.message).toContain(message)
    })

    test.each([
      ['year', 1.5, 'x'],
      ['year', 1e30, 'x'],
      ['year', 2_147_483_648, 'x'],
      ['runtime', -2_147_483_649, 'x'],
      ['rating', 0.5, 'x'],
      ['title', '\u0000', 'x'],
      ['title', 'ran', '\u0000'],
      ['changed', '2026-01-01T12:00:00.000Z', ''],
    ])('a library rejects a page token made of %s, %j and %j', async (sort, value, cardId) => {
      const nextToken = Buffer.from(JSON.stringify([sort, value, cardId])).toString('base64url')
      const query = { sort, nextToken }

      const { status, body } = await call(theApp(), ENDPOINTS.listLibrary, ana, { params: { watchlistId: id }, query })

      expect([status, body.message]).toEqual([400, 'nextToken: this is not a token of an earlier page'])
    })

    test('a library rejects a page token from another sort order', async () => {
      const { nextToken } = await page(id, { sort: 'title', limit: 1 })

      const query = { sort: 'year', nextToken: String(nextToken) }
      const { status } = await call(theApp(), ENDPOINTS.listLibrary, ana, { params: { watchlistId: id }, query })

      expect(status).toBe(400)
    })
  })

  test('the library shows a card with all its fields', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const card = await add(watchlist.id, { title: 'Playtime' })

    expect(await page(watchlist.id)).toEqual({ cards: [card], nextToken: null })
  })

  test('changing a title keeps the card findable by its facts, and changing the facts replaces what finds it', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const { id } = watchlist
    const card = await add(id, {
      title: 'Palyime',
      movie: { year: 1967, directors: ['Jacques Tati'], genres: ['Comedy'] },
    })
    const edit = async (body: object) =>
      await callOk(theApp(), ENDPOINTS.editCard, ana, { params: { watchlistId: id, cardId: card.id }, body })

    await edit({ title: 'Playtime' })
    expect(await titles(id, { q: 'playtime tati', genre: 'comedy', decade: 1960 })).toEqual(['Playtime'])
    expect(await titles(id, { q: 'palyime' })).toEqual([])
    await edit({ title: 'Playtime', movie: { year: 1971, directors: ['Another'] } })
    expect(await titles(id, { q: 'tati' })).toEqual([])
    expect(await titles(id, { q: 'another', decade: 1970 })).toEqual(['Playtime'])
    await edit({ title: 'Playtime', movie: null })
    expect(await titles(id, { decade: 1970 })).toEqual([])
  })

  test('a word in a script without spaces is found anywhere in a title', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    await add(watchlist.id, { title: '七人の侍' })

    expect(await titles(watchlist.id, { q: '侍' })).toEqual(['七人の侍'])
  })

  test('a search finds the right movies by frequent and by rare words', async () => {
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const { id } = watchlist
    const card = await add(id, { title: 'The Zebra 9' })
    const { id: _id, ...row } = await cardTable().where('id', '=', card.id).selectAll().executeTakeFirstOrThrow()
    const rows = Array.from({ length: 1_200 }, (_, n) => ({ ...row, id: `card-${n}`, folded_title: `the alien ${n}` }))
    await theDatabase()
      .withTables<CardTables>()
      .transaction(async (trx) => {
        for (const begin of [0, 400, 800]) {
          await trx
            .insertInto('card')
            .values(rows.slice(begin, begin + 400))
            .execute()
        }
      })
    const ids = async (query: object) => (await page(id, { limit: 3, ...query })).cards.map((found) => found.id)

    expect(await ids({ q: 'the', sort: 'title' })).toEqual(['card-0', 'card-1', 'card-10'])
    expect(await ids({ q: 'the zebra', sort: 'title' })).toEqual([card.id])
    expect(await ids({ q: 'alien 11', sort: 'title' })).toEqual(['card-11', 'card-110', 'card-1100'])
    expect(await ids({ q: 'the a', sort: 'rating', suggestedBy: 'ben' })).toEqual([])
  })

  test('the longest title and facts fit into the index, and are found by their beginning', async () => {
    const { watchlist, owner } = await aWatchlist(theApp(), { owner: aUser('ö'.repeat(128)) })
    await add(watchlist.id, {
      title: `Zebra ${'🎬'.repeat(294)}`,
      by: owner,
      movie: {
        originalTitle: '映'.repeat(300),
        directors: Array.from({ length: 20 }, (_, n) => `${n} ${'ß'.repeat(117)}`),
        genres: Array.from({ length: 10 }, (_, n) => `${n} ${'歴'.repeat(58)}`),
      },
    })

    expect(await titles(watchlist.id, { q: 'zebra 映', genre: `0 ${'歴'.repeat(58)}` })).toHaveLength(1)
  })
})
