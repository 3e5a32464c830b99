import { expect, test } from 'vitest'

import { readImage, UndrawableImage } from './read-image.ts'

/** The beginning of a PNG. No pixels follow. */
function aPngHeader(width: number, height: number): Blob {
  const header = new Uint8Array(33)
  header.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  const view = new DataView(header.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return new Blob([header])
}

test('an image within the limits of the server is sent unchanged', async () => {
  expect(await readImage(aPngHeader(6000, 4000), 24_000_000)).toMatch(/^data:.*;base64,iVBORw0KGgo/u)
})

// The test environment draws nothing.
test('a photo with too many pixels is redrawn', async () => {
  await expect(readImage(aPngHeader(6000, 4001), 24_000_000)).rejects.toBeInstanceOf(UndrawableImage)
})
