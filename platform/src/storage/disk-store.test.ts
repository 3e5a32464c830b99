import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { systemRandom } from '../runtime/random.ts'
import type { BlobStore } from './blob-store.ts'
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

test('what was put under a name is read back byte for byte', async () => {
  const bytes = systemRandom.bytes(100_000)

  await store.put('abc-320.webp', bytes)

  expect(await store.get('abc-320.webp')).toEqual(bytes)
  expect(await store.has('abc-320.webp')).toBe(true)
})

test('putting again replaces the content, also when both happen at once', async () => {
  const contents = Array.from({ length: 20 }, (_, index) => Buffer.alloc(10_000, index))

  await Promise.all(contents.map(async (content) => await store.put('again', content)))

  const kept = await store.get('again')
  expect(contents.some((content) => kept?.equals(content))).toBe(true)
  expect((await readdir(join(folder, 'images'))).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a name that was never put, or was deleted, gives nothing', async () => {
  await store.put('gone', Buffer.from('x'))

  await store.delete('gone')
  await store.delete('never')

  expect(await store.get('gone')).toBeUndefined()
  expect(await store.has('never')).toBe(false)
})

test.each(['../secret', 'a/b', '.hidden', '', 'a\0b', 'ÄÖ', 'x'.repeat(201)])(
  'the name %j is refused before any file is touched',
  async (name) => {
    await expect(store.get(name)).rejects.toThrow(TypeError)
    await expect(store.put(name, Buffer.from('x'))).rejects.toThrow(TypeError)
  },
)
