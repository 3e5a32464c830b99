import { createHmac, type KeyObject } from 'node:crypto'

import type { Card } from '@marquee/contract/entities/card'
import { AVATAR_SIZES, IMAGE_WIDTHS } from '@marquee/contract/limits'

import { IMAGE_KINDS } from './kinds.ts'

/** Every width that any kind of image is kept in. */
export const KEPT_WIDTHS = [
  ...new Set(Object.values(IMAGE_KINDS).flatMap(({ sizes }) => sizes.map((size) => size.width))),
]

/** Of the files of an image one has such a width: it stands for the image where images are counted. */
export const WIDEST = Object.values(IMAGE_KINDS).map(({ sizes }) => Math.max(...sizes.map((size) => size.width)))

/** The width of pictures in the addresses that replies show. */
export const SHOWN_WIDTH = Math.max(...IMAGE_WIDTHS)
const [AVATAR_WIDTH] = AVATAR_SIZES

/** Where the picture lies that stands in for a poster. */
export const PLACEHOLDER_PATH = '/images/no-poster.svg'

const FILE = /^([0-9a-f]{64})-(\d+)\.webp$/u

/** The name of the file that holds an image in one width. */
export function imageFile(hash: string, width: number): string {
  return `${hash}-${width}.webp`
}

/** What a poster given by its address is shown from: our copy, or the address itself. */
export type RemotePosters = 'copy' | 'direct'

/** The columns of a card that say what its poster is: an upload, or an address with what came of copying it. */
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
  /** The path of a stored avatar on this server. */
  avatarPathOf: (hash: string) => string
}

export function imageAddresses(publicUrl: string, remotePosters: RemotePosters): ImageAddresses {
  const urlOf = (hash: string): string => `${publicUrl}/images/${imageFile(hash, SHOWN_WIDTH)}`
  return {
    urlOf,
    posterOf: ({ image_hash: upload, image_url: address, copy_hash: copy, copy_failed: hasFailed }) => {
      if (address !== null && remotePosters === 'direct') return { imageUrl: address }
      const hash = upload ?? copy
      if (hash !== null) return { imageUrl: urlOf(hash) }
      return { imageUrl: `${publicUrl}${PLACEHOLDER_PATH}`, posterState: hasFailed === 1 ? 'failed' : 'pending' }
    },
    avatarPathOf: (hash) => `/images/${imageFile(hash, AVATAR_WIDTH)}`,
  }
}

/** The image a file belongs to, and its width; undefined for a file that is none of ours. */
export function readImageFile(name: string): { hash: string; width: number } | undefined {
  const [, hash, width] = FILE.exec(name) ?? []
  return hash === undefined ? undefined : { hash, width: Number(width) }
}

/**
 * The name of an image: a keyed hash of who gave it and what it shows. Without the key nobody can tell from a picture
 * whether it is kept here. Two users never share a name, so neither can tell from their own uploads what the other keeps.
 * The same image has further names, one for each `attempt`, for when the files of an earlier one are being removed.
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
