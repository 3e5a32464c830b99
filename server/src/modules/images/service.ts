import { IMAGE_WIDTHS, AVATAR_SIZES, MAX_URL_LENGTH } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { imageFault, isDataUrl, isHttpUrl, readImageDataUrl } from '@marquee/contract/rules/image'
import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { hold, holdName } from './hold.ts'
import { createJobQueue, QueueFull } from './job-queue.ts'
import { IMAGE_KINDS, type ImageKind, NO_IMAGE_URL } from './kinds.ts'
import { imageFile, KEPT_WIDTHS, readImageFile } from './names.ts'

const PARALLEL_JOBS = 2
const WAITING_JOBS = 30
const SHOWN_WIDTH = Math.max(...IMAGE_WIDTHS)
const [AVATAR_WIDTH] = AVATAR_SIZES

/** A picture is either a link to somewhere else or kept here under the hash of its content. */
export type KeptImage = { url: string; hash: null } | { url: null; hash: string }

export type Images = {
  /**
   * Accepts what a card's form gives as its image: a link as it is, an upload (data URL) like `keepUpload`, and the
   * address of a picture that is kept here as that picture, so that it stays as long as the card does.
   * @throws {Problem} BAD_REQUEST in the spec's words; SERVICE_UNAVAILABLE while too many are being decoded.
   */
  keep: (image: string) => Promise<KeptImage>
  /**
   * Re-encodes an upload (base64 data URL) and stores it; gives its hash. Whoever refers to it must do so within
   * minutes: what no row refers to is swept later on.
   * @throws {Problem} BAD_REQUEST in the spec's words; SERVICE_UNAVAILABLE while too many are being decoded.
   */
  keepUpload: (dataUrl: string, kind: ImageKind) => Promise<string>
  /** The absolute address of a stored picture. */
  urlOf: (hash: string) => string
  /** The path of a stored avatar on this server. */
  avatarPathOf: (hash: string) => string
  /** The bytes (WebP) of `<hash>-<width>.webp`. */
  find: (name: string) => Promise<Buffer | undefined>
}

export type ImagePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly blobs: BlobStore
  readonly publicUrl: string
}

export function createImages(ports: ImagePorts): Images {
  const { blobs, publicUrl } = ports
  const ownAddress = `${publicUrl}/images/`
  const queued = createJobQueue({ parallel: PARALLEL_JOBS, waiting: WAITING_JOBS })

  async function keepUpload(dataUrl: string, kind: ImageKind): Promise<string> {
    const { sizes, faults } = IMAGE_KINDS[kind]
    const bytes = readUpload(dataUrl, kind)
    const renditions = await queued(async () => {
      // Loaded with the first picture: the decoders take time to start and memory.
      const { reEncode } = await import('./re-encode.ts')
      return await reEncode(bytes, sizes)
    }).catch((error: unknown) => {
      if (error instanceof QueueFull) throw new Problem('SERVICE_UNAVAILABLE')
      throw new Problem('BAD_REQUEST', faults.type)
    })
    const hash = await holdName(ports, renditions)
    await Promise.all(
      renditions.map(async (rendition) => {
        await blobs.put(imageFile(hash, rendition.width), rendition.bytes)
      }),
    )
    return hash
  }

  async function keepOwn(address: string): Promise<string> {
    const hash = readImageFile(address.slice(ownAddress.length))?.hash
    // Held first: what is there then will not be swept before the card refers to it.
    if (hash !== undefined && (await hold(ports, hash)) && (await blobs.has(imageFile(hash, SHOWN_WIDTH)))) return hash
    throw new Problem('BAD_REQUEST', NO_IMAGE_URL)
  }

  return {
    keep: async (image) => {
      if (isDataUrl(image)) return { url: null, hash: await keepUpload(image, 'picture') }
      if (image.length > MAX_URL_LENGTH || !isHttpUrl(image)) throw new Problem('BAD_REQUEST', NO_IMAGE_URL)
      if (image.startsWith(ownAddress)) return { url: null, hash: await keepOwn(image) }
      return { url: image, hash: null }
    },
    keepUpload,
    urlOf: (hash) => `${ownAddress}${imageFile(hash, SHOWN_WIDTH)}`,
    avatarPathOf: (hash) => `/images/${imageFile(hash, AVATAR_WIDTH)}`,
    find: async (name) => {
      const image = readImageFile(name)
      return image && KEPT_WIDTHS.includes(image.width) ? await blobs.get(name) : undefined
    },
  }
}

function readUpload(dataUrl: string, kind: ImageKind): Buffer {
  const upload = readImageDataUrl(dataUrl)
  const fault = upload ? imageFault({ type: upload.mediaType, size: upload.bytes }) : 'type'
  if (!upload || fault !== undefined) throw new Problem('BAD_REQUEST', IMAGE_KINDS[kind].faults[fault ?? 'type'])
  return Buffer.from(upload.base64, 'base64')
}
