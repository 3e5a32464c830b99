import { imageDimensionsFromData } from 'image-dimensions'

import { MAX_IMAGE_PIXELS } from '@marquee/contract/limits'

/** How the images begin that we accept: JPEG, PNG, GIF, WebP. */
const SIGNATURE = /^(?:\xFF\xD8\xFF|\x89PNG\r\n|GIF8[79]a|RIFF.{4}WEBP)/su
const SIGNATURE_BYTES = 12

/**
 * Whether a decoder may see these bytes: they begin like an image of a type we accept, and the header declares a size we
 * accept. Nothing is decoded, so this is safe for bytes from strangers.
 */
export function isAcceptable(bytes: Buffer): boolean {
  // First of all: the library reads the headers of more types, and some of these can be made to cost much.
  if (!SIGNATURE.test(bytes.toString('latin1', 0, SIGNATURE_BYTES))) return false
  const { width = 0, height = 0 } = imageDimensionsFromData(bytes) ?? {}
  return width > 0 && height > 0 && width * height <= MAX_IMAGE_PIXELS
}
