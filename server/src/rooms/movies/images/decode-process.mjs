/**
 * The process that decodes images of users; decoder.ts starts and kills it. It is JavaScript because it runs without
 * a JIT compiler, which Node needs to read TypeScript.
 */
import { setPriority } from 'node:os'

import sharp from 'sharp'

/** @import { DecodeAnswer, DecodeRequest } from './decoder.ts' */

const QUALITY = 82

// A lower priority than the server.
setPriority(10)
sharp.concurrency(1)
sharp.cache(false)
// The server has checked the header, but the content may differ from the header.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
})

process.on('disconnect', () => {
  process.kill(process.pid, 'SIGKILL')
})
process.on('message', (/** @type {DecodeRequest} */ request) => {
  void render(request).then(
    (renditions) => answer({ renditions }),
    (/** @type {unknown} */ error) => answer({ refusal: error instanceof Error ? error.message : String(error) }),
  )
})
answer('ready')

/**
 * Decodes once, for the largest size, and derives the others. Keeps the first frame of an animation.
 * @param {DecodeRequest} request
 */
async function render({ bytes, sizes, maxPixels }) {
  const [largest] = sizes.toSorted((one, other) => other.width - one.width)
  const { data, info } = await sharp(bytes, {
    limitInputPixels: maxPixels,
    failOn: 'error',
    pages: 1,
    sequentialRead: true,
  })
    .autoOrient()
    .resize({ ...largest, withoutEnlargement: largest?.fit === 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const renditions = []
  for (const { width, height, fit } of sizes) {
    const rendition = sharp(data, { raw })
      .resize({ width, height, fit, withoutEnlargement: fit === 'inside' })
      .webp({ quality: QUALITY })
    renditions.push({ width, bytes: await rendition.toBuffer() })
  }
  return renditions
}

/** @param {DecodeAnswer} message */
function answer(message) {
  process.send?.(message)
}
