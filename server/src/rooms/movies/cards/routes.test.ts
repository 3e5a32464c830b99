import { describe, expect, test } from 'vitest'

import { CARD_STATUSES, type CardStatus } from '@marquee/contract/entities/card'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { canMove, MOVE_TARGETS } from '@marquee/contract/rules/card-moves'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, callOk } from '../../../testing/call.ts'
import { countingReads } from '../../../testing/count-statements.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp, startApp } from '../../../testing/start-app.ts'
import { insertComment } from '../../../testing/insert-comment.ts'

eachStatement({ product: productMigrations }, (theDatabase) => {
  const clock = movableClock()
  const theApp = anApp(theDatabase, { clock })

  const feedOf = async (watchlistId: string) =>
    (await callOk(theApp(), ENDPOINTS.listCards, aUser('reader'), { params: { watchlistId }, query: { limit: 50 } }))
      .cards
  const countOf = async (watchlistId: string, member: ReturnType<typeof aUser>) =>
    (await callOk(theApp(), ENDPOINTS.countSuggestedCards, member, { params: { watchlistId } })).count

  describe('adding a card', () => {
    test('adding a card puts it into the last slot of the box, outside the feed', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const params = { watchlistId: watchlist.id }
      await aCard(theApp(), { inside: watchlist, by: owner })

      const { status, body: card } = await call(theApp(), ENDPOINTS.addCard, owner, {
        params,
        body: { title: ' Playtime ', description: '  ', image: ' https://example.org/a.png ' },
      })

      expect(status).toBe(201)
      expect(card).toMatchObject({
        watchlistId: watchlist.id,
        title: 'Playtime',
        description: null,
        imageUrl: 'https://example.org/a.png',
        status: 'SUGGESTED',
        creatorId: 'ana',
        selectionIndex: 1,
        statusChanges: [{ status: 'SUGGESTED', changedBy: 'ana', changedAt: card.createdAt }],
        lastComments: [],
      })
      expect(await countOf(watchlist.id, owner)).toBe(2)
      expect(await feedOf(watchlist.id)).toEqual([])
    })

    // Evidence: asvs-15.3.3
    test('fields that only the server sets are ignored when a card is added and edited', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const of = { id: 'mine', watchlistId: 'other', status: 'WATCHED', creatorId: 'zoe', selectionIndex: 7 }
      const when = { createdAt: '2001-01-01T00:00:00.000Z', updatedAt: '2001-01-01T00:00:00.000Z' }
      const body = { title: 'Playtime', image: 'https://example.org/a.png', ...of, ...when }

      const params = { watchlistId: watchlist.id }
      const added = await callOk(theApp(), ENDPOINTS.addCard, owner, { params, body })
      const place = { ...params, cardId: added.id }
      const edited = await callOk(theApp(), ENDPOINTS.editCard, owner, { params: place, body })

      for (const card of [added, edited]) {
        expect(card).toMatchObject({
          watchlistId: watchlist.id,
          status: 'SUGGESTED',
          creatorId: 'ana',
          selectionIndex: 0,
        })
        expect(card.id).toMatch(/^[\w-]{10,}$/u)
        expect(card.createdAt > '2020').toBe(true)
        expect(card.updatedAt > '2020').toBe(true)
      }
    })

    test('adding a card with revealImmediately puts it at the top of the feed and leaves the box alone', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED', title: 'Older' })

      const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED', title: 'Newer' })

      expect(card).toMatchObject({ status: 'REVEALED', selectionIndex: null })
      expect(card.statusChanges.map((change) => change.status)).toEqual(['SUGGESTED', 'REVEALED'])
      expect((await feedOf(watchlist.id)).map((shown) => shown.title)).toEqual(['Newer', 'Older'])
      expect(await countOf(watchlist.id, owner)).toBe(0)
    })

    // Evidence: asvs-1.2.2
    test.each([
      'ftp://example.org/a.png',
      'poster.png',
      'javascript:alert(1)',
      'https://a:b@example.org/a.png',
      '//x.org',
    ])('adding a card with the image link %s is rejected, and no card is added', async (image) => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const params = { watchlistId: watchlist.id }

      const { status, body } = await call(theApp(), ENDPOINTS.addCard, owner, { params, body: { title: 'X', image } })

      expect(status).toBe(400)
      expect(body).toEqual({ type: 'BAD_REQUEST', message: 'Please enter a valid image URL' })
      expect(await countOf(watchlist.id, owner)).toBe(0)
    })
  })

  describe('moving a card', () => {
    test.each(MOVE_TARGETS)(
      'moving a card from revealed to %s is recorded with the member who moved it',
      async (to) => {
        const ben = aUser('ben')
        const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
        const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
        const params = { watchlistId: watchlist.id, cardId: card.id }

        const moved = await callOk(theApp(), ENDPOINTS.moveCard, ben, { params, body: { status: to } })

        expect(moved.status).toBe(to)
        expect(moved.statusChanges.map(({ status, changedBy }) => [status, changedBy])).toEqual([
          ['SUGGESTED', 'ana'],
          ['REVEALED', 'ana'],
          [to, 'ben'],
        ])
        expect(moved.statusChangedAt).toBe(moved.statusChanges.at(-1)?.changedAt)
        expect(moved.selectionIndex).toBe(to === 'SUGGESTED' ? 0 : null)
        expect(await countOf(watchlist.id, owner)).toBe(to === 'SUGGESTED' ? 1 : 0)
      },
    )

    const forbidden = CARD_STATUSES.flatMap((from) =>
      MOVE_TARGETS.filter((to) => !canMove(from, to)).map((to): [CardStatus, CardStatus] => [from, to]),
    )
    // Evidence: asvs-2.3.1
    test.each(forbidden)('moving a card from %s to %s is rejected and changes nothing', async (from, to) => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const card = await aCard(theApp(), { inside: watchlist, by: owner, status: from })
      const before = [await feedOf(watchlist.id), await countOf(watchlist.id, owner)]

      const { status, body } = await call(theApp(), ENDPOINTS.moveCard, owner, {
        params: { watchlistId: watchlist.id, cardId: card.id },
        body: { status: to },
      })

      const faster = 'Another member was faster: this card is not revealed any more'
      expect([status, body]).toEqual(
        from === 'SUGGESTED'
          ? [404, { type: 'NOT_FOUND', message: 'Resource not found' }]
          : [400, { type: 'BAD_REQUEST', message: faster }],
      )
      expect([await feedOf(watchlist.id), await countOf(watchlist.id, owner)]).toEqual(before)
    })

    // Evidence: asvs-2.3.4
    test(
      'only one of several concurrent moves of a card succeeds, and the others are rejected',
      { tags: ['race'] },
      async () => {
        const { watchlist, owner } = await aWatchlist(theApp())
        const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
        const params = { watchlistId: watchlist.id, cardId: card.id }

        const answers = await Promise.all(
          MOVE_TARGETS.map(
            async (status) => await call(theApp(), ENDPOINTS.moveCard, owner, { params, body: { status } }),
          ),
        )

        const winner = MOVE_TARGETS.find((_to, n) => answers[n]?.status === 200)
        const losers = answers.filter((answer) => answer.status !== 200)
        const refusal = winner === 'SUGGESTED' ? [404, 'NOT_FOUND'] : [400, 'BAD_REQUEST']
        expect(losers.map(({ status, body }) => [status, body.type])).toEqual([refusal, refusal])
      },
    )

    test('moving a card that does not exist or is in another watchlist gets 404', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const { watchlist: other } = await aWatchlist(theApp(), { owner })
      const card = await aCard(theApp(), { inside: other, by: owner, status: 'REVEALED' })
      const move = async (cardId: string) =>
        await call(theApp(), ENDPOINTS.moveCard, owner, {
          params: { watchlistId: watchlist.id, cardId },
          body: { status: 'WATCHED' },
        })

      expect((await move('no-such-card')).status).toBe(404)
      expect((await move(card.id)).status).toBe(404)
    })
  })

  describe('the feed', () => {
    test('the feed is ordered by the last status change, newest first', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const first = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED', title: 'first' })
      await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED', title: 'second' })
      clock.moveAhead(1)
      await callOk(theApp(), ENDPOINTS.moveCard, owner, {
        params: { watchlistId: watchlist.id, cardId: first.id },
        body: { status: 'REJECTED' },
      })

      expect((await feedOf(watchlist.id)).map((card) => card.title)).toEqual(['first', 'second'])
    })

    test('the pages of the feed show every card once, even while cards are added and times are equal', async () => {
      const frozen = { now: () => new Date('2026-01-01T12:00:00.000Z') }
      const app = await startApp(theDatabase(), { clock: frozen })
      const { watchlist, owner } = await aWatchlist(app)
      const params = { watchlistId: watchlist.id }
      for (let n = 0; n < 12; n += 1)
        await aCard(app, { inside: watchlist, by: owner, status: 'REVEALED', title: `${n}` })

      const titles: string[] = []
      let nextToken: string | null = null
      do {
        const query: Record<string, string | number> = { limit: 5, ...(nextToken !== null && { nextToken }) }
        const page = await callOk(app, ENDPOINTS.listCards, owner, { params, query })
        titles.push(...page.cards.map((card) => card.title))
        nextToken = page.nextToken
        await aCard(app, { inside: watchlist, by: owner, status: 'REVEALED', title: 'added meanwhile' })
      } while (nextToken !== null)
      await app.stop()

      expect(titles).toEqual(Array.from({ length: 12 }, (_, index) => `${11 - index}`))
    })

    test('the feed ends after an exactly full page', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      for (let n = 0; n < 3; n += 1) await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
      const params = { watchlistId: watchlist.id }

      const page = await callOk(theApp(), ENDPOINTS.listCards, owner, { params, query: { limit: 3 } })

      expect(page.cards).toHaveLength(3)
      expect(page.nextToken).toBeNull()
    })

    test.each([
      { limit: 0 },
      { limit: 51 },
      { limit: 'ten' },
      { limit: 1.5 },
      { nextToken: 'x' },
      { nextToken: '' },
      { nextToken: Buffer.from('2026-01-01T00:00:00.000Z nope;drop').toString('base64url') },
    ])('the feed rejects the query %j and names the parameter', async (query) => {
      const { watchlist, owner } = await aWatchlist(theApp())

      const { status, body } = await call(theApp(), ENDPOINTS.listCards, owner, {
        params: { watchlistId: watchlist.id },
        query,
      })

      expect({ status, type: body.type }).toEqual({ status: 400, type: 'BAD_REQUEST' })
      expect(body.message).toMatch(new RegExp(`^${Object.keys(query)[0]}: `, 'u'))
    })

    test('the feed has ten cards per page, each with its full history and its three newest comments', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      for (let n = 0; n < 11; n += 1) await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
      const [card] = await feedOf(watchlist.id)
      for (const content of ['one', 'two', 'three', 'fo"ur'])
        await insertComment(theDatabase(), { card, content, id: systemRandom.orderedId() })

      const page = await callOk(theApp(), ENDPOINTS.listCards, owner, { params: { watchlistId: watchlist.id } })

      expect(page.cards).toHaveLength(10)
      expect(page.cards[0]?.lastComments.map((comment) => comment.content)).toEqual(['fo"ur', 'three', 'two'])
      expect(page.cards.every((shown) => shown.statusChanges.length === 2)).toBe(true)
    })

    test('the feed is read in two statements, whatever its content', async () => {
      const counting = countingReads(theDatabase())
      const app = await startApp(counting.database)
      const { watchlist, owner } = await aWatchlist(app)
      for (let n = 0; n < 10; n += 1) await aCard(app, { inside: watchlist, by: owner, status: 'WATCHED' })

      const statements = await counting.ofRead(async () => {
        const page = await callOk(app, ENDPOINTS.listCards, owner, { params: { watchlistId: watchlist.id } })
        expect(page.cards).toHaveLength(10)
      })
      await app.stop()

      expect(statements).toBe(2)
    })
  })

  describe('a page that the client already has', () => {
    test('a page that the client already has gets 304 until it changes, and caches never store it', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const params = { watchlistId: watchlist.id }
      await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
      const read = async (etag: string) =>
        await call(theApp(), ENDPOINTS.listCards, aUser(), { params, headers: { 'if-none-match': etag } })
      const { headers } = await call(theApp(), ENDPOINTS.listCards, owner, { params })
      const etag = String(headers['etag'])

      const unchanged = await read(`"other", ${etag}`)
      await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
      const changed = await read(etag)

      expect(unchanged).toMatchObject({ status: 304, body: undefined })
      expect(changed.status).toBe(200)
      expect([unchanged, changed].map((answer) => answer.headers['cache-control'])).toEqual(['no-store', 'no-store'])
      expect(changed.body.cards).toHaveLength(2)
    })

    test('a page that the client already has is still refused to callers without read access', async () => {
      const { watchlist, owner } = await aWatchlist(theApp(), { isPrivate: true })
      const params = { watchlistId: watchlist.id }
      const { headers } = await call(theApp(), ENDPOINTS.listCards, owner, { params })

      const answer = await call(theApp(), ENDPOINTS.listCards, aUser(), {
        params,
        headers: { 'if-none-match': String(headers['etag']) },
      })

      expect(answer.status).toBe(404)
    })
  })
})
