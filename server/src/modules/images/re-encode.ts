import sharp from 'sharp'

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
const QUALITY = 82

/**
 * Decodes an image and encodes it anew as WebP, without metadata, in each of the widths (pixels); one that is narrower
 * is not blown up, one that is higher than twice the width is made to fit. Of an animation the first picture is kept.
 * Rejects if the bytes are no image of a kind we know, or one of too many pixels.
 */
export async function reEncode(bytes: Buffer, widths: readonly number[]): Promise<{ width: number; bytes: Buffer }[]> {
  const renditions: { width: number; bytes: Buffer }[] = []
  for (const width of widths) {
    const rendition = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1, sequentialRead: true })
      .timeout({ seconds: MAX_SECONDS })
      .autoOrient()
      .resize({ width, height: width * 2, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
    renditions.push({ width, bytes: await rendition.toBuffer() })
  }
  return renditions
}
