import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'

import { Outage } from '../runtime/outage.ts'
import { reasonOf } from '../runtime/reason-of.ts'
import { type BlobStore, checkBlobName } from './blob-store.ts'
import { BucketUnusable } from './bucket-unusable.ts'

export type S3Options = {
  readonly bucket: string
  /** Where another store than Amazon's is. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  /** Without a pair of keys they are looked for where Amazon's libraries do: role of the machine, profile. */
  readonly keys?: { readonly id: string; readonly secret: string } | undefined
  /** How long one call may take, with all its attempts. */
  readonly callMs?: number
}

const ATTEMPTS = 3
/** A request waits for the call. */
const CALL_MS = 2_800

/**
 * Blobs as objects of one bucket, which needs no public access. A failed call is tried again a few times, then it is an
 * outage.
 * @throws {BucketUnusable} where the bucket cannot be reached now, or these keys may not see it.
 */
export async function openS3Store(options: S3Options): Promise<BlobStore> {
  const { bucket: Bucket, callMs = CALL_MS } = options
  const client = connect(options)
  const inTime = () => ({ abortSignal: AbortSignal.timeout(callMs) })

  try {
    await client.send(new HeadBucketCommand({ Bucket }), inTime())
  } catch (error) {
    throw new BucketUnusable(hindranceOf(error), { cause: error })
  }

  return {
    put: async (name, bytes) => {
      checkBlobName(name)
      await asked(client.send(new PutObjectCommand({ Bucket, Key: name, Body: bytes }), inTime()))
    },
    get: async (name) => {
      checkBlobName(name)
      return await unlessMissing(async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: name }), inTime())
        return Body && Buffer.from(await Body.transformToByteArray())
      })
    },
    has: async (name) => {
      checkBlobName(name)
      const found = await unlessMissing(
        async () => await client.send(new HeadObjectCommand({ Bucket, Key: name }), inTime()),
      )
      return found !== undefined
    },
    delete: async (name) => {
      checkBlobName(name)
      await asked(client.send(new DeleteObjectCommand({ Bucket, Key: name }), inTime()))
    },
    list: async function* listBlobs() {
      const pages = paginateListObjectsV2({ client }, { Bucket })[Symbol.asyncIterator]()
      for (;;) {
        const page = await asked(pages.next())
        if (page.done === true) return
        for (const { Key, LastModified } of page.value.Contents ?? []) {
          if (Key !== undefined && LastModified) yield { name: Key, putAt: LastModified }
        }
      }
    },
  }
}

function connect({ endpoint, region, keys }: S3Options): S3Client {
  return new S3Client({
    region: region ?? 'us-east-1',
    maxAttempts: ATTEMPTS,
    // Other stores than Amazon's know neither buckets as host names nor its newer checksums.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(keys && { credentials: { accessKeyId: keys.id, secretAccessKey: keys.secret } }),
  })
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw new Outage(`The image store failed: ${hindranceOf(error)}`, { of: 'images', cause: error })
  }
}

async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const looked = ask().catch((error: unknown) => {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined
    throw error
  })
  return await asked(looked)
}

function hindranceOf(error: unknown): string {
  if (!(error instanceof S3ServiceException)) return reasonOf(error)
  const status = error.$metadata.httpStatusCode
  if (status === 404) return 'there is no such bucket'
  if (status === 403) return 'these keys may not use it'
  // What a store answers to a call that is signed for, or sent to, another region.
  if (status === 301 || status === 400) return `it answers ${status}: is it in another region (S3_REGION)?`
  return status === undefined ? reasonOf(error) : `it answers ${status}`
}
