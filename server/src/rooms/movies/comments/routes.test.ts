import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { MAX_COMMENT_LENGTH } from '@marquee/contract/limits'
import { localEventBus } from '@marquee/platform/events/bus'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { countingReads } from '../../../testing/count-statements.ts'
import { aCard, aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp, startApp } from '../../../testing/start-app.ts'

const bus = localEventBus()

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { bus })

  /** A watchlist of ana with ben as a member, and a card in its feed. */
  async function scene() {
    const ben = aUser('ben')
    const { watchlist, owner: ana } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
    const params = { watchlistId: watchlist.id, cardId: card.id }
    return {
      ana,
      ben,
      watchlist,
      card,
      params,
      add: async (content: unknown, by: Caller = ben) =>
        await call(theApp(), ENDPOINTS.addComment, by, { params, body: { content } }),
      edit: async (commentId: string, content: unknown, by: Caller = ben) =>
        await call(theApp(), ENDPOINTS.editComment, by, { params: { ...params, commentId }, body: { content } }),
      remove: async (commentId: string, by: Caller = ben) =>
        await call(theApp(), ENDPOINTS.deleteComment, by, { params: { ...params, commentId } }),
      list: async (query: Record<string, string | number> = {}) =>
        await callOk(theApp(), ENDPOINTS.listComments, aUser('reader'), { params, query }),
      embedded: async () =>
        (await callOk(theApp(), ENDPOINTS.getCard, ana, { params })).lastComments.map(({ content }) => content),
      putBack: async () => await callOk(theApp(), ENDPOINTS.moveCard, ana, { params, body: { status: 'SUGGESTED' } }),
    }
  }

  test('a comment is trimmed, has its author, and comes first on the page and on the card', async () => {
    const { card, add, list, embedded } = await scene()
    await add('first')

    const { status, body } = await add('  Seen it twice.\n ')

    expect(status).toBe(201)
    expect(body).toEqual({
      commentId: body.commentId,
      cardId: card.id,
      content: 'Seen it twice.',
      authorId: 'ben',
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    })
    const { comments } = await list()
    expect(comments[0]).toEqual(body)
    expect(await embedded()).toEqual(['Seen it twice.', 'first'])
  })

  test('a card shows its three newest comments, even after one is deleted', async () => {
    const { add, remove, embedded } = await scene()
    const ids: string[] = []
    for (const content of ['one', 'two', 'three', 'four']) ids.push((await add(content)).body.commentId)

    const before = await embedded()
    const { status } = await remove(ids[2] ?? '')

    expect(before).toEqual(['four', 'three', 'two'])
    expect(status).toBe(204)
    expect(await embedded()).toEqual(['four', 'two', 'one'])
  })

  test('an edited comment keeps its position, and `updatedAt` rises even if the clock does not move', async () => {
    const frozen = { now: () => new Date('2026-01-01T12:00:00.000Z') }
    const app = await startApp(theDatabase(), { clock: frozen })
    const { watchlist, owner } = await aWatchlist(app)
    const card = await aCard(app, { inside: watchlist, by: owner, status: 'REVEALED' })
    const params = { watchlistId: watchlist.id, cardId: card.id }
    const add = async (content: string) => await callOk(app, ENDPOINTS.addComment, owner, { params, body: { content } })
    const [older, newer] = [await add('older'), await add('newer')]

    const edited = await callOk(app, ENDPOINTS.editComment, owner, {
      params: { ...params, commentId: older.commentId },
      body: { content: ' older, but wiser ' },
    })
    const { comments } = await callOk(app, ENDPOINTS.listComments, owner, { params })
    await app.stop()

    expect(edited).toEqual({ ...older, content: 'older, but wiser', updatedAt: '2026-01-01T12:00:00.001Z' })
    expect(comments).toEqual([newer, edited])
  })

  describe('a comment of another member', () => {
    test('a comment of another member cannot be edited or deleted, not even by the owner', async () => {
      const { ana, add, edit, remove, list } = await scene()
      const { body: comment } = await add('Mine')

      const answers = [await edit(comment.commentId, 'Yours', ana), await remove(comment.commentId, ana)]

      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [403, { type: 'UNAUTHORIZED', message: 'Unauthorized access' }],
        [403, { type: 'UNAUTHORIZED', message: 'Unauthorized access' }],
      ])
      expect((await list()).comments).toEqual([comment])
    })

    test('a comment keeps the name of an author who left, and the author can no longer change it', async () => {
      const { ben, watchlist, add, edit, remove, list } = await scene()
      const { body: comment } = await add('Goodbye')
      const params = { watchlistId: watchlist.id, username: 'ben' }
      await callOk(theApp(), ENDPOINTS.removeMember, ben, { params })

      const answers = [await edit(comment.commentId, 'Hello again'), await remove(comment.commentId), await add('Hm')]

      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
      expect((await list()).comments).toEqual([comment])
    })
  })

  test('a stranger can read comments but not write them', async () => {
    const { add, list, edit } = await scene()
    const { body: comment } = await add('Hello')
    const eve = aUser('eve')

    const answers = [await add('Spam', eve), await edit(comment.commentId, 'Spam', eve)]

    expect(answers.map(({ status }) => status)).toEqual([403, 403])
    expect((await list()).comments).toEqual([comment])
  })

  test('all comment calls for a card in the box get 404, and the comments return with the card', async () => {
    const { ana, params, watchlist, add, edit, remove, list, putBack } = await scene()
    const { body: comment } = await add('Before')
    await putBack()

    const answers = [
      await call(theApp(), ENDPOINTS.listComments, ana, { params }),
      await add('Meanwhile'),
      await edit(comment.commentId, 'Meanwhile'),
      await remove(comment.commentId),
    ]
    await callOk(theApp(), ENDPOINTS.revealRandomCard, ana, { params: { watchlistId: watchlist.id } })

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual(answers.map(() => [404, 'NOT_FOUND']))
    expect((await list()).comments).toEqual([comment])
  })

  test('changing a comment that does not exist or is on another card gets 404', async () => {
    const one = await scene()
    const other = await scene()
    const { body: comment } = await other.add('Here')

    const answers = [
      await one.edit('none', 'x'),
      await one.remove('none'),
      await one.edit(comment.commentId, 'x'),
      await one.remove(comment.commentId),
    ]

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect((await other.list()).comments).toEqual([comment])
  })

  test.each([
    ['no text', undefined, 'content: '],
    ['blank text', ' \n\t ', 'content: A comment is required'],
    ['a number', 7, 'content: '],
    ['a null character', 'a\u0000b', 'content: Null characters are not allowed'],
    ['too much text', 'x'.repeat(MAX_COMMENT_LENGTH + 1), 'content: '],
  ])('a comment with %s is rejected, and the field is named', async (_what, content, message) => {
    const { add, edit, list } = await scene()
    const { body: comment } = await add('x'.repeat(MAX_COMMENT_LENGTH))

    const answers = [await add(content), await edit(comment.commentId, content)]

    for (const { status, body } of answers) {
      expect({ status, type: body.type }).toEqual({ status: 400, type: 'BAD_REQUEST' })
      expect(body.message).toContain(message)
    }
    expect((await list()).comments).toEqual([comment])
  })

  describe('pages of comments', () => {
    test('comments come ten per page, newest first, each once while others are added and deleted', async () => {
      const { add, list, remove } = await scene()
      const ids: string[] = []
      for (let n = 0; n < 23; n += 1) ids.push((await add(`${n}`)).body.commentId)

      const first = await list()
      await add('added meanwhile')
      // The comment after which the next page starts.
      await remove(ids[13] ?? '')
      const second = await list({ nextToken: first.nextToken ?? '' })
      const third = await list({ nextToken: second.nextToken ?? '' })

      const shown = [first, second, third].map(({ comments }) => comments.map(({ content }) => Number(content)))
      expect(shown.map((page) => page.length)).toEqual([10, 10, 3])
      expect(shown.flat()).toEqual(Array.from({ length: 23 }, (_, index) => 22 - index))
      expect(third.nextToken).toBeNull()
    })

    test('paging ends after an exactly full page, and a card without comments has an empty page', async () => {
      const { add, list } = await scene()
      const empty = await list()
      for (let n = 0; n < 4; n += 1) await add(`${n}`)

      const full = await list({ limit: 4 })

      expect(empty).toEqual({ comments: [], nextToken: null })
      expect(full.comments).toHaveLength(4)
      expect(full.nextToken).toBeNull()
    })

    test.each([{ limit: 0 }, { limit: 51 }, { limit: 'ten' }, { nextToken: 'x' }, { nextToken: '' }])(
      'listing comments with the query %j is rejected, and the parameter is named',
      async (query) => {
        const { ana, params } = await scene()

        const { status, body } = await call(theApp(), ENDPOINTS.listComments, ana, { params, query })

        expect({ status, type: body.type }).toEqual({ status: 400, type: 'BAD_REQUEST' })
        expect(body.message).toMatch(new RegExp(`^${Object.keys(query)[0]}: `, 'u'))
      },
    )

    test('a page of comments is read in three statements, however many there are', async () => {
      const counting = countingReads(theDatabase())
      const app = await startApp(counting.database)
      const { params, ana, add } = await scene()
      for (let n = 0; n < 12; n += 1) await add(`${n}`)

      const statements = await counting.ofRead(async () => {
        const page = await callOk(app, ENDPOINTS.listComments, ana, { params })
        expect(page.comments).toHaveLength(10)
      })
      await app.stop()

      expect(statements).toBe(3)
    })
  })

  describe('concurrent changes', () => {
    test(
      'simultaneous comments by two members are all kept, in the order of their time',
      { tags: ['race'] },
      async () => {
        const { ana, ben, add, list } = await scene()

        const answers = await Promise.all(
          Array.from({ length: 30 }, async (_, n) => await add(`${n}`, n % 2 === 0 ? ana : ben)),
        )

        const { comments } = await list({ limit: 50 })
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
        expect(new Set(comments.map(({ commentId }) => commentId))).toEqual(
          new Set(answers.map(({ body }) => body.commentId)),
        )
        const times = comments.map(({ createdAt }) => createdAt)
        expect(times).toEqual(times.toSorted().toReversed())
      },
    )

    test('two concurrent edits of a comment succeed, and one of the two texts stays', { tags: ['race'] }, async () => {
      const { add, edit, list } = await scene()
      const { body: comment } = await add('0')

      const answers = await Promise.all(['one', 'other'].map(async (text) => await edit(comment.commentId, text)))

      expect(answers.map(({ status, body }) => [status, body.content])).toEqual([
        [200, 'one'],
        [200, 'other'],
      ])
      expect(answers.map(({ body }) => body)).toContainEqual((await list()).comments[0])
    })

    test('a comment on a card that is being deleted is saved first or gets 404', { tags: ['race'] }, async () => {
      const { ana, watchlist } = await scene()
      for (let round = 0; round < 15; round += 1) {
        const card = await aCard(theApp(), { inside: watchlist, by: ana, status: 'REVEALED' })
        const params = { watchlistId: watchlist.id, cardId: card.id }

        const [commented, deleted] = await Promise.all([
          call(theApp(), ENDPOINTS.addComment, ana, { params, body: { content: `${systemRandom.below(99)}` } }),
          call(theApp(), ENDPOINTS.deleteCard, ana, { params }),
        ])

        expect([201, 404]).toContain(commented.status)
        expect(deleted.status).toBe(204)
      }
    })
  })

  test('each change of a comment sends a live event, and a rejected one sends none', async () => {
    const { ana, watchlist, card, add, edit, remove } = await scene()
    const heard: unknown[] = []
    const leave = bus.subscribe(`watchlist:${watchlist.id}`, (payload) => heard.push(JSON.parse(payload)))

    const { body: comment } = await add('a')
    await edit(comment.commentId, 'b', ana)
    await edit(comment.commentId, 'c')
    await remove(comment.commentId)
    leave()

    const event = { kind: 'comments-changed', watchlistId: watchlist.id, cardId: card.id, by: 'ben' }
    expect(heard).toEqual([event, event, event])
  })
})
