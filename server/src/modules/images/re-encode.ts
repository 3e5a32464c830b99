import sharp, { type Sharp } from 'sharp'

import type { ImageSize } from './kinds.ts'

// One thread an image: the queue in front decides how many are decoded at once.
sharp.concurrency(1)
sharp.cache(false)
// Only these decoders are ever reached, whatever the bytes are: no SVG, no PDF, no ImageMagick.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadTiff',
    'VipsForeignLoadHeif',
  ],
})

const MAX_PIXELS = 50_000_000
const MAX_SECONDS = 20
const MAX_GLANCE_SECONDS = 5
const QUALITY = 82
const GLANCE = 16

/**
 * Decodes an image and encodes it anew as WebP, without metadata, in each of the sizes. Of an animation the first
 * picture is kept. Rejects if the bytes are no image of a kind we know, or one of too many pixels.
 */
export async function reEncode(
  bytes: Buffer,
  sizes: readonly ImageSize[],
): Promise<{ width: number; bytes: Buffer }[]> {
  const renditions: { width: number; bytes: Buffer }[] = []
  for (const { width, height, fit } of sizes) {
    const rendition = decode(bytes, MAX_SECONDS)
      .autoOrient()
      .resize({ width, height, fit, withoutEnlargement: fit === 'inside' })
      .webp({ quality: QUALITY })
    renditions.push({ width, bytes: await rendition.toBuffer() })
  }
  return renditions
}

/** Decodes all of an image and keeps nothing. Rejects where `reEncode` would. */
export async function proveImage(bytes: Buffer): Promise<void> {
  await decode(bytes, MAX_GLANCE_SECONDS).resize({ width: GLANCE, height: GLANCE, fit: 'fill' }).raw().toBuffer()
}

function decode(bytes: Buffer, seconds: number): Sharp {
  return sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1, sequentialRead: true }).timeout({
    seconds,
  })
}
