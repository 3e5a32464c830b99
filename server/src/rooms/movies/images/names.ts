import { createHmac, type KeyObject } from 'node:crypto'

import type { Card } from '@marquee/contract/entities/card'
import { AVATAR_SIZES, IMAGE_WIDTHS } from '@marquee/contract/limits'
import { type ImageFault, isHttpUrl } from '@marquee/contract/rules/image'

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

/** Every stored width of any kind of image. */
export const KEPT_WIDTHS = [
  ...new Set(Object.values(IMAGE_KINDS).flatMap(({ sizes }) => sizes.map((size) => size.width))),
]

/** The largest width of each kind. Every image has one file of such a width, so counting these counts images. */
export const WIDEST = Object.values(IMAGE_KINDS).map(({ sizes }) => Math.max(...sizes.map((size) => size.width)))

/** The width of pictures in replies. */
export const SHOWN_WIDTH = Math.max(...IMAGE_WIDTHS)
const [AVATAR_WIDTH] = AVATAR_SIZES

/** The path of the picture that replaces a missing poster. */
export const PLACEHOLDER_PATH = '/images/no-poster.svg'

/** The `image_hash` of a card that was added without a poster, by an import. */
export const NO_POSTER = ''

const FILE = /^([0-9a-f]{64})-(\d+)\.webp$/u

/** The name of the file that holds an image in one width. */
export function imageFile(hash: string, width: number): string {
  return `${hash}-${width}.webp`
}

/** Where posters given by their address are shown from: our copy, or the address itself. */
export type RemotePosters = 'copy' | 'direct'

/** The poster columns of a card: an upload, or an address and the result of copying it. */
type StoredPoster = {
  readonly image_hash: string | null
  readonly image_url: string | null
  readonly copy_hash: string | null
  readonly copy_failed: number
}

export type ImageAddresses = {
  /** The absolute address of a stored picture. */
  urlOf: (hash: string) => string
  /** What a card shows as its poster. */
  posterOf: (poster: StoredPoster) => Pick<Card, 'imageUrl' | 'posterState'>
  /** The address of a poster elsewhere; undefined for a picture of this server, a placeholder, or no address. */
  foreignAddressOf: (imageUrl: string) => string | undefined
  /** The path of a stored avatar on this server. */
  avatarPathOf: (hash: string) => string
}

export function imageAddresses(publicUrl: string, remotePosters: RemotePosters): ImageAddresses {
  const urlOf = (hash: string): string => `${publicUrl}/images/${imageFile(hash, SHOWN_WIDTH)}`
  const placeholder = `${publicUrl}${PLACEHOLDER_PATH}`
  return {
    urlOf,
    posterOf: ({ image_hash: upload, image_url: address, copy_hash: copy, copy_failed: hasFailed }) => {
      if (upload === NO_POSTER) return { imageUrl: placeholder, posterState: 'none' }
      if (address !== null && remotePosters === 'direct') return { imageUrl: address }
      const hash = upload ?? copy
      if (hash !== null) return { imageUrl: urlOf(hash) }
      return { imageUrl: placeholder, posterState: hasFailed === 1 ? 'failed' : 'pending' }
    },
    foreignAddressOf: (imageUrl) =>
      isHttpUrl(imageUrl) && !imageUrl.startsWith(`${publicUrl}/images/`) && !imageUrl.endsWith(PLACEHOLDER_PATH)
        ? imageUrl
        : undefined,
    avatarPathOf: (hash) => `/images/${imageFile(hash, AVATAR_WIDTH)}`,
  }
}

/** The image and the width of a file; undefined for a file that is not ours. */
export function readImageFile(name: string): { hash: string; width: number } | undefined {
  const [, hash, width] = FILE.exec(name) ?? []
  return hash === undefined ? undefined : { hash, width: Number(width) }
}

/**
 * The name of an image: a keyed hash of its user and content. Without the key, a picture does not tell whether it is
 * stored here. Users never share a name, so an upload does not tell what other users store. Each `attempt` gives another
 * name, for when the files of an earlier one are being removed.
 */
export function imageHash(
  { key, userId }: { key: KeyObject; userId: string },
  renditions: readonly { bytes: Buffer }[],
  attempt: number,
): string {
  const hash = createHmac('sha256', key).update(JSON.stringify([userId, attempt]))
  for (const { bytes } of renditions) hash.update(bytes)
  return hash.digest('hex')
}
