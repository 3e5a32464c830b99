import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'

import { type BlobStore, BucketUnusable, checkBlobName } from './blob-store.ts'
import { asked, hindranceOf, type OpenBucket, unlessMissing } from './s3-calls.ts'
import { type LargeFiles, largeFilesIn } from './s3-large-files.ts'

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
  largeFiles: (folder: string) => LargeFiles
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
  const inTime = (signal?: AbortSignal) => {
    const late = AbortSignal.timeout(callMs)
    return { abortSignal: signal ? AbortSignal.any([signal, late]) : late }
  }
  const open = { client, Bucket, inTime }

  try {
    await client.send(new HeadBucketCommand({ Bucket }), inTime())
  } catch (error) {
    throw new BucketUnusable(hindranceOf(error), { cause: error })
  }
  return {
    store: (folder) => storeIn(open, folder === undefined ? '' : `${folder}/`),
    largeFiles: (folder) => largeFilesIn(open, `${folder}/`),
  }
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
      let ContinuationToken: string | undefined
      do {
        const asking = { Bucket, Prefix: prefix, Delimiter: '/', ContinuationToken }
        const page = await asked(client.send(new ListObjectsV2Command(asking), inTime()))
        for (const { Key, LastModified } of page.Contents ?? []) {
          if (Key !== undefined && LastModified) yield { name: Key.slice(prefix.length), putAt: LastModified }
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
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
