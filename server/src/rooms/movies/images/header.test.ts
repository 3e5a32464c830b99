import sharp from 'sharp'
import { expect, test } from 'vitest'

import { acceptedTypeOf } from './header.ts'

const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } })
const picture = image(301, 202)
const MEGABYTES_5 = 5 * 1024 * 1024

test.each([
  ['a JPEG', 'jpeg', picture.clone().jpeg()],
  ['a progressive JPEG', 'jpeg', picture.clone().jpeg({ progressive: true })],
  [
    'a JPEG behind metadata and a colour profile',
    'jpeg',
    picture
      .clone()
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'x'.repeat(9_000) } })
      .jpeg(),
  ],
  ['a PNG', 'png', picture.clone().png()],
  ['a GIF', 'gif', picture.clone().gif()],
  ['a lossy WebP', 'webp', picture.clone().flatten().webp()],
  ['a lossless WebP', 'webp', picture.clone().webp({ lossless: true })],
  ['a WebP with alpha', 'webp', picture.clone().webp()],
] as const)('the image check accepts %s as %s', async (_what, type, encoded) => {
  expect(acceptedTypeOf(await encoded.toBuffer())).toBe(type)
})

// Evidence: asvs-5.2.2
test.each([
  ['an AVIF', async () => await picture.clone().avif().toBuffer()],
  ['a TIFF', async () => await picture.clone().tiff().toBuffer()],
  ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a bitmap', async () => Buffer.from(`BM${'\0'.repeat(60)}`)],
  ['an empty file', async () => Buffer.alloc(0)],
  ['a JPEG that ends in its metadata', async () => (await picture.clone().jpeg().toBuffer()).subarray(0, 40)],
  ['a JPEG without a frame', async () => Buffer.from(`ffd8ffda${'00'.repeat(60)}`, 'hex')],
  ['a WebP with an unknown chunk', async () => Buffer.from(`RIFF\0\0\0\0WEBPEVIL${'\0'.repeat(60)}`)],
])('the image check rejects %s', async (_what, make) => {
  expect(acceptedTypeOf(await make())).toBeUndefined()
})

// Evidence: asvs-1.4.2
test('an image of 24 million pixels is accepted, and one with one more row or no width is rejected', async () => {
  const png = await image(9, 9).png().toBuffer()
  const declaring = (width: number, height: number) => {
    const bytes = Buffer.from(png)
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return acceptedTypeOf(bytes)
  }

  expect([declaring(6_000, 4_000), declaring(6_000, 4_001), declaring(0, 4_000)]).toEqual(['png', undefined, undefined])
})

test.each([
  ['fill bytes', 'ff'],
  ['empty segments', 'ffe00002'],
  ['bytes that are not a marker', '41'],
])('a JPEG with five megabytes of %s is rejected in one pass', (_what, hex) => {
  const bytes = Buffer.alloc(MEGABYTES_5, Buffer.from(hex, 'hex'))
  bytes.write('ffd8ff', 'hex')

  const accepted = acceptedTypeOf(bytes)

  // A scan that starts again at each byte would take hours.
  expect(accepted).toBeUndefined()
})
