import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { readOrCreateKeys } from './key-file.ts'
import { systemRandom } from './random.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-key-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

test('a process that finds no key just before another creates one uses the key of the other', async () => {
  const path = join(folder, 'keys', 'master.key')
  const ofTheOther: Buffer[] = []

  const { current } = await readOrCreateKeys(path, {
    random: systemRandom,
    mayMake: async () => {
      const other = await readOrCreateKeys(path, { random: systemRandom, mayMake: async () => true })
      ofTheOther.push(other.current)
      return false
    },
  })

  expect([current]).toEqual(ofTheOther)
})

test('a missing key file prevents the start once data is encrypted, instead of being created again', async () => {
  const path = join(folder, 'keys', 'master.key')

  const started = readOrCreateKeys(path, { random: systemRandom, mayMake: async () => false })

  await expect(started).rejects.toThrow(`There is no key file ${path}`)
})
