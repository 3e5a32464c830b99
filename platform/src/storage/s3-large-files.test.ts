import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { Outage } from '../runtime/outage.ts'
import { systemRandom } from '../runtime/random.ts'
import { S3_BUCKET, S3_KEYS, type S3Server, startS3 } from '../testing/s3-server.ts'
import type { BlobStore } from './blob-store.ts'
import type { LargeFiles } from './s3-large-files.ts'
import { openS3Bucket } from './s3-store.ts'

/** More than two parts. */
const BYTES = 20_000_001

let folder: string
let path: string
let bytes: Buffer
let server: S3Server
let files: LargeFiles
let blobs: BlobStore

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-large-files-'))
  path = join(folder, 'original')
  bytes = Buffer.from(systemRandom.bytes(BYTES))
  await writeFile(path, bytes)
  server = await startS3()
  const bucket = await openS3Bucket({ bucket: S3_BUCKET, endpoint: server.url, keys: S3_KEYS, callMs: 10_000 })
  files = bucket.largeFiles('backups')
  blobs = bucket.store('backups')
})
beforeEach(() => {
  server.failWith(undefined)
  server.holdAfter(undefined)
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function namesIn(store: BlobStore): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of store.list()) names.push(name)
  return names
}

test('a file of several parts is read back byte for byte, and only its owner can read the copy', async () => {
  const copy = join(folder, 'copy')
  await files.complete('large.tar', await files.begin('large.tar'), { path })
  const isThere = await files.download('large.tar', { path: copy })

  expect(isThere).toBe(true)
  expect((await readFile(copy)).equals(bytes)).toBe(true)
  expect((await stat(copy)).mode & 0o777).toBe(0o600)
  expect(await namesIn(blobs)).toContain('large.tar')
})

test('an unfinished upload is not listed in the bucket, and leaves nothing once it is abandoned', async () => {
  const upload = await files.begin('half.tar')
  const during = { shown: await namesIn(blobs), parts: await server.unfinishedUploads() }
  await files.abandon('half.tar', upload)
  await files.abandon('half.tar', upload)

  expect(during.shown).not.toContain('half.tar')
  expect(during.parts).toEqual([upload])
  expect(await server.unfinishedUploads()).toEqual([])
})

test('a bucket that fails during an upload is an outage, and lists no file', async () => {
  const upload = await files.begin('lost.tar')
  let parts = 0
  server.watch(({ method }) => {
    if (method === 'PUT' && (parts += 1) === 2) server.failWith(507)
  })
  const uploading = files.complete('lost.tar', upload, { path })

  await expect(uploading).rejects.toThrow(Outage)
  server.watch(() => undefined)
  server.failWith(undefined)
  await files.abandon('lost.tar', upload)
  expect(await namesIn(blobs)).not.toContain('lost.tar')
})

test('an upload that is aborted fails, and leaves no file in the bucket', async () => {
  const upload = await files.begin('ended.tar')
  const ending = new AbortController()
  server.watch(({ method }) => {
    if (method === 'PUT') ending.abort()
  })
  const uploading = files.complete('ended.tar', upload, { path, signal: ending.signal })

  await expect(uploading).rejects.toThrow(Outage)
  server.watch(() => undefined)
  await files.abandon('ended.tar', upload)
  expect(await namesIn(blobs)).not.toContain('ended.tar')
})

test('downloading a file that is not in the bucket creates no local file', async () => {
  const copy = join(folder, 'none')

  expect(await files.download('none.tar', { path: copy })).toBe(false)
  await expect(stat(copy)).rejects.toThrow('ENOENT')
})

test.each(['../secret', 'a/b', ''])('the name %j is rejected before any call', async (name) => {
  const before = server.calls()

  await expect(files.begin(name)).rejects.toThrow(TypeError)
  await expect(files.download(name, { path })).rejects.toThrow(TypeError)
  expect(server.calls()).toBe(before)
})
