import { imageDimensionsFromData } from 'image-dimensions'

import { MAX_IMAGE_PIXELS } from '@marquee/contract/limits'

/** The first bytes of accepted images: JPEG, PNG, GIF, WebP. */
const SIGNATURE = /^(?:\xFF\xD8\xFF|\x89PNG\r\n|GIF8[79]a|RIFF.{4}WEBP)/su
const SIGNATURE_BYTES = 12

/**
 * The type of an image that a decoder may get, for example `png`: type and size in its header are accepted. Undefined for
 * all other bytes. Nothing is decoded, so this is safe for bytes from strangers.
 */
export function acceptedTypeOf(bytes: Buffer): string | undefined {
  // First, because the package also reads headers of other types, and a hostile AVIF makes that expensive.
  if (!SIGNATURE.test(bytes.toString('latin1', 0, SIGNATURE_BYTES))) return undefined
  const { width = 0, height = 0, type } = imageDimensionsFromData(bytes) ?? {}
  return width > 0 && height > 0 && width * height <= MAX_IMAGE_PIXELS ? type : undefined
}
