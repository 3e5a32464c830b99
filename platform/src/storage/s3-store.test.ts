import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { Outage } from '../runtime/outage.ts'
import { systemRandom } from '../runtime/random.ts'
import { S3_BUCKET, S3_KEYS, type S3Server, startS3 } from '../testing/s3-server.ts'
import type { BlobEntry, BlobStore } from './blob-store.ts'
import { openS3Bucket } from './s3-store.ts'

let server: S3Server
let store: BlobStore
let folder: BlobStore
/** Waits less for an answer. */
let impatient: BlobStore

beforeAll(async () => {
  server = await startS3()
  const options = { bucket: S3_BUCKET, endpoint: server.url, keys: S3_KEYS }
  const bucket = await openS3Bucket(options)
  store = bucket.store()
  folder = bucket.store('trash')
  impatient = (await openS3Bucket({ ...options, callMs: 1_000 })).store()
})
beforeEach(() => {
  server.failWith(undefined)
  server.holdAfter(undefined)
})
afterAll(async () => {
  await server.stop()
})

test('a blob is read back byte for byte, and a second put replaces it', async () => {
  const bytes = systemRandom.bytes(100_000)

  await store.put('abc-320.webp', Buffer.from('first'))
  await store.put('abc-320.webp', bytes)

  expect(await store.get('abc-320.webp')).toEqual(bytes)
  expect(await store.has('abc-320.webp')).toBe(true)
})

test('a missing or deleted blob reads as undefined', async () => {
  await store.put('gone', Buffer.from('x'))

  await store.delete('gone')
  await store.delete('never')

  expect(await store.get('gone')).toBeUndefined()
  expect(await store.has('never')).toBe(false)
})

test('every blob is listed with the time of its last put', async () => {
  const before = Date.now() - 2_000
  for (const name of ['ab-1', 'ab-2', 'cd-1']) await store.put(name, Buffer.from(name))

  const entries: BlobEntry[] = []
  for await (const entry of store.list()) entries.push(entry)

  expect(entries.map(({ name }) => name)).toEqual(expect.arrayContaining(['ab-1', 'ab-2', 'cd-1']))
  expect(entries.find(({ name }) => name === 'cd-1')?.putAt.getTime()).toBeGreaterThan(before)
})

test('blobs in a folder and outside it are separate', async () => {
  await store.put('twice', Buffer.from('outside'))
  await folder.put('twice', Buffer.from('inside'))
  await folder.put('once', Buffer.from('inside'))

  const names = async (blobs: BlobStore) => {
    const found: string[] = []
    for await (const { name } of blobs.list()) found.push(name)
    return found
  }

  expect([await store.get('twice'), await store.get('once')]).toEqual([Buffer.from('outside'), undefined])
  expect(await names(folder)).toEqual(['once', 'twice'])
  expect(await names(store)).not.toContain('once')
  expect((await names(store)).filter((name) => name.includes('/'))).toEqual([])
})

test.each(['../secret', 'a/b', '.hidden', ''])('the name %j is rejected before any call', async (name) => {
  const before = server.calls()

  await expect(store.get(name)).rejects.toThrow(TypeError)
  await expect(store.put(name, Buffer.from('x'))).rejects.toThrow(TypeError)
  expect(server.calls()).toBe(before)
})

test('a store that answers 503 is an outage after a few attempts, and is used again once it answers', async () => {
  await store.put('kept', Buffer.from('kept'))
  server.failWith(503)
  const before = server.calls()

  await expect(store.get('kept')).rejects.toThrow(Outage)
  const attempts = server.calls() - before
  await expect(store.put('lost', Buffer.from('lost'))).rejects.toThrow(Outage)
  await expect(store.has('kept')).rejects.toThrow(Outage)
  server.failWith(undefined)

  expect(attempts).toBe(3)
  expect(await store.get('kept')).toEqual(Buffer.from('kept'))
  expect(await store.has('lost')).toBe(false)
})

test.each([
  ['before it answers', 0],
  ['in the middle of an answer', 1],
])('a store that falls silent %s is an outage', async (_when, after) => {
  await store.put('large', Buffer.alloc(100_000))
  server.holdAfter(after)

  const reading = impatient.get('large')

  await expect(reading).rejects.toThrow(Outage)
})

test('a store that falls silent while it is listed is an outage', async () => {
  server.holdAfter(0)
  const listing = impatient.list()[Symbol.asyncIterator]().next()

  await expect(listing).rejects.toThrow(Outage)
})

test.each([
  ['does not exist', { bucket: 'nothing', keys: S3_KEYS }, /there is no such bucket/u],
  [
    'does not accept the keys',
    { bucket: S3_BUCKET, keys: { id: 'NOBODY', secret: 'wrong' } },
    /these keys may not use it/u,
  ],
])('a bucket that %s fails the start with a clear error', async (_what, options, reason) => {
  const opening = openS3Bucket({ endpoint: server.url, ...options })

  await expect(opening).rejects.toMatchObject({
    name: 'BucketUnusable',
    message: expect.stringMatching(reason) as string,
  })
})
