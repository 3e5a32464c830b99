import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { systemRandom } from '../runtime/random.ts'
import type { BlobEntry, BlobStore } from './blob-store.ts'
import { diskStore } from './disk-store.ts'

let folder: string
let store: BlobStore

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-blobs-'))
  store = diskStore({ folder: join(folder, 'images'), random: systemRandom })
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('a blob is read back byte for byte', async () => {
  const bytes = systemRandom.bytes(100_000)

  await store.put('abc-320.webp', bytes)

  expect(await store.get('abc-320.webp')).toEqual(bytes)
  expect(await store.has('abc-320.webp')).toBe(true)
})

test('concurrent puts of a blob leave the content of one of them', async () => {
  const contents = Array.from({ length: 20 }, (_, index) => Buffer.alloc(10_000, index))

  await Promise.all(contents.map(async (content) => await store.put('again', content)))

  const kept = await store.get('again')
  expect(contents.some((content) => kept?.equals(content))).toBe(true)
  expect((await readdir(join(folder, 'images'))).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a missing or deleted blob reads as undefined', async () => {
  await store.put('gone', Buffer.from('x'))

  await store.delete('gone')
  await store.delete('never')

  expect(await store.get('gone')).toBeUndefined()
  expect(await store.has('never')).toBe(false)
})

async function listed(blobs: BlobStore): Promise<BlobEntry[]> {
  const entries: BlobEntry[] = []
  for await (const entry of blobs.list()) entries.push(entry)
  return entries
}

test('every blob is listed with the time of its last put, and partial files are not listed', async () => {
  const empty = diskStore({ folder: join(folder, 'nothing-yet'), random: systemRandom })
  const other = diskStore({ folder: join(folder, 'listed'), random: systemRandom })
  const before = Date.now() - 1_000
  for (const name of ['ab-1', 'ab-2', 'cd-1', 'gone']) await other.put(name, Buffer.from(name))
  await writeFile(join(folder, 'listed', '.draft'), 'half')
  await utimes(join(folder, 'listed', 'cd', 'cd-1'), new Date(0), new Date(0))
  await other.delete('gone')

  const blobs = await listed(other)

  expect(blobs.map(({ name }) => name).toSorted()).toEqual(['ab-1', 'ab-2', 'cd-1'])
  expect(blobs.find(({ name }) => name === 'cd-1')?.putAt).toEqual(new Date(0))
  expect(blobs.find(({ name }) => name === 'ab-1')?.putAt.getTime()).toBeGreaterThan(before)
  expect(await listed(empty)).toEqual([])
})

// Evidence: asvs-5.3.2
test.each(['../secret', 'a/b', '.hidden', '', 'a\0b', 'ÄÖ', 'x'.repeat(201)])(
  'the name %j is rejected before any file access',
  async (name) => {
    await expect(store.get(name)).rejects.toThrow(TypeError)
    await expect(store.put(name, Buffer.from('x'))).rejects.toThrow(TypeError)
  },
)
