import { readdir } from 'node:fs/promises'

import { beforeEach, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { recordingBus } from '../../../testing/recording-bus.ts'
import { aPng } from '../../../testing/images.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp, PUBLIC_URL } from '../../../testing/start-app.ts'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const bus = recordingBus()
  const theApp = anApp(theDatabase, { bus })
  let ana: Caller
  let ben: Caller
  let watchlist: Watchlist

  beforeEach(async () => {
    ;[ana, ben] = [aUser('ana'), aUser('ben')]
    ;({ watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] }))
  })

  const params = () => ({ watchlistId: watchlist.id })
  const upload = async (imageData: unknown, by = ben) =>
    await call(theApp(), ENDPOINTS.uploadWatchlistImage, by, { params: params(), body: { imageData } })

  test('an uploaded image is served by this server and shown in the watchlist', async () => {
    const { status, body } = await upload(await aPng({ width: 900, height: 300 }))

    expect(status).toBe(200)
    expect(body.hasImage).toBe(true)
    expect(body.fullImageUrl).toMatch(new RegExp(`^${PUBLIC_URL}/images/`, 'u'))
    expect(body.updatedAt > watchlist.updatedAt).toBe(true)
    const lists = await callOk(theApp(), ENDPOINTS.listWatchlists, ana)
    expect(lists[0]?.fullImageUrl).toBe(body.fullImageUrl)
    const image = await theApp().app.inject(String(body.fullImageUrl).replace(PUBLIC_URL, ''))
    expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(bus.kindsFor(watchlist.id)).toEqual(['watchlist-changed'])
  })

  test('a new image replaces the old one', async () => {
    const first = await upload(await aPng({ width: 30 }))

    const second = await upload(await aPng({ width: 40 }))

    expect(second.body.fullImageUrl).not.toBe(first.body.fullImageUrl)
  })

  test('a removed image is no longer shown, and can be removed twice', async () => {
    await upload(await aPng())

    const answers = [
      await call(theApp(), ENDPOINTS.deleteWatchlistImage, ben, { params: params() }),
      await call(theApp(), ENDPOINTS.deleteWatchlistImage, ben, { params: params() }),
    ]

    expect(answers.map(({ status }) => status)).toEqual([204, 204])
    expect(await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params: params() })).toMatchObject({
      hasImage: false,
      fullImageUrl: null,
    })
  })

  test.each([
    ['an address', 'https://example.org/poster.jpg', 'Please select a valid image file (JPG, PNG, GIF).'],
    ['a text', 'data:text/plain;base64,aGVsbG8=', 'Please select a valid image file (JPG, PNG, GIF).'],
    [
      'what only claims to be one',
      'data:image/png;base64,aGVsbG8=',
      'Please select a valid image file (JPG, PNG, GIF).',
    ],
    ['nothing', '', 'imageData: An image is required'],
    [
      'one that is too large',
      `data:image/png;base64,${Buffer.alloc(MAX_IMAGE_BYTES + 1).toString('base64')}`,
      'File size must be less than 5MB.',
    ],
  ])('%s is rejected with a message, and the old image stays', async (_what, imageData, message) => {
    const { body: before } = await upload(await aPng())

    const { status, body } = await upload(imageData)

    expect({ status, body }).toEqual({ status: 400, body: { type: 'BAD_REQUEST', message } })
    expect(await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params: params() })).toEqual(before)
  })

  test('a rejected upload by a non-member stores no file', async () => {
    await upload(await aPng())
    const files = async () => (await readdir(theApp().blobFolder, { recursive: true })).length
    const before = await files()

    const { status } = await upload(await aPng({ width: 77 }), aUser('eve'))

    expect([status, await files()]).toEqual([403, before])
  })
})
