import pino from 'pino'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'

import { systemRandom } from '@marquee/platform/runtime/random'

import { createImageDecoder, DecoderBusy, type ImageDecoder, UndecodableImage } from './decoder.ts'
import type { ImageSize } from './names.ts'

const PICTURE: ImageSize[] = [320, 640].map((width) => ({ width, height: 2 * width, fit: 'inside' }))
/** Takes seconds on a quick machine too. */
const MANY_LARGE: ImageSize[] = Array.from({ length: 12 }, (_, n) => ({
  width: 2_000 + n,
  height: 4_000,
  fit: 'inside',
}))
const AVATAR: ImageSize[] = [200, 400].map((side) => ({ width: side, height: side, fit: 'cover' }))

const logged: string[] = []
const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
const decoders: ImageDecoder[] = []

function aDecoder(options: Partial<Parameters<typeof createImageDecoder>[0]> = {}): ImageDecoder {
  const decoder = createImageDecoder({ logger, ...options })
  decoders.push(decoder)
  return decoder
}
afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.stop()
  logged.splice(0)
})

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } })
const small = await flat(60, 90).png().toBuffer()
/** The slowest image to decode, with the most memory: all 24 million 16-bit pixels are in memory at once. */
const heavy = await flat(6_000, 4_000).toColourspace('rgb16').png({ progressive: true, compressionLevel: 1 }).toBuffer()

test('an image is rendered in all sizes, none larger than the original', async () => {
  const large = await flat(1_000, 1_500).webp().toBuffer()
  const decoder = aDecoder()

  const pictures = await decoder.render(large, PICTURE, 'ana')
  const avatars = await decoder.render(large, AVATAR, 'ana')
  const tiny = await decoder.render(small, PICTURE, 'ana')

  const sizes = async (renditions: typeof pictures) =>
    await Promise.all(
      renditions.map(async ({ bytes }) => {
        const { format, width, height } = await sharp(bytes).metadata()
        return [format, width, height]
      }),
    )
  expect(await sizes(pictures)).toEqual([
    ['webp', 320, 480],
    ['webp', 640, 960],
  ])
  expect(await sizes(avatars)).toEqual([
    ['webp', 200, 200],
    ['webp', 400, 400],
  ])
  expect(await sizes(tiny)).toEqual([
    ['webp', 60, 90],
    ['webp', 60, 90],
  ])
})

test('smaller sizes are made from the largest one, so an image is decoded once for all sizes', async () => {
  const raw = { width: 1_000, height: 1_500, channels: 3 } as const
  const noise = await sharp(systemRandom.bytes(1_000 * 1_500 * 3), { raw })
    .png()
    .toBuffer()
  const [small, large] = PICTURE
  const { data, info } = await sharp(noise).resize(large).raw().toBuffer({ resolveWithObject: true })
  const fromLargest = await sharp(data, { raw: info }).resize(small).webp({ quality: 82 }).toBuffer()

  const [together] = await aDecoder().render(noise, PICTURE, 'ana')
  const [alone] = await aDecoder().render(noise, PICTURE.slice(0, 1), 'ana')

  expect(together?.bytes.equals(fromLargest)).toBe(true)
  expect(alone?.bytes.equals(fromLargest)).toBe(false)
})

test('rendering keeps colour and transparency', async () => {
  const [rendition] = await aDecoder().render(small, PICTURE, 'ana')

  const { data } = await sharp(rendition?.bytes).raw().toBuffer({ resolveWithObject: true })
  const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(0, 4)

  expect(Math.abs(red - 200) + Math.abs(green - 30) + Math.abs(blue - 60)).toBeLessThan(12)
  expect(Math.abs(alpha - 128)).toBeLessThan(3)
})

test('the largest accepted image is decoded within the limits', async () => {
  const renditions = await aDecoder().render(heavy, PICTURE, 'ana')

  expect(renditions.map(({ width }) => width)).toEqual([320, 640])
  expect(logged).toEqual([])
})

test.each([
  ['time', { timeLimitMs: 700 }],
  ['memory', { memoryLimitMb: 180 }],
])('an image that takes too much %s is rejected, and the next one is decoded', async (_what, limits) => {
  const decoder = aDecoder(limits)
  await decoder.render(small, PICTURE, 'ana')

  const given = decoder.render(heavy, MANY_LARGE, 'ana')
  const next = decoder.render(small, PICTURE, 'ben')

  await expect(given).rejects.toThrow(UndecodableImage)
  expect(await next).toHaveLength(2)
})

test('an image with a correct header and broken content is rejected', async () => {
  const decoder = aDecoder()

  await expect(decoder.render(small.subarray(0, 60), PICTURE, 'ana')).rejects.toThrow(UndecodableImage)
  expect(await decoder.render(small, PICTURE, 'ana')).toHaveLength(2)
  expect(logged).toEqual([])
})

// Evidence: asvs-15.2.2
test('the fourth waiting image of a user is rejected, and images of other users are decoded', async () => {
  const decoder = aDecoder()
  const own = Array.from({ length: 3 }, async () => await decoder.render(small, PICTURE, 'ana'))

  await expect(decoder.render(small, PICTURE, 'ana')).rejects.toThrow(DecoderBusy)
  expect(await decoder.render(small, PICTURE, 'ben')).toHaveLength(2)
  await Promise.all(own)
  expect(await decoder.render(small, PICTURE, 'ana')).toHaveLength(2)
})

test('the 31st waiting image is rejected', async () => {
  const decoder = aDecoder()
  const noise = await sharp(systemRandom.bytes(1_500 * 1_500 * 3), {
    raw: { width: 1_500, height: 1_500, channels: 3 },
  })
    .jpeg()
    .toBuffer()
  const waiting = Array.from({ length: 30 }, async (_, n) => await decoder.render(noise, AVATAR, `user ${n}`))

  await expect(decoder.render(small, PICTURE, 'late')).rejects.toThrow(DecoderBusy)

  decoder.stop()
  await Promise.allSettled(waiting)
})

test('the decoder process ends when idle and starts again for the next image', async () => {
  const decoder = aDecoder({ idleMs: 1 })

  const first = await decoder.render(small, PICTURE, 'ana')
  await new Promise((resolve) => {
    setTimeout(resolve, 50)
  })
  const second = await decoder.render(small, PICTURE, 'ana')

  expect(second).toEqual(first)
})
