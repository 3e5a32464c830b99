import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'
import { testToken } from '../../../../testing/test-accounts.ts'
import { testClock } from '../../../../testing/test-clock.ts'
import { removePersonAt } from '../../../../remove-person.ts'

const RAN = {
  year: 1985,
  runtimeMinutes: null,
  genres: ['War'],
  directors: ['Akira Kurosawa'],
  originalTitle: '乱',
  language: 'ja',
  source: null,
  ids: { imdb: 'tt0089881' },
}

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  const ana = aUser('ana')
  const ben = aUser('ben')
  const cleo = aUser('cleo')
  const dora = aUser('dora')

  const scene = async () => (await aWatchlist(theApp(), { owner: ana, members: [ben, cleo, dora] })).watchlist.id
  const suggest = async (watchlistId: string, title: string, by: Caller, movie?: object) =>
    await callOk(theApp(), ENDPOINTS.addCard, by, {
      params: { watchlistId },
      body: { title, description: 'My favourite', image: 'https://example.org/ran.jpg', movie },
    })
  const want = async (watchlistId: string, title: string, by: Caller, movie?: object) =>
    await call(theApp(), ENDPOINTS.wantMovie, by, { params: { watchlistId }, body: { title, movie } })
  const wantsOf = async (watchlistId: string, by: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listWants, by, { params: { watchlistId } })).wants
  const suggestionsOf = async (watchlistId: string, by: Caller) =>
    (await callOk(theApp(), ENDPOINTS.listSuggestions, by, { params: { watchlistId } })).cards
  const count = async (watchlistId: string) =>
    (await callOk(theApp(), ENDPOINTS.countSuggestedCards, ana, { params: { watchlistId } })).count
  const reveal = async (watchlistId: string) =>
    await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId } })
  const leave = async (watchlistId: string, { username }: Caller) =>
    await callOk(theApp(), ENDPOINTS.removeMember, ana, { params: { watchlistId, username } })
  const remove = async (watchlistId: string, cardId: string, by: Caller) =>
    await callOk(theApp(), ENDPOINTS.deleteCard, by, { params: { watchlistId, cardId } })

  test('a revealed card lists the members who want it, its creator first', async () => {
    const watchlistId = await scene()
    const suggested = await suggest(watchlistId, 'Ran', ben, RAN)
    await want(watchlistId, 'ran', dora)
    await want(watchlistId, 'Kaos', cleo, { ids: RAN.ids })

    const revealed = await reveal(watchlistId)

    const params = { watchlistId, cardId: revealed.id }
    const { cards } = await callOk(theApp(), ENDPOINTS.listCards, ana, { params })
    const library = await callOk(theApp(), ENDPOINTS.listLibrary, ana, { params })
    expect(suggested.wantedBy).toBeUndefined()
    expect(revealed.wantedBy).toEqual(['ben', 'dora', 'cleo'])
    expect(cards[0]?.wantedBy).toEqual(['ben', 'dora', 'cleo'])
    expect(library.cards[0]?.wantedBy).toEqual(['ben', 'dora', 'cleo'])
  })

  test('wanting a movie again, or as its creator, gets the same answer and changes nothing', async () => {
    const watchlistId = await scene()
    await suggest(watchlistId, 'Ran', ben)
    await suggest(watchlistId, 'Ran', dora)

    const answers = []
    for (const member of [cleo, cleo, ben, dora]) {
      const { status, body } = await want(watchlistId, 'Ran', member)
      answers.push([status, body])
    }

    expect(answers).toEqual([
      [204, undefined],
      [204, undefined],
      [204, undefined],
      [204, undefined],
    ])
    const shown = [await reveal(watchlistId), await reveal(watchlistId)]
    expect(shown.map(({ wantedBy }) => String(wantedBy)).toSorted()).toEqual(['ben,cleo', 'undefined'])
    expect([await wantsOf(watchlistId, ben), await wantsOf(watchlistId, dora)]).toEqual([[], []])
  })

  test('a movie that is not in the box cannot be wanted', async () => {
    const watchlistId = await scene()
    await aCard(theApp(), { inside: { id: watchlistId }, by: ben, status: 'REVEALED', title: 'Ran' })

    for (const title of ['Ran', 'Brazil']) {
      const { status, body } = await want(watchlistId, title, cleo)
      expect([status, body.message]).toEqual([404, 'This movie is not in the box any more'])
    }
  })

  test('members see their wants as they entered them, page by page, until the card leaves the box', async () => {
    const watchlistId = await scene()
    await suggest(watchlistId, 'RAN: the best of all', ben, RAN)
    await want(watchlistId, 'Ran', cleo, { ids: RAN.ids })
    for (const title of ['Brazil', 'Playtime']) {
      await suggest(watchlistId, title, ben)
      await want(watchlistId, title, cleo)
    }

    const params = { watchlistId }
    const first = await callOk(theApp(), ENDPOINTS.listWants, cleo, { params, query: { limit: 2 } })
    const nextToken = String(first.nextToken)
    const second = await callOk(theApp(), ENDPOINTS.listWants, cleo, { params, query: { limit: 2, nextToken } })

    expect(first.wants.map(({ title }) => title)).toEqual(['Playtime', 'Brazil'])
    expect(second).toEqual({
      wants: [
        {
          wantId: second.wants[0]?.wantId,
          title: 'Ran',
          movie: {
            year: null,
            runtimeMinutes: null,
            genres: [],
            directors: [],
            originalTitle: null,
            language: null,
            source: null,
            ids: { imdb: 'tt0089881' },
          },
          createdAt: second.wants[0]?.createdAt,
        },
      ],
      nextToken: null,
    })
    expect(await wantsOf(watchlistId, dora)).toEqual([])
    for (let n = 0; n < 3; n += 1) await reveal(watchlistId)
    expect(await wantsOf(watchlistId, cleo)).toEqual([])
  })

  test('a want can be removed only by its member, and only while the card is in the box', async () => {
    const watchlistId = await scene()
    await suggest(watchlistId, 'Ran', ben)
    await want(watchlistId, 'Ran', cleo)
    await want(watchlistId, 'Ran', dora)
    const unwant = async (by: Caller, wantId: string) =>
      await callOk(theApp(), ENDPOINTS.unwantMovie, by, { params: { watchlistId, wantId } })
    const [ofCleo] = await wantsOf(watchlistId, cleo)
    const [ofDora] = await wantsOf(watchlistId, dora)

    await unwant(dora, ofCleo?.wantId ?? '')
    await unwant(cleo, ofCleo?.wantId ?? '')
    await unwant(cleo, ofCleo?.wantId ?? '')
    const revealed = await reveal(watchlistId)
    await unwant(dora, ofDora?.wantId ?? '')

    const params = { watchlistId, cardId: revealed.id }
    expect((await callOk(theApp(), ENDPOINTS.getCard, ana, { params })).wantedBy).toEqual(['ben', 'dora'])
  })

  test('a card keeps its wants when it is revealed, accepted, undone and put back', async () => {
    const watchlistId = await scene()
    await suggest(watchlistId, 'Ran', ben)
    await want(watchlistId, 'Ran', cleo)
    const { id: cardId } = await reveal(watchlistId)
    const params = { watchlistId, cardId }
    const move = async (status: string) => await callOk(theApp(), ENDPOINTS.moveCard, ana, { params, body: { status } })

    expect((await move('WATCHED')).wantedBy).toEqual(['ben', 'cleo'])
    expect((await callOk(theApp(), ENDPOINTS.undoMove, ana, { params })).wantedBy).toEqual(['ben', 'cleo'])
    expect((await move('SUGGESTED')).wantedBy).toBeUndefined()
    expect((await reveal(watchlistId)).wantedBy).toEqual(['ben', 'cleo'])
  })

  test('a wanted card that its creator deletes goes to the member who wanted it first', async () => {
    const watchlistId = await scene()
    const { id } = await suggest(watchlistId, 'Ran (in my words)', ben, RAN)
    await suggest(watchlistId, 'Brazil', ben)
    await want(watchlistId, 'Ran', cleo, { ids: RAN.ids, year: 1985 })
    await want(watchlistId, 'RAN', dora, { ids: RAN.ids })
    const [{ wantId, createdAt } = { wantId: '', createdAt: '' }] = await wantsOf(watchlistId, cleo)

    await remove(watchlistId, id, ben)

    expect((await suggestionsOf(watchlistId, ben)).map(({ title }) => title)).toEqual(['Brazil'])
    expect(await wantsOf(watchlistId, cleo)).toEqual([])
    const [card] = await suggestionsOf(watchlistId, cleo)
    expect(card).toMatchObject({
      id: wantId,
      title: 'Ran',
      description: null,
      posterState: 'none',
      creatorId: 'cleo',
      createdAt,
      statusChanges: [{ status: 'SUGGESTED', changedBy: 'cleo', changedAt: createdAt }],
      selectionIndex: 0,
    })
    expect(card?.movie?.directors).toEqual([])
    expect(await count(watchlistId)).toBe(2)
    const shown = [await reveal(watchlistId), await reveal(watchlistId)].find(({ title }) => title === 'Ran')
    expect(shown?.wantedBy).toEqual(['cleo', 'dora'])
  })

  test('a creator who changes the movie of a wanted card leaves the old movie to those who want it', async () => {
    const watchlistId = await scene()
    const { id: cardId } = await suggest(watchlistId, 'Ran', ben, RAN)
    await want(watchlistId, 'Ran', cleo)
    await want(watchlistId, 'Kaos', dora, { ids: RAN.ids })
    const params = { watchlistId, cardId }
    const edit = async (body: object) => await callOk(theApp(), ENDPOINTS.editCard, ben, { params, body })

    await edit({ title: 'Ran (1985)', movie: { ...RAN, originalTitle: 'Ran' } })
    expect(await count(watchlistId)).toBe(1)
    await edit({ title: 'Brazil', movie: { ids: { imdb: 'tt0088846' } } })
    expect(await count(watchlistId)).toBe(2)

    expect((await suggestionsOf(watchlistId, ben)).map(({ title, selectionIndex }) => [title, selectionIndex])).toEqual(
      [['Brazil', 0]],
    )
    expect(
      (await suggestionsOf(watchlistId, cleo)).map(({ title, selectionIndex }) => [title, selectionIndex]),
    ).toEqual([['Ran', 1]])
    const shown = [await reveal(watchlistId), await reveal(watchlistId)]
    expect(shown.map(({ title, wantedBy }) => `${title}: ${String(wantedBy)}`).toSorted()).toEqual([
      'Brazil: undefined',
      'Ran: cleo,dora',
    ])
  })

  test('a deleted card of the feed is gone, even if others want it', async () => {
    const watchlistId = await scene()
    await suggest(watchlistId, 'Ran', ben)
    await want(watchlistId, 'Ran', cleo)
    const { id } = await reveal(watchlistId)

    await remove(watchlistId, id, ben)

    expect([await count(watchlistId), await suggestionsOf(watchlistId, cleo)]).toEqual([0, []])
  })

  test('an export lists who wants a card of the feed, but not who wants a card in the box', async () => {
    const watchlistId = await scene()
    for (const title of ['Ran', 'Brazil']) {
      await suggest(watchlistId, title, ben)
      for (const member of [cleo, dora]) await want(watchlistId, title, member)
    }
    const { title: shown } = await reveal(watchlistId)
    await suggest(watchlistId, 'Ikiru', ben)
    const exported = async (by: Caller) =>
      (await callOk(theApp(), ENDPOINTS.exportWatchlist, by, { params: { watchlistId } })).cards
        .map(({ title, wantedBy }) => `${title === shown ? 'shown' : 'in the box'}: ${String(wantedBy)}`)
        .toSorted()
    const csv = await theApp().app.inject({
      url: `/api/watchlists/${watchlistId}/export?format=csv`,
      headers: { authorization: `Bearer ${testToken(cleo)}` },
    })

    expect(await exported(cleo)).toEqual(['shown: ben,cleo,dora'])
    expect(await exported(ben)).toEqual(['in the box: undefined', 'in the box: undefined', 'shown: ben,cleo,dora'])
    expect(csv.body).toContain(',REVEALED,ben,"ben, cleo, dora",')
  })

  test('the wants of a member who leaves or deletes their account are removed', async () => {
    const watchlistId = await scene()
    await suggest(watchlistId, 'Ran', ben)
    for (const member of [cleo, dora]) await want(watchlistId, 'Ran', member)
    const { id: cardId } = await reveal(watchlistId)
    const params = { watchlistId, cardId }
    const readFeed = async (etag: unknown) =>
      await call(theApp(), ENDPOINTS.listCards, ana, { params, headers: { 'if-none-match': String(etag) } })
    const wantedBy = async () => (await callOk(theApp(), ENDPOINTS.getCard, ana, { params })).wantedBy
    const before = await readFeed('')

    await leave(watchlistId, cleo)
    expect(await wantedBy()).toEqual(['ben', 'dora'])
    await theDatabase().transaction(async (trx) => await removePersonAt(testClock, systemRandom)(trx, dora.userId))
    expect(await wantedBy()).toBeUndefined()
    expect((await readFeed(before.headers['etag'])).status).toBe(200)
  })
})
