import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { identityMigrations } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { migrate } from '@marquee/platform/database/migrate'
import { openSqlite } from '@marquee/platform/database/sqlite'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { imageNameKey, readMasterKeys } from './master-keys.ts'
import { readServerSettings } from './settings/settings.ts'

let folder: string
let database: Database<unknown>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-keys-'))
  database = openSqlite(join(folder, 'new.db'))
  await migrate(database, 'identity', identityMigrations)
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const aKey = () => randomBytes(32)
const base64 = (key: Buffer) => key.toString('base64')

// Evidence: asvs-13.3.2
test('the first start creates a key file that only its owner can read, and later starts use it', async () => {
  const settings = readServerSettings({ DATA_DIR: folder })

  const { current, previous } = await readMasterKeys(settings, database)

  const path = join(folder, 'keys', 'master.key')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readFile(path, 'utf8')).toBe(`${base64(current)}\n`)
  expect(previous).toEqual([])
  expect((await readMasterKeys(settings, database)).current).toEqual(current)
})

// Evidence: asvs-13.3.2
test.each([
  ['that the group may read', base64(aKey()), 0o640, 'may be read by others: allow only its owner (chmod 600)'],
  ['that all may read', '', 0o644, 'may be read by others: allow only its owner (chmod 600)'],
  ['without a key', '', 0o600, 'is empty'],
  ['with something else', 'not a key', 0o600, 'does not hold a 32-byte key in base64 on each line'],
])('a key file %s prevents the start', async (what, content, mode, reason) => {
  const path = join(folder, what)
  await writeFile(path, content)
  await chmod(path, mode)

  await expect(readMasterKeys(readServerSettings({ MASTER_KEY_FILE: path }), database)).rejects.toEqual(
    new Refusal(`The key file ${path} ${reason}.`),
  )
})

test('a key file that is a folder prevents the start', async () => {
  const path = join(folder, 'a-folder')
  await mkdir(path, { mode: 0o700 })

  await expect(readMasterKeys(readServerSettings({ MASTER_KEY_FILE: path }), database)).rejects.toThrow(
    new Refusal(`The key file ${path} cannot be read (EISDIR).`),
  )
})

test('the first line of the key file is the current key; other lines and the setting are earlier keys', async () => {
  const [newest, older, oldest] = [aKey(), aKey(), aKey()]
  const path = join(folder, 'two.key')
  await writeFile(path, `${base64(newest)}\n${base64(older)}\n`, { mode: 0o600 })
  const settings = readServerSettings({ MASTER_KEY_FILE: path, MASTER_KEYS_PREVIOUS: base64(oldest) })

  expect(await readMasterKeys(settings, database)).toEqual({ current: newest, previous: [older, oldest] })
})

test('a key in a setting needs no file, and an invalid one is rejected', async () => {
  const key = aKey()

  expect(await readMasterKeys(readServerSettings({ MASTER_KEY: base64(key) }), database)).toEqual({
    current: key,
    previous: [],
  })
  expect(() => readServerSettings({ MASTER_KEY: 'short' })).toThrow('MASTER_KEY: Must be 32 bytes in base64')
})

test('the key for image names is derived from the master key', () => {
  const [key, other] = [aKey(), aKey()]
  const of = (masterKey: Buffer) => imageNameKey(masterKey).export()

  expect(of(key)).toEqual(of(Buffer.from(key)))
  expect(of(key)).not.toEqual(of(other))
  expect(of(key)).not.toEqual(key)
})
