import type { KeyObject } from 'node:crypto'

import { MAX_URL_LENGTH } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { imageFault, isDataUrl, isHttpUrl, readImageDataUrl } from '@marquee/contract/rules/image'
import type { Database } from '@marquee/platform/database/database'
import { type Clock, inFuture } from '@marquee/platform/runtime/clock'
import { HOUR_MS } from '@marquee/platform/runtime/durations'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { DecoderBusy, type ImageDecoder, type Rendition, UndecodableImage } from './decoder.ts'
import { acceptedTypeOf } from './header.ts'
import {
  IMAGE_KINDS,
  type ImageAddresses,
  imageAddresses,
  NO_POSTER,
  imageFile,
  imageHash,
  type ImageKind,
  KEPT_WIDTHS,
  NO_IMAGE_URL,
  readImageFile,
  type RemotePosters,
  SHOWN_WIDTH,
} from './names.ts'
import { holdImage } from './store.ts'

/** Far longer than a request takes until the commit that refers to its image. */
const HELD_MS = HOUR_MS
const ATTEMPTS = 5

/** Fetched posters share the places of one owner in the decoder's queue. */
const FETCHED = 'posters'

/** A picture is either an address elsewhere or an image of ours. */
export type KeptImage = { url: string; hash: null } | { url: null; hash: string }

export { acceptedTypeOf, DecoderBusy, type ImageAddresses, NO_POSTER, UndecodableImage }

export type Images = ImageAddresses & {
  /**
   * Takes the image of a card: an address as it is, an upload (data URL) like `keepUpload`, and the address of one of our
   * images as that image, so that it stays as long as the card.
   * @throws {Problem} BAD_REQUEST; SERVICE_UNAVAILABLE if too many images wait for the decoder.
   */
  keep: (image: string, userId: string) => Promise<KeptImage>
  /**
   * Re-encodes and stores an upload (base64 data URL), and returns its name. A row must refer to it within an hour, or a sweep
   * removes it.
   * @throws {Problem} BAD_REQUEST; SERVICE_UNAVAILABLE if too many images wait for the decoder.
   */
  keepUpload: (dataUrl: string, kind: ImageKind, userId: string) => Promise<string>
  /**
   * Does the same for a poster that was fetched for a card of this user. At most three of these wait for the decoder, so
   * they do not delay uploads for long.
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
  /** The key of the hashes that name images. */
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
      renditions.map(async (rendition) => await blobs.put(imageFile(hash, rendition.width), rendition.bytes)),
    )
    return hash
  }

  async function keepOwn(address: string): Promise<string> {
    const hash = readImageFile(address.slice(ownAddress.length))?.hash
    // Hold it first, so that no sweep removes it before the card refers to it.
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

type HoldPorts = { readonly database: Database<unknown>; readonly clock: Clock }

/**
 * Chooses the name of an image and holds it for an hour, before its files are put: the sweep leaves a held image alone
 * until a row refers to it.
 * @throws {Problem} SERVICE_UNAVAILABLE if images of all its names are being removed.
 */
async function holdName(
  ports: HoldPorts & { readonly imageNameKey: KeyObject },
  renditions: readonly { bytes: Buffer }[],
  userId: string,
): Promise<string> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const hash = imageHash({ key: ports.imageNameKey, userId }, renditions, attempt)
    if (await hold(ports, hash)) return hash
  }
  throw new Problem('SERVICE_UNAVAILABLE')
}

/** Holds an image for an hour; false if it is being removed. */
async function hold({ database, clock }: HoldPorts, hash: string): Promise<boolean> {
  const until = inFuture(clock, HELD_MS).toISOString()
  return await database.transaction(async (trx) => await holdImage(trx, hash, until))
}
