import { type FileHandle, open } from 'node:fs/promises'

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'

import { checkBlobName } from './blob-store.ts'
import { asked, type OpenBucket, unlessMissing } from './s3-calls.ts'

const MOST_PARTS = 10_000
/** Amazon wants 5 MB or more. A part has to arrive within the time of one call. */
const PART_BYTES = 8 * 2 ** 20

/** Files in one folder of a bucket that are too large for memory: only one part at a time is in it. */
export type LargeFiles = {
  /** Begins an upload. The bucket shows nothing of it until it is complete, and keeps its parts until it is abandoned. */
  begin: (name: string) => Promise<string>
  /** Uploads a file in parts. It appears whole or not at all, and replaces one of the same name. */
  complete: (name: string, upload: string, from: Transfer) => Promise<void>
  /** Removes the parts of an upload that was not completed. */
  abandon: (name: string, upload: string) => Promise<void>
  /** Writes a file of the bucket to a local one; false if there is none. */
  download: (name: string, to: Transfer) => Promise<boolean>
}

/** The local file, and what ends the transfer early. */
type Transfer = { readonly path: string; readonly signal?: AbortSignal }

/** The large files whose keys are `prefix` followed by a name without slash. */
export function largeFilesIn({ client, Bucket, inTime }: OpenBucket, prefix: string): LargeFiles {
  const objectOf = (name: string): { Bucket: string; Key: string } => {
    checkBlobName(name)
    return { Bucket, Key: `${prefix}${name}` }
  }
  return {
    begin: async (name) => {
      const { UploadId } = await asked(client.send(new CreateMultipartUploadCommand(objectOf(name)), inTime()))
      if (UploadId === undefined) throw new Error('The bucket began an upload without an id')
      return UploadId
    },
    complete: async (name, upload, { path, signal }) => {
      const place = { ...objectOf(name), UploadId: upload }
      const file = await open(path)
      try {
        const Parts: { PartNumber: number; ETag: string | undefined }[] = []
        for await (const Body of partsOf(file)) {
          const part = { ...place, PartNumber: Parts.length + 1, Body }
          const { ETag } = await asked(client.send(new UploadPartCommand(part), inTime(signal)))
          Parts.push({ PartNumber: part.PartNumber, ETag })
        }
        const all = { ...place, MultipartUpload: { Parts } }
        await asked(client.send(new CompleteMultipartUploadCommand(all), inTime(signal)))
      } finally {
        await file.close()
      }
    },
    abandon: async (name, upload) => {
      const place = { ...objectOf(name), UploadId: upload }
      await unlessMissing(async () => await client.send(new AbortMultipartUploadCommand(place), inTime()))
    },
    download: async (name, { path, signal }) => {
      const object = objectOf(name)
      const readPart = async (from: number): Promise<Part | undefined> =>
        await unlessMissing(async () => {
          const range = { ...object, Range: `bytes=${from}-${from + PART_BYTES - 1}` }
          const { Body, ContentRange } = await client.send(new GetObjectCommand(range), inTime(signal))
          const [, of] = /\/(\d+)$/u.exec(ContentRange ?? '') ?? []
          const bytes = await Body?.transformToByteArray()
          if (!bytes || bytes.length === 0 || of === undefined) throw new Error('it does not answer with a part')
          return { bytes, next: from + bytes.length, of: Number(of) }
        })
      const first = await readPart(0)
      if (!first) return false
      const file = await open(path, 'w', 0o600)
      try {
        await file.writeFile(first.bytes)
        for (let last = first; last.next < last.of;) {
          const part = await readPart(last.next)
          if (!part) throw new Error(`${name} was removed from the bucket meanwhile`)
          await file.writeFile(part.bytes)
          last = part
        }
      } finally {
        await file.close()
      }
      return true
    },
  }
}

type Part = { readonly bytes: Uint8Array; readonly next: number; readonly of: number }

async function* partsOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const { size } = await file.stat()
  const length = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS))
  for (let position = 0; position < size;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position)
    if (bytesRead === 0) throw new Error('The file became shorter during its upload')
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
