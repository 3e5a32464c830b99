import type { KeyObject } from 'node:crypto'

import { MAX_URL_LENGTH } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { imageFault, isDataUrl, isHttpUrl, readImageDataUrl } from '@marquee/contract/rules/image'
import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { DecoderBusy, type ImageDecoder, type Rendition, UndecodableImage } from './decoder.ts'
import { hold, holdName } from './hold.ts'
import { IMAGE_KINDS, type ImageKind, NO_IMAGE_URL } from './kinds.ts'
import {
  type ImageAddresses,
  imageAddresses,
  imageFile,
  KEPT_WIDTHS,
  readImageFile,
  type RemotePosters,
  SHOWN_WIDTH,
} from './names.ts'

/** In whose name fetched posters wait to be decoded. */
const FETCHED = 'posters'

/** A picture is either a link to somewhere else or kept here under its name. */
export type KeptImage = { url: string; hash: null } | { url: null; hash: string }

export { type ImageAddresses, UndecodableImage }

export type Images = ImageAddresses & {
  /**
   * Accepts what a card's form gives as its image: a link as it is, an upload (data URL) like `keepUpload`, and the
   * address of a picture that is kept here as that picture, so that it stays as long as the card does.
   * @throws {Problem} BAD_REQUEST; SERVICE_UNAVAILABLE while too many are being decoded.
   */
  keep: (image: string, userId: string) => Promise<KeptImage>
  /**
   * Re-encodes an upload (base64 data URL) and stores it; gives its name. A row must refer to it within minutes: what no
   * row refers to is swept later on.
   * @throws {Problem} BAD_REQUEST; SERVICE_UNAVAILABLE while too many are being decoded.
   */
  keepUpload: (dataUrl: string, kind: ImageKind, userId: string) => Promise<string>
  /**
   * Does the same with a poster that was fetched for a card of this user. At most three of these wait to be decoded, so
   * uploads do not wait for long.
   * @throws {UndecodableImage}
   * @throws {DecoderBusy}
   */
  keepFetched: (bytes: Buffer, userId: string) => Promise<string>
  /** The bytes (WebP) of `<hash>-<width>.webp`. */
  find: (name: string) => Promise<Buffer | undefined>
}

export type ImagePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly blobs: BlobStore
  readonly decoder: ImageDecoder
  /** Names of images are hashes under this key. */
  readonly imageNameKey: KeyObject
  readonly publicUrl: string
  readonly remotePosters: RemotePosters
}

export function createImages(ports: ImagePorts): Images {
  const { blobs, decoder, publicUrl, remotePosters } = ports
  const ownAddress = `${publicUrl}/images/`

  async function keepUpload(dataUrl: string, kind: ImageKind, userId: string): Promise<string> {
    const { sizes, faults } = IMAGE_KINDS[kind]
    const renditions = await decoder.render(readUpload(dataUrl, kind), sizes, userId).catch((error: unknown) => {
      if (error instanceof DecoderBusy) throw new Problem('SERVICE_UNAVAILABLE')
      if (error instanceof UndecodableImage) throw new Problem('BAD_REQUEST', faults.type)
      throw error
    })
    return await store(renditions, userId)
  }

  async function store(renditions: readonly Rendition[], userId: string): Promise<string> {
    const hash = await holdName(ports, renditions, userId)
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
    keep: async (image, userId) => {
      if (isDataUrl(image)) return { url: null, hash: await keepUpload(image, 'picture', userId) }
      if (image.length > MAX_URL_LENGTH || !isHttpUrl(image)) throw new Problem('BAD_REQUEST', NO_IMAGE_URL)
      if (image.startsWith(ownAddress)) return { url: null, hash: await keepOwn(image) }
      return { url: image, hash: null }
    },
    keepUpload,
    keepFetched: async (bytes, userId) =>
      await store(await decoder.render(bytes, IMAGE_KINDS.picture.sizes, FETCHED), userId),
    ...imageAddresses(publicUrl, remotePosters),
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
