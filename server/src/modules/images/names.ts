import { createHash } from 'node:crypto'

import { IMAGE_KINDS } from './kinds.ts'

/** Every width that any kind of image is kept in. */
export const KEPT_WIDTHS = [
  ...new Set(Object.values(IMAGE_KINDS).flatMap(({ sizes }) => sizes.map((size) => size.width))),
]

const FILE = /^([0-9a-f]{64})-(\d+)\.webp$/u

/** The name of the file that holds an image in one width. */
export function imageFile(hash: string, width: number): string {
  return `${hash}-${width}.webp`
}

/** The image a file belongs to, and its width; undefined for a file that is none of ours. */
export function readImageFile(name: string): { hash: string; width: number } | undefined {
  const [, hash, width] = FILE.exec(name) ?? []
  return hash === undefined ? undefined : { hash, width: Number(width) }
}

/**
 * The hash of an image's content, under which it is kept. The same image has further names, one for each `attempt`, for
 * when the files of an earlier one are just being removed.
 */
export function imageHash(renditions: readonly { bytes: Buffer }[], attempt: number): string {
  const hash = createHash('sha256')
  for (const { bytes } of renditions) hash.update(bytes)
  if (attempt > 0) hash.update(`again ${attempt}`)
  return hash.digest('hex')
}
