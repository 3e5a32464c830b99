import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'

import sharp from 'sharp'
import { expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import { systemRandom } from '@marquee/platform/runtime/random'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { anApp, PUBLIC_URL } from '../../../testing/start-app.ts'

const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 60 } } })
const WRONG_TYPE = 'Please select a valid image file (JPG, PNG, GIF).'
const TOO_LARGE = 'File size must be less than 5MB.'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase)

  async function upload(image: string, by = aUser()) {
    const { watchlist, owner } = await aWatchlist(theApp(), { owner: by })
    const params = { watchlistId: watchlist.id }
    const answer = await call(theApp(), ENDPOINTS.addCard, owner, { params, body: { title: 'Ran', image } })
    return { answer, countBox: async () => await callOk(theApp(), ENDPOINTS.countSuggestedCards, owner, { params }) }
  }
  const get = async (url: string) => await theApp().app.inject({ url: url.replace(PUBLIC_URL, '') })
  const storedFiles = async () =>
    (await readdir(theApp().blobFolder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.webp'))

  // Evidence: asvs-3.2.1, asvs-5.3.1
  test.each(['jpeg', 'png', 'gif', 'webp'] as const)(
    'an uploaded %s is served as WebP in all widths, cacheable forever',
    async (format) => {
      const original = await picture(1000, 1500).toFormat(format).toBuffer()

      const { answer } = await upload(dataUrl(`image/${format}`, original))
      const large = await get(answer.body.imageUrl)
      const small = await get(answer.body.imageUrl.replace('-640.webp', '-320.webp'))

      expect(answer.body.imageUrl).toMatch(/^http:\/\/marquee\.test\/images\/[0-9a-f]{64}-640\.webp$/u)
      expect(large.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      expect(await sharp(large.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 640, height: 960 })
      expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 320, height: 480 })
    },
  )

  test('an uploaded image loses its metadata and is rotated upright', async () => {
    const original = await picture(300, 200)
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Copyright: 'my home address' } })
      .jpeg()
      .toBuffer()

    const { answer } = await upload(dataUrl('image/jpeg', original))
    const { rawPayload } = await get(answer.body.imageUrl)

    const { width, height, exif, orientation } = await sharp(rawPayload).metadata()
    expect({ width, height, exif, orientation }).toEqual({
      width: 200,
      height: 300,
      exif: undefined,
      orientation: undefined,
    })
    expect(rawPayload.includes('my home address')).toBe(false)
  })

  test('an image that a user uploads twice is stored once', async () => {
    const image = dataUrl('image/png', await picture(50, 51).png().toBuffer())
    const ana = aUser()

    const { answer: one } = await upload(image, ana)
    const files = await storedFiles()
    const { answer: other } = await upload(image, ana)

    expect(other.body.imageUrl).toBe(one.body.imageUrl)
    expect(await storedFiles()).toEqual(files)
  })

  test('the same image has a different name for each user, and never a plain hash of its content', async () => {
    const image = dataUrl('image/png', await picture(52, 51).png().toBuffer())

    const { answer: one } = await upload(image)
    const { answer: other } = await upload(image)
    const { rawPayload: small } = await get(one.body.imageUrl.replace('-640.webp', '-320.webp'))
    const { rawPayload: large } = await get(one.body.imageUrl)
    const hashes = [[small, large], [large], [small]].map((parts) => {
      const hash = createHash('sha256')
      for (const part of parts) hash.update(part)
      return hash.digest('hex')
    })

    expect(other.body.imageUrl).not.toBe(one.body.imageUrl)
    for (const hash of hashes) expect(one.body.imageUrl).not.toContain(hash)
  })

  test('an image named by an earlier version is still served', async () => {
    const name = `${'ab'.repeat(32)}-640.webp`
    const bytes = await picture(8, 8).webp().toBuffer()
    await diskStore({ folder: theApp().blobFolder, random: systemRandom }).put(name, bytes)

    expect((await get(`/images/${name}`)).rawPayload).toEqual(bytes)
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const png = picture(20, 20).png()
  // Evidence: asvs-1.3.4, asvs-5.2.2
  test.each([
    ['a text', async () => dataUrl('text/plain', Buffer.from('hello')), WRONG_TYPE],
    ['a data URL that is cut short', async () => 'data:image/png;base64,', WRONG_TYPE],
    ['invalid base64', async () => 'data:image/png;base64,@@@@', WRONG_TYPE],
    ['an SVG', async () => dataUrl('image/svg+xml', Buffer.from(svg)), WRONG_TYPE],
    ['an SVG that claims to be a PNG', async () => dataUrl('image/png', Buffer.from(svg)), WRONG_TYPE],
    ['a PDF', async () => dataUrl('image/png', Buffer.from('%PDF-1.4\n%%EOF')), WRONG_TYPE],
    ['an AVIF', async () => dataUrl('image/avif', await picture(20, 20).avif().toBuffer()), WRONG_TYPE],
    [
      'an AVIF that claims to be a PNG',
      async () => dataUrl('image/png', await picture(20, 20).avif().toBuffer()),
      WRONG_TYPE,
    ],
    ['a TIFF', async () => dataUrl('image/tiff', await picture(20, 20).tiff().toBuffer()), WRONG_TYPE],
    ['noise', async () => dataUrl('image/png', systemRandom.bytes(4_000)), WRONG_TYPE],
    ['half a PNG', async () => dataUrl('image/png', (await png.toBuffer()).subarray(0, 60)), WRONG_TYPE],
    [
      'a PNG of too many pixels',
      async () => dataUrl('image/png', await picture(6_000, 4_001).png().toBuffer()),
      WRONG_TYPE,
    ],
    ['one byte more than allowed', async () => dataUrl('image/png', Buffer.alloc(MAX_IMAGE_BYTES + 1)), TOO_LARGE],
    ['eight megabytes', async () => dataUrl('image/jpeg', Buffer.alloc(8_000_000)), TOO_LARGE],
  ])(
    'an upload of %s is rejected with the message of the form, and nothing is stored',
    async (_what, make, message) => {
      const before = await storedFiles()

      const { answer, countBox } = await upload(await make())

      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ type: 'BAD_REQUEST', message })
      expect(await countBox()).toEqual({ count: 0 })
      expect(await storedFiles()).toEqual(before)
    },
  )

  test('an upload by a non-member gets 403, and nothing is stored', async () => {
    const { watchlist } = await aWatchlist(theApp())
    const before = await storedFiles()

    const answer = await call(
      theApp(),
      ENDPOINTS.addCard,
      { userId: 'eve', username: 'eve' },
      {
        params: { watchlistId: watchlist.id },
        body: { title: 'Ran', image: dataUrl('image/png', await picture(33, 34).png().toBuffer()) },
      },
    )

    expect(answer.status).toBe(403)
    expect(await storedFiles()).toEqual(before)
  })

  test('other requests are answered while images are decoded', async () => {
    const large = sharp(systemRandom.bytes(2_500 * 2_500 * 3), { raw: { width: 2_500, height: 2_500, channels: 3 } })
    const image = dataUrl('image/jpeg', await large.jpeg({ quality: 60 }).toBuffer())
    const { watchlist, owner } = await aWatchlist(theApp())
    let uploaded = 0
    const uploads = Array.from({ length: 6 }, async () => {
      await upload(image)
      uploaded += 1
    })

    for (let reads = 0; reads < 20; reads += 1)
      await callOk(theApp(), ENDPOINTS.getWatchlist, owner, { params: { watchlistId: watchlist.id } })
    const uploadedMeanwhile = uploaded
    await Promise.all(uploads)

    expect(uploaded).toBe(6)
    expect(uploadedMeanwhile).toBeLessThan(6)
  })

  test('a card with the URL of an image that is not stored here is rejected', async () => {
    const { answer } = await upload(`${PUBLIC_URL}/images/${'a'.repeat(64)}-640.webp`)

    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('Please enter a valid image URL')
  })

  // Evidence: asvs-5.3.2, asvs-13.4.3
  test.each([
    `/images/${'a'.repeat(64)}-640.webp`,
    `/images/${'a'.repeat(64)}-641.webp`,
    '/images/..%2f..%2fmarquee.db',
    '/images/x',
    '/images/',
  ])('the path %s gets 404, which is not cached', async (url) => {
    const { statusCode, headers } = await get(url)

    expect(statusCode).toBe(404)
    expect(headers['content-type']).toContain('application/json')
    expect(headers['cache-control']).toBe('no-store')
  })
})
