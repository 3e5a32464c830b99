import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, describe, expect, test, vi } from 'vitest'

import type { ImportGroup, MovieImport } from '@marquee/contract/entities/import'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from '../../../migrations/index.ts'
import { createParser } from '../../../parsing/parser.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp } from '../../../testing/start-app.ts'
import { beginImport } from './service.ts'

const DAY_MS = 24 * 60 * 60_000

eachStatement({ product: productMigrations }, (theDatabase) => {
  const bus = recordingBus()
  const clock = movableClock()
  const theApp = anApp(theDatabase, { bus, clock })

  const begin = async (by: Caller, watchlistId: string, text: string, fileName = 'films.txt') =>
    await callOk(theApp(), ENDPOINTS.beginImport, by, {
      params: { watchlistId },
      body: { fileName, fileData: Buffer.from(text).toString('base64') },
    })
  const paramsOf = ({ id, watchlistId }: MovieImport) => ({ watchlistId, importId: id })
  const review = async (by: Caller, begun: MovieImport, query: { group?: ImportGroup; nextToken?: string } = {}) =>
    await callOk(theApp(), ENDPOINTS.getImport, by, { params: paramsOf(begun), query })
  const choose = async (by: Caller, begun: MovieImport, body: Record<string, unknown>) =>
    await callOk(theApp(), ENDPOINTS.chooseImportRows, by, { params: paramsOf(begun), body })
  /** Starts a background job and waits for its end. */
  const finish = async (by: Caller, begun: MovieImport, what: 'applyImport' | 'undoImport') => {
    await callOk(theApp(), ENDPOINTS[what], by, { params: paramsOf(begun) })
    const isDone = async () => !['applying', 'undoing'].includes((await review(by, begun)).state)
    await vi.waitUntil(isDone, { timeout: 30_000, interval: 10 })
    return await review(by, begun)
  }
  const suggestions = async (by: Caller, watchlistId: string) =>
    await callOk(theApp(), ENDPOINTS.listSuggestions, by, { params: { watchlistId }, query: { limit: 50 } })
  const list = async (by: Caller, watchlistId: string) =>
    await callOk(theApp(), ENDPOINTS.listImports, by, { params: { watchlistId } })
  const titles = async (by: Caller, watchlistId: string) =>
    (await suggestions(by, watchlistId)).cards.map(({ title }) => title).toSorted()
  const wants = async (by: Caller, watchlistId: string) =>
    (await callOk(theApp(), ENDPOINTS.listWants, by, { params: { watchlistId } })).wants
      .map(({ title }) => title)
      .toSorted()
  const boxCount = async (by: Caller, watchlistId: string) =>
    (await callOk(theApp(), ENDPOINTS.countSuggestedCards, by, { params: { watchlistId } })).count
  const inShort = ({ rows }: Awaited<ReturnType<typeof review>>) =>
    rows.map(({ title, group, isChosen }) => `${title}: ${group}${isChosen ? ', chosen' : ''}`)

  async function aPair() {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    return { ana, ben, watchlistId: watchlist.id, inside: watchlist }
  }

  test('a review groups rows as new, here, same or unsure, and reveals no card of others in the box', async () => {
    const { ana, ben, watchlistId, inside } = await aPair()
    await aCard(theApp(), { inside, by: ben, title: 'Ran', status: 'WATCHED' })
    await aCard(theApp(), { inside, by: ana, title: 'Ikiru' })
    await aCard(theApp(), { inside, by: ben, title: 'Stalker' })

    const begun = await begin(ana, watchlistId, 'Ran\nIkiru\nStalker\nstalker!\nRan (1985)\n\nHeat (1995)')
    const reviewed = await review(ana, begun)

    expect(inShort(reviewed)).toEqual([
      'Ran: here',
      'Ikiru: here',
      'Stalker: new, chosen',
      'stalker!: same',
      'Ran: unsure',
      'Heat: new, chosen',
    ])
    expect(reviewed.rows.map(({ card }) => card && [card.title, card.status])).toEqual([
      ['Ran', 'WATCHED'],
      ['Ikiru', 'SUGGESTED'],
      null,
      null,
      ['Ran', 'WATCHED'],
      null,
    ])
    expect(reviewed.rows[3]?.sameAs).toEqual({ row: 3, title: 'Stalker' })
    expect(reviewed).toMatchObject({
      state: 'review',
      format: 'titles',
      chosen: 2,
      added: 0,
      groups: {
        new: { rows: 2, chosen: 2 },
        here: { rows: 2, chosen: 0 },
        same: { rows: 1, chosen: 0 },
        unsure: { rows: 1, chosen: 0 },
      },
    })
  })

  test('rows can be chosen one by one or by group, and are shown in pages', async () => {
    const { ana, watchlistId } = await aPair()
    const begun = await begin(ana, watchlistId, Array.from({ length: 60 }, (_, n) => `Film ${n}`).join('\n'))

    const none = await choose(ana, begun, { group: 'new', isChosen: false })
    const two = await choose(ana, begun, { rows: [3, 55], isChosen: true })
    const first = await review(ana, begun, { group: 'new' })
    const second = await review(ana, begun, { group: 'new', nextToken: first.nextToken ?? '' })

    expect([none.chosen, two.chosen]).toEqual([0, 2])
    expect([first.rows.length, second.rows.length, second.nextToken]).toEqual([50, 10, null])
    expect([...first.rows, ...second.rows].filter(({ isChosen }) => isChosen).map(({ title }) => title)).toEqual([
      'Film 3',
      'Film 55',
    ])
  })

  test('applying an import adds the chosen rows to the box with facts, and sends one event per hundred cards', async () => {
    const { ana, ben, watchlistId } = await aPair()
    const table = `Const,Title,Year,Title Type,Directors\n${Array.from({ length: 150 }, (_, n) => `tt${1_000_000 + n},Film ${n},${1900 + (n % 100)},Movie,Ana B`).join('\n')}`
    const begun = await begin(ana, watchlistId, table, 'list.csv')

    const applied = await finish(ana, begun, 'applyImport')
    const again = await callOk(theApp(), ENDPOINTS.applyImport, ana, { params: paramsOf(begun) })
    const { cards, count } = await suggestions(ana, watchlistId)

    expect(applied).toMatchObject({ state: 'applied', chosen: 150, added: 150 })
    expect(again.added).toBe(150)
    expect([count, await boxCount(ben, watchlistId)]).toEqual([150, 150])
    expect(bus.kindsFor(watchlistId)).toEqual(['box-changed', 'box-changed'])
    expect(cards.find(({ title }) => title === 'Film 149')).toMatchObject({
      creatorId: 'ana',
      posterState: 'none',
      imageUrl: 'http://marquee.test/images/no-poster.svg',
      movie: { year: 1949, directors: ['Ana B'], ids: { imdb: 'tt1000149' } },
      statusChanges: [{ status: 'SUGGESTED', changedBy: 'ana' }],
    })
    expect(new Set(cards.map(({ selectionIndex }) => selectionIndex)).size).toBe(50)
    expect(await titles(ben, watchlistId)).toEqual([])
  })

  test('importing the same file again finds all of its movies already here', async () => {
    const { ana, watchlistId } = await aPair()
    await finish(ana, await begin(ana, watchlistId, 'Ran (1985)\nHeat (1995)'), 'applyImport')

    const again = await begin(ana, watchlistId, 'Ran (1985)\nHeat (1995)')

    expect(inShort(await review(ana, again))).toEqual(['Ran: here', 'Heat: here'])
  })

  test('movies that are only marked as seen are not chosen if the file also has movies to watch', async () => {
    const { ana, watchlistId } = await aPair()
    const lists = JSON.stringify([
      { type: 'movie', listed_at: 'x', movie: { title: 'Ran', year: 1985 } },
      { plays: 1, movie: { title: 'Heat', year: 1995 } },
    ])

    const begun = await begin(ana, watchlistId, lists, 'trakt.json')

    expect(inShort(await review(ana, begun))).toEqual(['Ran: new, chosen', 'Heat: new'])
  })

  describe('seen marks', () => {
    const RATED =
      'Title,Year,Rating,WatchedDate\nRan,1985,4.5,2024-01-05\nIkiru,1952,3,\nHeat,1995,,2024-02-30\nJaws,1975,2,'

    const marksOf = async (by: Caller, watchlistId: string, cards: readonly { id: string }[]) => {
      const query = { cards: cards.map(({ id }) => id).join(',') }
      const found = await callOk(theApp(), ENDPOINTS.listViewings, by, { params: { watchlistId }, query })
      const own = new Map(found.cards.map((card) => [card.cardId, card.own]))
      return cards.map(({ id }) => {
        const mark = own.get(id)
        return mark && [mark.stars, mark.seenOn]
      })
    }
    const aMovie = async (by: Caller, watchlistId: string, title: string, year: number, revealImmediately = true) =>
      await callOk(theApp(), ENDPOINTS.addCard, by, {
        params: { watchlistId },
        body: { title, image: 'https://example.org/poster.jpg', revealImmediately, movie: { year } },
      })
    const rate = async (by: Caller, { id, watchlistId }: { id: string; watchlistId: string }, stars: number) =>
      await callOk(theApp(), ENDPOINTS.saveViewing, by, { params: { watchlistId, cardId: id }, body: { stars } })

    test('imported seen marks are saved on cards in the feed and the box, and an undo removes them', async () => {
      const { ana, ben, watchlistId } = await aPair()
      const ran = await aMovie(ben, watchlistId, 'Ran', 1985)
      const jaws = await aMovie(ben, watchlistId, 'Jaws', 1975)
      const ikiru = await aMovie(ben, watchlistId, 'Ikiru', 1952, false)
      await rate(ana, jaws, 5)
      const begun = await begin(ana, watchlistId, RATED, 'diary.csv')
      await choose(ana, begun, { group: 'new', isChosen: false })
      await choose(ana, begun, { rows: [2], isChosen: true })
      const reviewed = await review(ana, begun)
      expect(reviewed.rows.map(({ title, stars, isSeen }) => [title, stars, isSeen])).toEqual([
        ['Ran', 4.5, true],
        ['Ikiru', 3, true],
        ['Heat', null, true],
        ['Jaws', 2, true],
      ])

      const applied = await finish(ana, begun, 'applyImport')

      expect(applied).toMatchObject({ state: 'applied', added: 1, seen: 4, marked: 4 })
      expect(await titles(ana, watchlistId)).toEqual(['Heat'])
      const [heat = ran] = (await suggestions(ana, watchlistId)).cards
      expect(await marksOf(ana, watchlistId, [ran, jaws, ikiru, heat])).toEqual([
        [4.5, '2024-01-05'],
        [5, null],
        undefined,
        undefined,
      ])
      // One for the rating above, one for each card of the feed.
      expect(bus.kindsFor(watchlistId).filter((kind) => kind === 'viewings-changed')).toHaveLength(3)
      for (const _ of [ikiru, heat])
        await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params: { watchlistId } })
      expect(await marksOf(ana, watchlistId, [ikiru, heat])).toEqual([
        [3, null],
        [null, null],
      ])
      await rate(ana, ikiru, 3.5)

      await finish(ana, begun, 'undoImport')

      expect(await marksOf(ana, watchlistId, [ran, jaws, ikiru, heat])).toEqual([null, [5, null], [3.5, null], null])
    })

    test('a card gets the rating of the later viewing if a file has two rows of its movie', async () => {
      const { ana, ben, watchlistId } = await aPair()
      const movie = { year: 1985, ids: { imdb: 'tt0089881' } }
      const image = 'https://example.org/poster.jpg'
      const ran = await callOk(theApp(), ENDPOINTS.addCard, ben, {
        params: { watchlistId },
        body: { title: 'Ran', image, revealImmediately: true, movie },
      })
      const rows = 'Ran,1985,tt0089881,2,2020-01-05\nChaos,1985,tt0089881,4.5,2024-01-05'
      const begun = await begin(ana, watchlistId, `Title,Year,imdbID,Rating,WatchedDate\n${rows}`, 'diary.csv')

      await finish(ana, begun, 'applyImport')

      expect(await marksOf(ana, watchlistId, [ran])).toEqual([[4.5, '2024-01-05']])
    })

    test('a second import rates the marks of the first, and each undo takes back only its own part', async () => {
      const { ana, ben, watchlistId } = await aPair()
      const ran = await aMovie(ben, watchlistId, 'Ran', 1985)
      const heat = await aMovie(ben, watchlistId, 'Heat', 1995)
      const bring = async (fileName: string, table: string) => {
        const begun = await begin(ana, watchlistId, table, fileName)
        await finish(ana, begun, 'applyImport')
        return begun
      }
      const watched = 'Title,Year,WatchedDate\nRan,1985,\nHeat,1995,2020-01-05'
      const rated = 'Title,Year,Rating,WatchedDate\nRan,1985,4.5,2024-01-05\nHeat,1995,3,2024-01-05'
      const both = [ran, heat]
      const marks = async () => await marksOf(ana, watchlistId, both)
      const seen = [
        [null, null],
        [null, '2020-01-05'],
      ]
      const first = await bring('watched.csv', watched)
      expect(await marks()).toEqual(seen)

      const second = await bring('ratings.csv', rated)
      const withStars = [
        [4.5, '2024-01-05'],
        [3, '2020-01-05'],
      ]
      expect(await marks()).toEqual(withStars)
      await bring('ratings.csv', 'Title,Year,Rating\nRan,1985,1\nHeat,1995,1')
      expect(await marks()).toEqual(withStars)

      await finish(ana, second, 'undoImport')
      expect(await marks()).toEqual(seen)

      const third = await bring('ratings.csv', rated)
      await finish(ana, first, 'undoImport')
      expect(await marks()).toEqual([
        [4.5, '2024-01-05'],
        [3, null],
      ])
      await rate(ana, heat, 2)
      await finish(ana, third, 'undoImport')
      expect(await marks()).toEqual([null, [2, null]])
    })

    test('an import adds no rating to a mark that the member made by hand, even without stars', async () => {
      const { ana, ben, watchlistId } = await aPair()
      const ran = await aMovie(ben, watchlistId, 'Ran', 1985)
      const params = { watchlistId, cardId: ran.id }
      await finish(ana, await begin(ana, watchlistId, 'Title,Year\nRan,1985', 'watched.csv'), 'applyImport')
      await callOk(theApp(), ENDPOINTS.saveViewing, ana, { params, body: { note: 'Not for me to judge' } })
      const begun = await begin(ana, watchlistId, 'Title,Year,Rating10\nRan,1985,9', 'ratings.csv')

      await finish(ana, begun, 'applyImport')
      expect(await marksOf(ana, watchlistId, [ran])).toEqual([[null, null]])

      await finish(ana, begun, 'undoImport')
      expect(await marksOf(ana, watchlistId, [ran])).toEqual([[null, null]])
    })

    describe('on a mark that a movie night made', () => {
      const FILE = 'Title,Year,Rating,WatchedDate\nRan,1985,4.5,2024-01-05'

      /** Ran, which Ana and Ben have seen in a night. Ben has rated it. */
      async function aNightOfRan() {
        const { ana, ben, watchlistId } = await aPair()
        await callOk(theApp(), ENDPOINTS.openNight, ana, { params: { watchlistId } })
        const ran = await aMovie(ben, watchlistId, 'Ran', 1985)
        const place = { watchlistId, cardId: ran.id }
        await callOk(theApp(), ENDPOINTS.moveCard, ana, { params: place, body: { status: 'WATCHED' } })
        await rate(ben, ran, 2)
        const look = async () => {
          const query = { cards: ran.id }
          const { cards } = await callOk(theApp(), ENDPOINTS.listViewings, ana, { params: { watchlistId }, query })
          const [card] = cards
          return { own: card?.own && [card.own.stars, card.own.seenOn], average: card?.ratings?.average }
        }
        return { ana, watchlistId, place, look }
      }

      test('an import rates the mark of a night, and its undo leaves the mark', async () => {
        const { ana, watchlistId, look } = await aNightOfRan()
        const unrated = { own: [null, null], average: undefined }
        expect(await look()).toEqual(unrated)
        const seen = await begin(ana, watchlistId, 'Title,Year,WatchedDate\nRan,1985,2020-01-05', 'watched.csv')
        await finish(ana, seen, 'applyImport')
        expect(await look()).toEqual(unrated)

        const begun = await begin(ana, watchlistId, FILE, 'ratings.csv')
        await finish(ana, begun, 'applyImport')
        expect(await look()).toEqual({ own: [4.5, '2024-01-05'], average: 3.3 })

        await finish(ana, begun, 'undoImport')
        expect(await look()).toEqual(unrated)
      })

      test('a mark that the member repeats after an import stays without the rating after both undos', async () => {
        const { ana, watchlistId, place, look } = await aNightOfRan()
        const begun = await begin(ana, watchlistId, FILE, 'ratings.csv')
        await finish(ana, begun, 'applyImport')
        await callOk(theApp(), ENDPOINTS.saveViewing, ana, { params: place, body: {} })
        expect((await look()).own).toEqual([4.5, '2024-01-05'])

        await finish(ana, begun, 'undoImport')
        await callOk(theApp(), ENDPOINTS.undoMove, ana, { params: place })

        expect((await look()).own).toEqual([null, null])
      })

      test('an imported rating survives the undo of the night’s mark, and its own undo leaves no mark', async () => {
        const { ana, watchlistId, place, look } = await aNightOfRan()
        const begun = await begin(ana, watchlistId, FILE, 'ratings.csv')
        await finish(ana, begun, 'applyImport')

        await callOk(theApp(), ENDPOINTS.undoMove, ana, { params: place })
        expect((await look()).own).toEqual([4.5, '2024-01-05'])

        await finish(ana, begun, 'undoImport')
        expect((await look()).own).toBeNull()
      })
    })

    test('a row that may be another movie does not rate the card of a similar one', async () => {
      const { ana, ben, watchlistId } = await aPair()
      const killer = await aMovie(ben, watchlistId, 'The Killer', 2023)
      const rows = 'The Killer,2023,4,2023-11-12\nThe Killer,2024,1.5,2024-09-01'
      const begun = await begin(ana, watchlistId, `Title,Year,Rating,WatchedDate\n${rows}`, 'diary.csv')
      expect((await review(ana, begun)).rows.map(({ group }) => group)).toEqual(['here', 'unsure'])

      await finish(ana, begun, 'applyImport')

      expect(await marksOf(ana, watchlistId, [killer])).toEqual([[4, '2023-11-12']])
    })

    /** Ran in the box, which Ana added and Ben wants, too. Cleo has rated it by an import, without wanting it. */
    async function aRatedWish() {
      const [ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
      const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] })
      const watchlistId = watchlist.id
      const added = await begin(ana, watchlistId, 'Ran (1985)')
      await finish(ana, added, 'applyImport')
      await finish(ben, await begin(ben, watchlistId, 'Ran (1985)'), 'applyImport')
      const rated = await begin(cleo, watchlistId, 'Title,Year,Rating10\nRan,1985,9', 'ratings.csv')
      await choose(cleo, rated, { group: 'new', isChosen: false })
      await finish(cleo, rated, 'applyImport')
      const [card] = (await suggestions(ana, watchlistId)).cards
      const params = { watchlistId, cardId: card?.id ?? '' }
      const revealAll = async () => {
        const shown = []
        while ((await boxCount(ana, watchlistId)) > 0)
          shown.push(await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId } }))
        return shown.toSorted((one, other) => one.title.localeCompare(other.title))
      }
      return { ana, ben, cleo, watchlistId, params, added, rated, revealAll }
    }

    test('a mark on a card that its creator deletes moves to the card of the member who wants the movie', async () => {
      const { ana, cleo, watchlistId, params, rated, revealAll } = await aRatedWish()

      await callOk(theApp(), ENDPOINTS.deleteCard, ana, { params })

      const shown = await revealAll()
      expect(shown.map(({ title, creatorId }) => [title, creatorId])).toEqual([['Ran', 'ben']])
      expect(await marksOf(cleo, watchlistId, shown)).toEqual([[4.5, null]])
      await finish(cleo, rated, 'undoImport')
      expect(await marksOf(cleo, watchlistId, shown)).toEqual([null])
    })

    test('a mark on a card that an undo removes moves to the card of the member who wants the movie', async () => {
      const { ana, cleo, watchlistId, added, revealAll } = await aRatedWish()

      expect(await finish(ana, added, 'undoImport')).toMatchObject({ removed: 1 })

      const shown = await revealAll()
      expect(shown.map(({ creatorId }) => creatorId)).toEqual(['ben'])
      expect(await marksOf(cleo, watchlistId, shown)).toEqual([[4.5, null]])
    })

    test('a mark stays with its movie if its card is changed to another movie', async () => {
      const { ana, cleo, watchlistId, params, rated, revealAll } = await aRatedWish()

      const body = { title: 'Heat', movie: { year: 1995 } }
      await callOk(theApp(), ENDPOINTS.editCard, ana, { params, body })

      const shown = await revealAll()
      expect(shown.map(({ title, creatorId }) => [title, creatorId])).toEqual([
        ['Heat', 'ana'],
        ['Ran', 'ben'],
      ])
      expect(await marksOf(cleo, watchlistId, shown)).toEqual([null, [4.5, null]])
      await finish(cleo, rated, 'undoImport')
      expect(await marksOf(cleo, watchlistId, shown)).toEqual([null, null])
    })

    test('an edit that separates two movies moves the mark of a member to the movie that they want', async () => {
      const [ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
      const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] })
      const watchlistId = watchlist.id
      const heat = await aMovie(ana, watchlistId, 'Heat', 1995, false)
      const params = { watchlistId, cardId: heat.id }
      await callOk(theApp(), ENDPOINTS.editCard, ana, { params, body: { title: 'Heat', movie: null } })
      for (const by of [ben, cleo]) {
        const rated = await begin(by, watchlistId, 'Title,Rating10\nHeat,8', 'ratings.csv')
        await choose(by, rated, { group: 'new', isChosen: false })
        await finish(by, rated, 'applyImport')
      }
      const body = { title: 'Heat', movie: { year: 1986 } }
      await callOk(theApp(), ENDPOINTS.wantMovie, ben, { params: { watchlistId }, body })

      await callOk(theApp(), ENDPOINTS.editCard, ana, { params, body: { title: 'Heat', movie: { year: 1995 } } })

      const shown = []
      while ((await boxCount(ana, watchlistId)) > 0)
        shown.push(await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId } }))
      const byYear = shown.toSorted((one, other) => (one.movie?.year ?? 0) - (other.movie?.year ?? 0))
      expect(byYear.map(({ movie }) => movie?.year)).toEqual([1986, 1995])
      expect([await marksOf(ben, watchlistId, byYear), await marksOf(cleo, watchlistId, byYear)]).toEqual([
        [[4, null], null],
        [null, [4, null]],
      ])
    })

    test('seen marks are saved even if no row is chosen, and can be undone', async () => {
      const { ana, ben, watchlistId } = await aPair()
      const ran = await aMovie(ben, watchlistId, 'Ran', 1985)
      const begun = await begin(ana, watchlistId, 'Title,Year,Rating10\nRan,1985,9', 'ratings.csv')

      const applied = await finish(ana, begun, 'applyImport')

      expect(applied).toMatchObject({ state: 'applied', added: 0, marked: 1 })
      expect(await marksOf(ana, watchlistId, [ran])).toEqual([[4.5, null]])
      expect((await finish(ana, begun, 'undoImport')).state).toBe('undone')
      expect(await marksOf(ana, watchlistId, [ran])).toEqual([null])
    })
  })

  describe('undo', () => {
    test('an undo removes unchanged cards from the box, keeps the rest, and leaves no gap', async () => {
      const { ana, ben, watchlistId, inside } = await aPair()
      await aCard(theApp(), { inside, by: ben, title: 'Before' })
      const begun = await begin(ana, watchlistId, 'Ran\nHeat\nIkiru\nJaws')
      await finish(ana, begun, 'applyImport')
      await aCard(theApp(), { inside, by: ben, title: 'After' })
      const { cards } = await suggestions(ana, watchlistId)
      const cardId = (title: string) => cards.find((card) => card.title === title)?.id ?? ''
      const params = (title: string) => ({ watchlistId, cardId: cardId(title) })
      await callOk(theApp(), ENDPOINTS.editCard, ana, { params: params('Heat'), body: { title: 'Heat 2' } })
      await callOk(theApp(), ENDPOINTS.deleteCard, ana, { params: params('Jaws') })

      const undone = await finish(ana, begun, 'undoImport')
      const again = await callOk(theApp(), ENDPOINTS.undoImport, ana, { params: paramsOf(begun) })
      const drawn = []
      while ((await boxCount(ben, watchlistId)) > 0) {
        drawn.push(await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params: { watchlistId } }))
      }

      expect(undone).toMatchObject({ state: 'undone', added: 4, removed: 3, kept: 1 })
      expect(again).toMatchObject({ state: 'undone', removed: 3, kept: 1 })
      expect(drawn.map(({ title }) => title).toSorted()).toEqual(['After', 'Before', 'Heat 2'])
    })

    test('an undo is possible for 30 days, after which the import is forgotten', async () => {
      const { ana, watchlistId } = await aPair()
      const begun = await begin(ana, watchlistId, 'Ran')
      await finish(ana, begun, 'applyImport')

      clock.moveAhead(30 * DAY_MS + 1)
      const late = await call(theApp(), ENDPOINTS.undoImport, ana, { params: paramsOf(begun) })

      expect([late.status, late.body.message]).toEqual([400, 'An import can be undone for 30 days'])
      expect(await titles(ana, watchlistId)).toEqual(['Ran'])

      await finish(ana, await begin(ana, watchlistId, 'Heat'), 'applyImport')
      await vi.waitUntil(async () => (await list(ana, watchlistId)).every(({ id }) => id !== begun.id), WITHIN)
    })

    test('the 30 days of an undo begin when the import is applied', async () => {
      const [{ ana, watchlistId }, other] = [await aPair(), await aPair()]
      const begun = await begin(ana, watchlistId, 'Ran')
      const old = await begin(other.ana, other.watchlistId, 'Ikiru')
      await finish(other.ana, old, 'applyImport')
      clock.moveAhead(29 * DAY_MS)
      const applied = await finish(ana, begun, 'applyImport')
      clock.moveAhead(29 * DAY_MS)

      // What is older than 30 days is forgotten, from the oldest on.
      await finish(other.ana, await begin(other.ana, other.watchlistId, 'Heat'), 'applyImport')
      const isForgotten = async () => (await list(other.ana, other.watchlistId)).every(({ id }) => id !== old.id)
      await vi.waitUntil(isForgotten, WITHIN)

      expect(Date.parse(applied.undoUntil)).toBeGreaterThanOrEqual(Date.parse(begun.createdAt) + 59 * DAY_MS)
      expect(await finish(ana, begun, 'undoImport')).toMatchObject({ state: 'undone', added: 1, removed: 1 })
    })
  })

  test('a cancelled review adds nothing, and its rows can no longer be chosen or applied', async () => {
    const { ana, watchlistId } = await aPair()
    const begun = await begin(ana, watchlistId, 'Ran')
    const params = paramsOf(begun)

    const cancelled = await callOk(theApp(), ENDPOINTS.cancelImport, ana, { params })
    const answers = [
      await call(theApp(), ENDPOINTS.applyImport, ana, { params }),
      await call(theApp(), ENDPOINTS.chooseImportRows, ana, { params, body: { group: 'new', isChosen: true } }),
      await call(theApp(), ENDPOINTS.undoImport, ana, { params }),
    ]

    expect(cancelled.state).toBe('cancelled')
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(await boxCount(ana, watchlistId)).toBe(0)
  })

  test('cancelling an import keeps the cards added so far, and an undo removes them', async () => {
    const { ana, watchlistId } = await aPair()
    const begun = await begin(ana, watchlistId, Array.from({ length: 3_000 }, (_, n) => `Film ${n}`).join('\n'))
    const params = paramsOf(begun)

    await callOk(theApp(), ENDPOINTS.applyImport, ana, { params })
    await vi.waitUntil(async () => (await review(ana, begun)).added > 0, { timeout: 30_000, interval: 5 })
    await callOk(theApp(), ENDPOINTS.cancelImport, ana, { params })
    const undone = await finish(ana, begun, 'undoImport')

    expect(undone.added).toBeLessThan(3_000)
    expect(undone).toMatchObject({ state: 'undone', removed: undone.added, kept: 0 })
    expect(await boxCount(ana, watchlistId)).toBe(0)
  })

  test('an import cannot be applied without a chosen row', async () => {
    const { ana, watchlistId } = await aPair()
    const begun = await begin(ana, watchlistId, 'Ran')
    await choose(ana, begun, { rows: [0], isChosen: false })

    const answer = await call(theApp(), ENDPOINTS.applyImport, ana, { params: paramsOf(begun) })

    expect([answer.status, answer.body.message]).toEqual([400, 'No row is chosen'])
    expect((await review(ana, begun)).state).toBe('review')
  })

  describe('the last transaction of a new review', () => {
    const parser = createParser({ logger: pino({ level: 'silent' }) })
    afterAll(parser.stop)
    const lost = new Error('Connection terminated unexpectedly')
    type Work = Parameters<Database<unknown>['transaction']>[0]

    const beginWith = async (by: Caller, watchlistId: string, transaction: (work: Work) => Promise<unknown>) => {
      const slices = theDatabase().withTables<unknown>()
      const database = { ...slices, transaction } as Database<unknown>
      const ports = { database, slices, clock, random: systemRandom, parser, imports: { wake: () => undefined } }
      const body = Buffer.from(JSON.stringify({ fileName: 'films.txt', fileData: btoa('Ran') }))
      return await beginImport(ports, by, watchlistId, body)
    }
    const statesOf = async (by: Caller, watchlistId: string) => (await list(by, watchlistId)).map(({ state }) => state)

    test('only one of two reviews that are saved at the same time stays', async () => {
      const { ana, watchlistId } = await aPair()
      const [isRead, mayBegin] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
      let isOver = false
      const second = beginWith(ana, watchlistId, async (work) => {
        isRead.resolve(undefined)
        await mayBegin.promise
        return await theDatabase().transaction(work)
      }).finally(() => (isOver = true))
      await isRead.promise

      await beginWith(ana, watchlistId, async (work) => {
        return await theDatabase().transaction(async (trx) => {
          const saved = await work(trx)
          mayBegin.resolve(undefined)
          await vi.waitUntil(async () => isOver || (await isAnyWaiting(trx)), WITHIN)
          return saved
        })
      })
      await second

      expect(await statesOf(ana, watchlistId)).toEqual(['review'])
    })

    test('a review stays for the repeated request if the connection breaks after the commit', async () => {
      const { ana, watchlistId } = await aPair()

      const begun = beginWith(ana, watchlistId, async (work) => {
        await theDatabase().transaction(work)
        throw lost
      })

      await expect(begun).rejects.toBe(lost)
      expect(await statesOf(ana, watchlistId)).toEqual(['review'])
    })

    test('no review is left if the connection breaks before the commit', async () => {
      const { ana, watchlistId } = await aPair()

      const begun = beginWith(ana, watchlistId, async () => await Promise.reject(lost))

      await expect(begun).rejects.toBe(lost)
      expect(await statesOf(ana, watchlistId)).toEqual([])
    })

    /** Whether a transaction waits for another one. SQLite begins none before the last is over. */
    async function isAnyWaiting(trx: AnyDb): Promise<boolean> {
      if (theDatabase().dialect === 'sqlite') return true
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(trx)
      return rows.length > 0
    }
  })

  test('the bad rows of a file are reported, and a file without movies is rejected', async () => {
    const { ana, watchlistId } = await aPair()

    const begun = await begin(ana, watchlistId, 'Title,Year\nRan,1985\nHeat,soon', 'films.csv')
    const body = { fileName: 'films.csv', fileData: Buffer.from('Place\nBerlin').toString('base64') }
    const refused = await call(theApp(), ENDPOINTS.beginImport, ana, { params: { watchlistId }, body })

    expect(begun.problems).toEqual([{ file: null, row: 3, problem: '“soon” is not a year' }])
    expect([refused.status, refused.body.type]).toEqual([400, 'BAD_REQUEST'])
  })

  test('an import is visible only to its member, and only in its watchlist', async () => {
    const { ana, ben, watchlistId } = await aPair()
    const other = (await aWatchlist(theApp(), { owner: ana })).watchlist
    const begun = await begin(ana, watchlistId, 'Ran')

    const answers = [
      await call(theApp(), ENDPOINTS.getImport, ben, { params: paramsOf(begun) }),
      await call(theApp(), ENDPOINTS.applyImport, ben, { params: paramsOf(begun) }),
      await call(theApp(), ENDPOINTS.getImport, ana, { params: { watchlistId: other.id, importId: begun.id } }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await list(ana, watchlistId)).map(({ id }) => id)).toEqual([begun.id])
    expect(await list(ben, watchlistId)).toEqual([])
  })

  test('an import looks the same whether or not another member has its movies in the box', async () => {
    const FILE = 'Ran (1985)\nHeat (1995)\nRan'
    /** What Ana sees from review to undo, without ids and times. */
    const all = async (others: string) => {
      const { ana, ben, watchlistId } = await aPair()
      await finish(ben, await begin(ben, watchlistId, others), 'applyImport')
      const before = await boxCount(ana, watchlistId)
      const begun = await begin(ana, watchlistId, FILE)
      const seen = [await review(ana, begun), await finish(ana, begun, 'applyImport')]
      const growth = (await boxCount(ana, watchlistId)) - before
      const [own, wanted] = [await titles(ana, watchlistId), await wants(ana, watchlistId)]
      seen.push(await finish(ana, begun, 'undoImport'))
      const looks = seen.map(({ id, watchlistId: _list, createdAt, undoUntil, rows, ...rest }) => [
        [id, createdAt, undoUntil].length,
        rest,
        rows.map((row) => ({ ...row, card: row.card?.title })),
      ])
      return { looks, growth, own, wanted, undone: (await boxCount(ana, watchlistId)) - before }
    }

    const alone = await all('Jaws (1975)\nAlien (1979)')
    const together = await all('ran (1985)\nAlien (1979)')

    expect(together.looks).toEqual(alone.looks)
    expect(alone).toMatchObject({ growth: 2, own: ['Heat', 'Ran'], wanted: [], undone: 0 })
    expect(together).toMatchObject({ growth: 1, own: ['Heat'], wanted: ['Ran'], undone: 0 })
  })

  /** Three members import lists that overlap. */
  async function threeLists() {
    const [ana, ben, cleo] = [aUser('ana'), aUser('ben'), aUser('cleo')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben, cleo] })
    const watchlistId = watchlist.id
    const bring = async (by: Caller, text: string) => {
      const begun = await begin(by, watchlistId, text)
      await finish(by, begun, 'applyImport')
      return begun
    }
    const imports = [
      await bring(ana, 'Ran (1985)\nHeat (1995)'),
      await bring(ben, 'ran (1985)\nJaws (1975)\nHeat'),
      await bring(cleo, 'RAN! (1985)\nJaws (1975)\nHeat (1986)'),
    ] as const
    const wanted = async () => {
      const shown: string[] = []
      while ((await boxCount(ana, watchlistId)) > 0) {
        const card = await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId } })
        const { title, movie, wantedBy = [card.creatorId] } = card
        shown.push(`${title} ${movie?.year ?? '?'}: ${wantedBy.join(',')}`)
      }
      return shown.toSorted()
    }
    return { ana, ben, cleo, watchlistId, imports, wanted }
  }

  test('members who import overlapping lists share one card for each movie, except for doubtful matches', async () => {
    const { cleo, watchlistId, wanted } = await threeLists()

    expect(inShort(await review(cleo, await begin(cleo, watchlistId, 'Ran (1985)\nJaws (1975)')))).toEqual([
      'Ran: here',
      'Jaws: here',
    ])
    expect(await wanted()).toEqual([
      'Heat 1986: cleo',
      'Heat 1995: ana',
      'Heat ?: ben',
      'Jaws 1975: ben,cleo',
      'Ran 1985: ana,ben,cleo',
    ])
  })

  test('undoing an import removes its cards and wants, and passes on the cards that others want', async () => {
    const { ana, ben, imports, wanted, watchlistId } = await threeLists()
    const { id } = await aCard(theApp(), { inside: { id: watchlistId }, by: ana, title: 'Stalker' })
    const params = { watchlistId, cardId: id }

    const ofAna = await finish(ana, imports[0], 'undoImport')
    expect(ofAna).toMatchObject({ state: 'undone', added: 2, removed: 2, kept: 0 })
    expect(await titles(ana, watchlistId)).toEqual(['Stalker'])
    expect(await titles(ben, watchlistId)).toEqual(['Heat', 'Jaws', 'ran'])

    const ofBen = await finish(ben, imports[1], 'undoImport')
    expect(ofBen).toMatchObject({ state: 'undone', added: 3, removed: 3, kept: 0 })
    expect([await titles(ben, watchlistId), await wants(ben, watchlistId)]).toEqual([[], []])

    await callOk(theApp(), ENDPOINTS.deleteCard, ana, { params })
    expect(await wanted()).toEqual(['Heat 1986: cleo', 'Jaws 1975: cleo', 'RAN! 1985: cleo'])
  })

  test('undoing an import keeps a want whose card is in the feed, and a want that existed before', async () => {
    const { ana, ben, watchlistId } = await aPair()
    await finish(ben, await begin(ben, watchlistId, 'Ran (1985)'), 'applyImport')
    const begun = await begin(ana, watchlistId, 'Ran (1985)')
    await finish(ana, begun, 'applyImport')
    await callOk(theApp(), ENDPOINTS.revealRandomCard, ben, { params: { watchlistId } })
    await finish(ben, await begin(ben, watchlistId, 'Heat (1995)'), 'applyImport')
    const early = { params: { watchlistId }, body: { title: 'Heat' } }
    const second = await begin(ana, watchlistId, 'Heat (1995)')
    await callOk(theApp(), ENDPOINTS.wantMovie, ana, early)
    await finish(ana, second, 'applyImport')

    expect(await finish(ana, begun, 'undoImport')).toMatchObject({ removed: 0, kept: 1 })
    expect(await finish(ana, second, 'undoImport')).toMatchObject({ removed: 1, kept: 0 })
    expect(await wants(ana, watchlistId)).toEqual(['Heat'])
  })

  test('an import stops when its member is removed while cards are added', async () => {
    const { ana, ben, watchlistId } = await aPair()
    const begun = await begin(ben, watchlistId, Array.from({ length: 3_000 }, (_, n) => `Film ${n}`).join('\n'))

    await callOk(theApp(), ENDPOINTS.applyImport, ben, { params: paramsOf(begun) })
    await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { watchlistId, username: 'ben' } })
    const left = await boxCount(ana, watchlistId)
    const next = await begin(ana, watchlistId, 'Ran')
    await finish(ana, next, 'applyImport')

    expect(left).toBeLessThan(3_000)
    expect(await boxCount(ana, watchlistId)).toBe(left + 1)
  })
})
