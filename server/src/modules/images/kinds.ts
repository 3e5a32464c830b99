import { AVATAR_SIZES, IMAGE_WIDTHS } from '@marquee/contract/limits'
import type { ImageFault } from '@marquee/contract/rules/image'

/** Sides in pixels. `inside` keeps the whole picture and does not enlarge it; `cover` crops it to these sides. */
export type ImageSize = { readonly width: number; readonly height: number; readonly fit: 'inside' | 'cover' }

/** What an upload is for: posters of cards and images of watchlists are pictures. */
export type ImageKind = 'picture' | 'avatar'

/** The error for an address without an image. */
export const NO_IMAGE_URL = 'Please enter a valid image URL'

const TOO_LARGE = 'File size must be less than 5MB.'

/** The stored sizes of each kind, and the errors: `docs/product/images.md`. */
export const IMAGE_KINDS: Record<
  ImageKind,
  { readonly sizes: readonly ImageSize[]; readonly faults: Record<ImageFault, string> }
> = {
  picture: {
    sizes: IMAGE_WIDTHS.map((width) => ({ width, height: width * 2, fit: 'inside' })),
    faults: { type: 'Please select a valid image file (JPG, PNG, GIF).', size: TOO_LARGE },
  },
  avatar: {
    sizes: AVATAR_SIZES.map((side) => ({ width: side, height: side, fit: 'cover' })),
    faults: { type: 'Please select a valid image file.', size: TOO_LARGE },
  },
}
