import { expect, test } from 'vitest'

import { type Endpoint, ENDPOINTS, MAX_BODY_BYTES, MAX_IMAGE_BODY_BYTES } from '@marquee/contract/endpoints'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { anApp } from './testing/start-app.ts'

const image = 'https://example.org/a.jpg'
const { addCard, createWatchlist, moveCard, setCurrentWatchlist, updateWatchlist } = ENDPOINTS

/** The body, and how the message begins. */
const BAD: [what: string, endpoint: Endpoint, body: unknown, says: string][] = [
  ['no JSON', addCard, '{"title": "Alien"', 'body: '],
  ['a list', addCard, [], 'body: '],
  ['a text', addCard, '"Alien"', 'body: '],
  ['null', addCard, 'null', 'body: '],
  ['an empty body', addCard, '', 'body: '],
  ['no title', addCard, { image }, 'title: '],
  ['a number for a title', addCard, { title: 7, image }, 'title: '],
  ['a blank title', addCard, { title: '  ', image }, 'title: Movie title is required'],
  ['a title of 2 MB', addCard, { title: 'x'.repeat(2_000_000), image }, 'title: '],
  ['a title with a null character', addCard, { title: 'a\0b', image }, 'title: '],
  ['a description that is a list', addCard, { title: 'Alien', image, description: [] }, 'description: '],
  ['no image', addCard, { title: 'Alien' }, 'image: '],
  ['a blank image', addCard, { title: 'Alien', image: ' ' }, 'image: An image is required'],
  [
    'a text for reveal immediately',
    addCard,
    { title: 'Alien', image, revealImmediately: 'yes' },
    'revealImmediately: ',
  ],
  ['two mistakes', addCard, { title: 7, image: 7 }, 'title: '],
  ['an unknown status', moveCard, { status: 'LOST' }, 'status: '],
  ['a status that is not a move', moveCard, { status: 'REVEALED' }, 'status: '],
  ['no status', moveCard, {}, 'status: '],
  ['a status in a list', moveCard, { status: ['WATCHED'] }, 'status: '],
  ['no name', createWatchlist, { description: 'x' }, 'name: '],
  ['a blank name', createWatchlist, { name: ' ' }, 'name: Watchlist name is required'],
  ['a name of 60 kB', updateWatchlist, { name: 'x'.repeat(60_000) }, 'name: '],
  ['a description that is an object', updateWatchlist, { name: 'x', description: {} }, 'description: '],
  ['a prototype', createWatchlist, '{"__proto__": {"name": "x"}, "name": "x"}', 'body: '],
  ['no watchlist', setCurrentWatchlist, {}, 'watchlistId: '],
  ['an id that can be none', setCurrentWatchlist, { watchlistId: '\0' }, 'watchlistId: '],
]

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  async function scene() {
    const { watchlist, owner } = await aWatchlist(theApp())
    const card = await aCard(theApp(), { inside: watchlist, by: owner, status: 'REVEALED' })
    const params = { watchlistId: watchlist.id, cardId: card.id }
    const look = async () => [
      await callOk(theApp(), ENDPOINTS.listWatchlists, owner),
      await callOk(theApp(), ENDPOINTS.listCards, owner, { params }),
      await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params }),
    ]
    return { owner, params, look }
  }

  // Evidence: asvs-1.5.2, asvs-2.2.1
  test.each(BAD)(
    '%s is rejected with the name of the field, and nothing is stored',
    async (_what, endpoint, body, says) => {
      const { owner, params, look } = await scene()
      const before = await look()

      const answer = await call(theApp(), endpoint, owner, { params, body })

      expect(answer.status).toBe(400)
      expect(answer.body.type).toBe('BAD_REQUEST')
      expect(answer.body.message.slice(0, says.length)).toBe(says)
      expect(answer.body.message.length).toBeLessThan(300)
      expect(await look()).toEqual(before)
    },
  )

  test.each([
    ['64 kB', updateWatchlist, { name: 'x'.repeat(MAX_BODY_BYTES) }],
    ['14 MB with an image', addCard, { title: 'x', image: 'x'.repeat(MAX_IMAGE_BODY_BYTES) }],
  ])('a body of more than %s is refused', async (_what, endpoint: Endpoint, body) => {
    const { owner, params, look } = await scene()
    const before = await look()

    const answer = await call(theApp(), endpoint, owner, { params, body })

    expect(answer.status).toBe(413)
    expect(answer.body).toEqual({ type: 'PAYLOAD_TOO_LARGE', message: 'The request is too large' })
    expect(await look()).toEqual(before)
  })

  // Evidence: asvs-3.5.2
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])(
    'the content type %s is refused',
    async (type) => {
      const { owner, params } = await scene()

      const answer = await call(theApp(), addCard, owner, {
        params,
        body: { title: 'Alien', image },
        headers: { 'content-type': type },
      })

      expect(answer.status).toBe(415)
      expect(answer.body.type).toBe('UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test('a call without a body accepts an empty one', async () => {
    const { watchlist, owner } = await aWatchlist(theApp())
    await aCard(theApp(), { inside: watchlist, by: owner })

    const answer = await call(theApp(), ENDPOINTS.revealRandomCard, owner, {
      params: { watchlistId: watchlist.id },
      body: '',
    })

    expect(answer.status).toBe(200)
  })

  // Evidence: asvs-1.1.1, asvs-1.2.4
  test.each(['\0', '%', 'a/b', '../..', 'x'.repeat(65), 'x'.repeat(2_000), "' or 1=1 --", 'ü'])(
    'a path with the id %j is not found',
    async (watchlistId) => {
      const answer = await call(theApp(), ENDPOINTS.getWatchlist, aUser(), { params: { watchlistId } })

      expect(answer.status).toBe(404)
      expect(answer.body.type).toBe('NOT_FOUND')
    },
  )
})
