import sharp from 'sharp'
import { expect, test } from 'vitest'

import { isAcceptable, readImageHeader } from './header.ts'

const picture = sharp({
  create: { width: 301, height: 202, channels: 4, background: { r: 200, g: 30, b: 60, alpha: 0.5 } },
})
const pngHead = (width: number, height: number) => {
  const bytes = Buffer.alloc(64)
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

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
] as const)('%s declares its type and size', async (_what, type, image) => {
  expect(readImageHeader(await image.toBuffer())).toEqual({ type, width: 301, height: 202 })
})

test.each([
  ['an AVIF', async () => await picture.clone().avif().toBuffer()],
  ['a TIFF', async () => await picture.clone().tiff().toBuffer()],
  [
    'an SVG',
    async () => await Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  ],
  ['a bitmap', async () => await Promise.resolve(Buffer.from(`BM${'\0'.repeat(60)}`))],
  ['nothing', async () => await Promise.resolve(Buffer.alloc(0))],
  ['a JPEG that ends in its metadata', async () => (await picture.clone().jpeg().toBuffer()).subarray(0, 40)],
  ['a JPEG without a frame', async () => await Promise.resolve(Buffer.from(`ffd8ffda${'00'.repeat(60)}`, 'hex'))],
  [
    'a WebP with an unknown chunk',
    async () => await Promise.resolve(Buffer.from(`RIFF\0\0\0\0WEBPEVIL${'\0'.repeat(60)}`)),
  ],
])('%s has no header that is accepted', async (_what, make) => {
  expect(readImageHeader(await make())).toBeUndefined()
})

test('24 million pixels are accepted, one row more and none at all are not', () => {
  expect(isAcceptable(pngHead(6_000, 4_000))).toBe(true)
  expect(isAcceptable(pngHead(6_000, 4_001))).toBe(false)
  expect(isAcceptable(pngHead(0, 4_000))).toBe(false)
})

test('five megabytes of JPEG markers are read in one pass', () => {
  const bytes = Buffer.alloc(5 * 1024 * 1024, 0xff)
  bytes.write('ffd8ff', 'hex')
  const segments = Buffer.alloc(5 * 1024 * 1024, Buffer.from('ffe00002', 'hex'))
  segments.write('ffd8', 'hex')

  const begin = performance.now()
  const headers = [readImageHeader(bytes), readImageHeader(segments)]
  const took = performance.now() - begin

  expect(headers).toEqual([undefined, undefined])
  expect(took).toBeLessThan(1_000)
})
