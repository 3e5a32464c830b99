import { createHash } from 'node:crypto'

import { IMAGE_WIDTHS, MAX_URL_LENGTH } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { imageFault, type ImageFault, isDataUrl, isHttpUrl, readImageDataUrl } from '@marquee/contract/rules/image'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { createJobQueue, QueueFull } from './job-queue.ts'
import { reEncode } from './re-encode.ts'

const PARALLEL_JOBS = 2
const WAITING_JOBS = 30
const SHOWN_WIDTH = Math.max(...IMAGE_WIDTHS)

/** Spec section 5, "Image files" and "Movie card form". */
const FAULT_TEXT: Record<ImageFault, string> = {
  type: 'Please select a valid image file (JPG, PNG, GIF).',
  size: 'File size must be less than 5MB.',
}
const NO_IMAGE_URL = 'Please enter a valid image URL'

/** A picture is either a link to somewhere else or kept here under the hash of its content. */
export type KeptImage = { url: string; hash: null } | { url: null; hash: string }

export type Images = {
  /**
   * Accepts what a form gives as its image: a link as it is, an upload (data URL) re-encoded and stored.
   * @throws {Problem} BAD_REQUEST in the spec's words; SERVICE_UNAVAILABLE while too many are being decoded.
   */
  keep: (image: string) => Promise<KeptImage>
  /** The absolute address of a stored image. */
  urlOf: (hash: string) => string
  /** The bytes (WebP) of `<hash>-<width>.webp`. */
  find: (name: string) => Promise<Buffer | undefined>
}

export function createImages({ blobs, publicUrl }: { blobs: BlobStore; publicUrl: string }): Images {
  const queued = createJobQueue({ parallel: PARALLEL_JOBS, waiting: WAITING_JOBS })

  async function store(dataUrl: string): Promise<string> {
    const bytes = readUpload(dataUrl)
    const renditions = await queued(async () => await reEncode(bytes, IMAGE_WIDTHS)).catch((error: unknown) => {
      if (error instanceof QueueFull) throw new Problem('SERVICE_UNAVAILABLE')
      throw new Problem('BAD_REQUEST', FAULT_TEXT.type)
    })
    const hash = createHash('sha256')
    for (const rendition of renditions) hash.update(rendition.bytes)
    const name = hash.digest('hex')
    await Promise.all(
      renditions.map(async (rendition) => {
        await blobs.put(blobName(name, rendition.width), rendition.bytes)
      }),
    )
    return name
  }

  return {
    keep: async (image) => {
      if (isDataUrl(image)) return { url: null, hash: await store(image) }
      if (image.length > MAX_URL_LENGTH || !isHttpUrl(image)) throw new Problem('BAD_REQUEST', NO_IMAGE_URL)
      return { url: image, hash: null }
    },
    urlOf: (hash) => `${publicUrl}/images/${blobName(hash, SHOWN_WIDTH)}`,
    find: async (name) => (NAME.test(name) ? await blobs.get(name) : undefined),
  }
}

const NAME = new RegExp(String.raw`^[0-9a-f]{64}-(?:${IMAGE_WIDTHS.join('|')})\.webp$`, 'u')

function blobName(hash: string, width: number): string {
  return `${hash}-${width}.webp`
}

function readUpload(dataUrl: string): Buffer {
  const upload = readImageDataUrl(dataUrl)
  const fault = upload ? imageFault({ type: upload.mediaType, size: upload.bytes }) : 'type'
  if (!upload || fault !== undefined) throw new Problem('BAD_REQUEST', FAULT_TEXT[fault ?? 'type'])
  return Buffer.from(upload.base64, 'base64')
}
