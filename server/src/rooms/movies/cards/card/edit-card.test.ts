import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Card } from '@marquee/contract/entities/card'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../../testing/call.ts'
import { insertComment } from '../../../../testing/insert-comment.ts'
import { aCard, aUser, aWatchlist } from '../../../../testing/make.ts'
import { anApp } from '../../../../testing/start-app.ts'

const paramsOf = (card: Card) => ({ watchlistId: card.watchlistId, cardId: card.id })

eachStatement({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  const edit = async (card: Card, by: Caller, body: Record<string, unknown>) =>
    await call(theApp(), ENDPOINTS.editCard, by, { params: paramsOf(card), body })
  const feedOf = async (watchlistId: string) =>
    (await callOk(theApp(), ENDPOINTS.listCards, aUser('reader'), { params: { watchlistId } })).cards

  describe('one card', () => {
    test('reading a card by id returns it as the feed shows it', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'WATCHED' })
      await insertComment(theDatabase(), { card, content: 'Again!', id: systemRandom.orderedId() })

      const read = await callOk(theApp(), ENDPOINTS.getCard, aUser('eve'), { params: paramsOf(card) })

      expect([read]).toEqual(await feedOf(watchlist.id))
      expect(read.lastComments).toHaveLength(1)
    })

    test('reading a card in the box by id gets 404, even for its creator and the owner', async () => {
      const ben = aUser('ben')
      const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
      const card = await aCard(theApp(), { inside: watchlist, by: ben })

      for (const reader of [ben, owner, aUser('eve')]) {
        const { status, body } = await call(theApp(), ENDPOINTS.getCard, reader, { params: paramsOf(card) })
        expect({ status, type: body.type }).toEqual({ status: 404, type: 'NOT_FOUND' })
      }
    })

    test('reading, editing or deleting a card under another watchlist gets 404', async () => {
      const { watchlist, owner } = await aWatchlist(theApp())
      const { watchlist: other } = await aWatchlist(theApp(), { owner })
      const card = await aCard(theApp(), { inside: other, by: owner, status: 'REVEALED' })
      const params = { watchlistId: watchlist.id, cardId: card.id }

      expect((await call(theApp(), ENDPOINTS.getCard, owner, { params })).status).toBe(404)
      expect((await call(theApp(), ENDPOINTS.deleteCard, owner, { params })).status).toBe(404)
      expect((await call(theApp(), ENDPOINTS.editCard, owner, { params, body: { title: 'X' } })).status).toBe(404)
      expect(await feedOf(other.id)).toHaveLength(1)
    })
  })

  test('an edit changes title and description, and keeps position, history and image', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED' })
    await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED', title: 'Newer' })

    const { status, body } = await edit(card, ben, { title: ' Paris, Texas (1984) ', description: ' Wim Wenders ' })

    expect(status).toBe(200)
    expect(body).toEqual({
      ...card,
      title: 'Paris, Texas (1984)',
      description: 'Wim Wenders',
      updatedAt: body.updatedAt,
    })
    expect(body.updatedAt >= card.updatedAt).toBe(true)
    expect((await feedOf(watchlist.id)).map(({ title }) => title)).toEqual(['Newer', 'Paris, Texas (1984)'])
  })

  test('an edit without a description removes it, and an edit with an image replaces the image', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
    await edit(card, owner, { title: 'Ran', description: 'Kurosawa' })

    const { body } = await edit(card, owner, { title: 'Ran', image: 'https://example.org/ran.png' })

    expect(body).toMatchObject({ description: null, imageUrl: 'https://example.org/ran.png' })
  })

  test('an edit can replace the image link with an upload, and the upload with a link', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
    const pixels = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()

    const uploaded = await edit(card, owner, {
      title: 'A',
      image: `data:image/png;base64,${pixels.toString('base64')}`,
    })
    const sentBack = await edit(card, owner, { title: 'B', image: uploaded.body.imageUrl })
    const linked = await edit(card, owner, { title: 'C', image: card.imageUrl })

    expect(uploaded.body.imageUrl).toMatch(/\/images\/[0-9a-f]{64}-640\.webp$/u)
    expect(sentBack.body.imageUrl).toBe(uploaded.body.imageUrl)
    expect(linked.body.imageUrl).toBe(card.imageUrl)
  })

  test('the owner can edit and delete the card of a member', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED' })

    const edited = await edit(card, owner, { title: 'Changed by the owner' })
    const deleted = await call(theApp(), ENDPOINTS.deleteCard, owner, { params: paramsOf(card) })

    expect(edited.body).toMatchObject({ title: 'Changed by the owner', creatorId: 'ben' })
    expect(deleted).toMatchObject({ status: 204, body: undefined })
    expect(await feedOf(watchlist.id)).toEqual([])
  })

  test('another member can neither edit nor delete a card', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })

    const edited = await edit(card, ben, { title: 'Mine now' })
    const deleted = await call(theApp(), ENDPOINTS.deleteCard, ben, { params: paramsOf(card) })

    expect([edited, deleted].map(({ status, body }) => [status, body.type])).toEqual([
      [403, 'UNAUTHORIZED'],
      [403, 'UNAUTHORIZED'],
    ])
    expect(await feedOf(watchlist.id)).toEqual([card])
  })

  test('a creator who left the watchlist can no longer change a card', async () => {
    const ben = aUser('ben')
    const { watchlist } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED' })
    await callOk(theApp(), ENDPOINTS.removeMember, ben, { params: { watchlistId: watchlist.id, username: 'ben' } })

    const edited = await edit(card, ben, { title: 'After all' })
    const deleted = await call(theApp(), ENDPOINTS.deleteCard, ben, { params: paramsOf(card) })

    expect([edited.status, deleted.status]).toEqual([403, 403])
    expect(await feedOf(watchlist.id)).toEqual([card])
  })

  test('only the creator can change a card in the box; the owner gets 404, and a stranger 403', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: ben })

    const strangers = [await edit(card, owner, { title: 'Peek' }), await edit(card, aUser('eve'), { title: 'Peek' })]
    const denied = await call(theApp(), ENDPOINTS.deleteCard, owner, { params: paramsOf(card) })
    const edited = await edit(card, ben, { title: 'Better title' })

    expect(strangers.map(({ status }) => status)).toEqual([404, 403])
    expect(strangers[0]?.body).toEqual({ type: 'NOT_FOUND', message: 'Resource not found' })
    expect(denied.status).toBe(404)
    expect(edited.body).toMatchObject({ title: 'Better title', status: 'SUGGESTED', selectionIndex: 0 })
  })

  test('two concurrent edits succeed, and the card has all values of one of them', { tags: ['race'] }, async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: ben, status: 'REVEALED' })
    for (let round = 0; round < 15; round += 1) {
      const edits = [
        { title: `owner ${round}`, description: `owner ${round}` },
        { title: `ben ${round}`, description: `ben ${round}` },
      ]

      const answers = await Promise.all([edit(card, owner, edits[0] ?? {}), edit(card, ben, edits[1] ?? {})])

      expect(answers.map(({ status, body: { title, description } }) => ({ status, title, description }))).toEqual(
        edits.map((content) => ({ status: 200, ...content })),
      )
      const [edited] = await feedOf(watchlist.id)
      expect(edits).toContainEqual({ title: edited?.title, description: edited?.description })
    }
  })

  test('an upload by a user who may not change the card is rejected before it is decoded', async () => {
    const ben = aUser('ben')
    const { watchlist, owner } = await aWatchlist(theApp(), { members: [ben] })
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })

    // Decoded, it would be a 400.
    const { status } = await edit(card, ben, { title: 'X', image: 'data:image/png;base64,AAAA' })

    expect(status).toBe(403)
  })

  test.each([
    ['a blank title', { title: ' ' }, 'title: Movie title is required'],
    ['no title', { description: 'x' }, 'title: '],
    ['a blank image', { title: 'X', image: ' ' }, 'image: An image is required'],
    ['no image at all', { title: 'X', image: null }, 'image: '],
    ['an invalid image address', { title: 'X', image: 'poster.png' }, 'Please enter a valid image URL'],
  ])('an edit with %s is rejected and changes nothing', async (_what, body, message) => {
    const { watchlist, owner } = await aWatchlist(theApp())
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })

    const answer = await edit(card, owner, body)

    expect({ status: answer.status, type: answer.body.type }).toEqual({ status: 400, type: 'BAD_REQUEST' })
    expect(answer.body.message).toContain(message)
    expect(await feedOf(watchlist.id)).toEqual([card])
  })
})
