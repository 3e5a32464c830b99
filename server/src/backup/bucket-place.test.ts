import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { BlobStore } from '@marquee/platform/storage/blob-store'
import { openS3Bucket, type S3Bucket } from '@marquee/platform/storage/s3-store'
import { S3_BUCKET, S3_KEYS, type S3Server, startS3 } from '@marquee/platform/testing/s3-server'

import { bucketPlace, fetchBackup } from './bucket-place.ts'
import { type BackupPlace, newestBackup } from './kept-backups.ts'

const NEVER = new AbortController().signal
const FIRST = 'marquee-20270101t030000000z.tar'

let folder: string
let path: string
let server: S3Server
let bucket: S3Bucket
let blobs: BlobStore
let place: BackupPlace

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-bucket-place-'))
  path = join(folder, 'draft')
  server = await startS3()
  bucket = await openS3Bucket({ bucket: S3_BUCKET, endpoint: server.url, keys: S3_KEYS })
  blobs = bucket.store('backups')
  place = bucketPlace(bucket, S3_BUCKET)
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const day = (n: number) => new Date(Date.UTC(2027, 0, n, 3))

async function keep(n: number, verify: () => Promise<void> = async () => await Promise.resolve()): Promise<string> {
  await writeFile(path, `backup ${n}`)
  return await place.keep({ path, madeAt: day(n) }, verify, NEVER)
}

async function objects(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of blobs.list()) names.push(name)
  return names.toSorted()
}

test('a backup counts only after its copy in the bucket has been verified', async () => {
  let seen = ''
  let before: unknown
  const kept = await keep(1, async () => {
    seen = await readFile(path, 'utf8')
    before = await place.list()
  })

  expect(seen).toBe('backup 1')
  expect(before).toEqual([])
  expect(kept).toBe(`posters/backups/${FIRST}`)
  expect(await place.list()).toEqual([{ name: FIRST, madeAt: day(1) }])
  expect(await objects()).toEqual([FIRST])
})

test('a backup that fails its verification is removed from the bucket', async () => {
  const keeping = keep(1, async () => await Promise.reject(new Error('not whole')))

  await expect(keeping).rejects.toThrow('not whole')
  expect(await objects()).toEqual([])
  expect(await server.unfinishedUploads()).toEqual([])
})

test.each([
  ['refuses the upload', 'POST', '?uploads', 403],
  ['is full in the middle of it', 'PUT', 'partNumber=', 507],
  ['fails while it is read back', 'GET', '/backups/', 503],
])('a bucket that %s keeps no incomplete backup, and accepts the next one', async (_what, method, part, status) => {
  await keep(1)
  server.watch((call) => {
    if (call.method === method && call.path.includes(part)) server.failWith(status)
  })
  const failing = keep(2)

  await expect(failing).rejects.toThrow('The bucket failed')
  server.watch(() => undefined)
  server.failWith(undefined)
  expect((await place.list()).map(({ name }) => name)).toEqual([FIRST])
  await place.removeUnverified()
  await keep(3)
  expect(await objects()).toEqual([FIRST, 'marquee-20270103t030000000z.tar'])
  expect(await server.unfinishedUploads()).toEqual([])
})

test('leftovers of killed processes do not count as backups, and are removed with their upload parts', async () => {
  const name = 'marquee-20270102t030000000z.tar'
  const files = bucket.largeFiles('backups')
  await writeFile(path, 'half of one')
  const [during, after] = [await files.begin(name), await files.begin(FIRST)]
  // One was killed during its upload, and one before it was verified.
  await blobs.put(`${name}.unverified`, Buffer.from(during))
  await blobs.put(`${FIRST}.unverified`, Buffer.from(after))
  await files.complete(FIRST, after, { path })
  const counted = await place.list()
  await place.removeUnverified()

  expect(counted).toEqual([])
  expect(await objects()).toEqual([])
  expect(await server.unfinishedUploads()).toEqual([])
})

test('objects of other programs do not count as backups and are not removed', async () => {
  const others = ['marquee-20270101.tar', 'marquee-of-mine.tar', 'marquee-of-mine.tar.unverified', 'notes.txt']
  for (const name of others) await blobs.put(name, Buffer.from('precious'))
  await place.removeUnverified()

  expect(await place.list()).toEqual([])
  expect(await objects()).toEqual(others)
})

test('images are not listed as backups, and backups are not listed as images', async () => {
  await bucket.store().put(FIRST, Buffer.from('an image'))
  await keep(2)
  const images: string[] = []
  for await (const { name } of bucket.store().list()) images.push(name)

  expect(images).toEqual([FIRST])
  expect((await place.list()).map(({ madeAt }) => madeAt)).toEqual([day(2)])
})

test('a fetch gets the newest backup, or the one that is named', async () => {
  for (const n of [1, 3, 2]) await keep(n)
  const to = join(folder, 'fetched')
  const newest = await fetchBackup(bucket, { name: undefined, path: to, now: day(9) })
  const content = await readFile(to, 'utf8')
  const named = await fetchBackup(bucket, { name: FIRST, path: to, now: day(9) })

  expect([newest, content]).toEqual(['marquee-20270103t030000000z.tar', 'backup 3'])
  expect([named, await readFile(to, 'utf8')]).toEqual([FIRST, 'backup 1'])
  expect(await newestBackup(place, day(2))).toEqual({ name: 'marquee-20270102t030000000z.tar', madeAt: day(2) })
})

test('a backup dated in the future is fetched only if there is no other', async () => {
  for (const n of [1, 2, 5]) await keep(n)
  const to = join(folder, 'fetched')
  const [third, first] = [day(3), new Date(day(1).getTime() - 1)]

  expect(await fetchBackup(bucket, { name: undefined, path: to, now: third })).toBe('marquee-20270102t030000000z.tar')
  expect(await fetchBackup(bucket, { name: undefined, path: to, now: first })).toBe('marquee-20270105t030000000z.tar')
})

test('an aborted attempt does not wait for the bucket, and its leftovers can be removed', async () => {
  const ending = new AbortController()
  server.watch(({ method, path: called }) => {
    if (method === 'PUT' && called.includes('partNumber=')) ending.abort()
  })
  await writeFile(path, 'half of one')
  const keeping = place.keep({ path, madeAt: day(1) }, async () => await Promise.resolve(), ending.signal)

  await expect(keeping).rejects.toThrow('abort')
  expect(await objects()).toEqual([`${FIRST}.unverified`])
  await place.removeUnverified()
  expect(await objects()).toEqual([])
})

test('an unverified backup is not fetched', async () => {
  await blobs.put(FIRST, Buffer.from('half of one'))
  await blobs.put(`${FIRST}.unverified`, Buffer.from('an upload'))
  const to = join(folder, 'fetched')

  expect(await fetchBackup(bucket, { name: FIRST, path: to, now: day(9) })).toBeUndefined()
  expect(existsSync(to)).toBe(false)
})
