import { createHmac, type KeyObject } from 'node:crypto'

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

const FILE = /^([0-9a-f]{64})-(\d+)\.webp$/u

/** The name of the file that holds an image in one width. */
export function imageFile(hash: string, width: number): string {
  return `${hash}-${width}.webp`
}

export type ImageAddresses = {
  /** The absolute address of a stored picture. */
  urlOf: (hash: string) => string
  /** The path of a stored avatar on this server. */
  avatarPathOf: (hash: string) => string
}

export function imageAddresses(publicUrl: string): ImageAddresses {
  return {
    urlOf: (hash) => `${publicUrl}/images/${imageFile(hash, SHOWN_WIDTH)}`,
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
