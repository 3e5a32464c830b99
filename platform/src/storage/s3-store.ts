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
import { type BlobStore, BucketUnusable, checkBlobName } from './blob-store.ts'

export type S3Options = {
  readonly bucket: string
  /** The URL of a store other than Amazon's. */
  readonly endpoint?: string | undefined
  readonly region?: string | undefined
  /** Default: the credentials that the AWS SDK finds, such as the role of the machine or a profile. */
  readonly keys?: { readonly id: string; readonly secret: string } | undefined
  /** How long one call may take, including its retries. */
  readonly callMs?: number
}

export type S3Bucket = {
  /** The blobs in one folder of the bucket, or those outside any folder. */
  store: (folder?: string) => BlobStore
}

const ATTEMPTS = 3
/** Short, because a request waits for the call. */
const CALL_MS = 2_800

/**
 * Opens a bucket, which needs no public access. A call that fails after its retries is an outage.
 * @throws {BucketUnusable} if the bucket cannot be reached, or these keys have no access.
 */
export async function openS3Bucket(options: S3Options): Promise<S3Bucket> {
  const { bucket: Bucket, callMs = CALL_MS } = options
  const client = connect(options)
  const inTime = () => ({ abortSignal: AbortSignal.timeout(callMs) })

  try {
    await client.send(new HeadBucketCommand({ Bucket }), inTime())
  } catch (error) {
    throw new BucketUnusable(hindranceOf(error), { cause: error })
  }
  return {
    store: (folder) => storeIn({ client, Bucket, inTime }, folder === undefined ? '' : `${folder}/`),
  }
}

/** `inTime` returns the options that end a call after its time. */
type OpenBucket = {
  readonly client: S3Client
  readonly Bucket: string
  readonly inTime: () => { abortSignal: AbortSignal }
}

/** The objects of a bucket whose keys are `prefix` followed by a name without slash. */
function storeIn({ client, Bucket, inTime }: OpenBucket, prefix: string): BlobStore {
  const objectOf = (name: string): { Bucket: string; Key: string } => {
    checkBlobName(name)
    return { Bucket, Key: `${prefix}${name}` }
  }
  return {
    put: async (name, bytes) => {
      await asked(client.send(new PutObjectCommand({ ...objectOf(name), Body: bytes }), inTime()))
    },
    get: async (name) => {
      const object = objectOf(name)
      return await unlessMissing(async () => {
        const { Body } = await client.send(new GetObjectCommand(object), inTime())
        return Body && Buffer.from(await Body.transformToByteArray())
      })
    },
    has: async (name) => {
      const object = objectOf(name)
      const found = await unlessMissing(async () => await client.send(new HeadObjectCommand(object), inTime()))
      return found !== undefined
    },
    delete: async (name) => {
      await asked(client.send(new DeleteObjectCommand(objectOf(name)), inTime()))
    },
    list: async function* listBlobs() {
      const asking = { Bucket, Prefix: prefix, Delimiter: '/' }
      const pages = paginateListObjectsV2({ client }, asking)[Symbol.asyncIterator]()
      for (;;) {
        const page = await asked(pages.next())
        if (page.done === true) return
        for (const { Key, LastModified } of page.value.Contents ?? []) {
          if (Key !== undefined && LastModified) yield { name: Key.slice(prefix.length), putAt: LastModified }
        }
      }
    },
  }
}

function connect({ endpoint, region, keys }: S3Options): S3Client {
  return new S3Client({
    region: region ?? 'us-east-1',
    maxAttempts: ATTEMPTS,
    // Other stores support neither buckets as host names nor Amazon's newer checksums.
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
  // The status of a call that was signed for, or sent to, another region.
  if (status === 301 || status === 400) return `it answers ${status}: is it in another region (S3_REGION)?`
  return status === undefined ? reasonOf(error) : `it answers ${status}`
}
