import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { systemRandom } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../migrations/index.ts'
import { confirmInstallation, refuseLostDatabase, makeOneInstallation } from './installation.ts'

const ID = /^[0-9a-f-]{36}$/u

let dataDir: string
let blobs: BlobStore
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marquee-installation-'))
  blobs = diskStore({ folder: join(dataDir, 'images'), random: systemRandom })
})
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

const idOfKeys = async (): Promise<string> => (await readFile(join(dataDir, 'keys', 'installation-id'), 'utf8')).trim()
const idOfImages = async (): Promise<string | undefined> => (await blobs.get('installation-id'))?.toString()
const writeIdOfKeys = async (id: string): Promise<void> => {
  await mkdir(join(dataDir, 'keys'), { recursive: true })
  await writeFile(join(dataDir, 'keys', 'installation-id'), `${id}\n`)
}

eachDatabase({ product: productMigrations }, (theDatabase) => {
  beforeEach(async () => {
    await sql`delete from installation`.execute(theDatabase().schema)
  })

  test('processes that start together on a new installation give database, keys and images the same id', async () => {
    const places = { dataDir, blobs }
    await Promise.all([1, 2, 3].map(async () => await confirmInstallation(theDatabase(), places)))
    await confirmInstallation(theDatabase(), places)

    const { rows } = await sql`select id from installation`.execute(theDatabase().read)
    expect(await idOfKeys()).toMatch(ID)
    expect(rows).toEqual([{ id: await idOfKeys() }])
    expect(await idOfImages()).toBe(await idOfKeys())
  })

  test('a process that starts while another finishes the first start finds its images', async () => {
    const places = { dataDir, blobs }
    const slow: BlobStore = {
      ...blobs,
      get: async (name) => {
        const before = await blobs.get(name)
        await confirmInstallation(theDatabase(), places)
        return before
      },
    }

    await confirmInstallation(theDatabase(), { dataDir, blobs: slow })

    expect(await idOfImages()).toBe(await idOfKeys())
  })

  test('a restored database without an id gets the id of its keys', async () => {
    await writeIdOfKeys('the-first')

    await confirmInstallation(theDatabase(), { dataDir, blobs })

    const { rows } = await sql`select id from installation`.execute(theDatabase().read)
    expect(rows).toEqual([{ id: 'the-first' }])
    expect(await idOfImages()).toBe('the-first')
  })

  test('keys of another installation are rejected until the operator resets the id', async () => {
    const places = { dataDir, blobs }
    await confirmInstallation(theDatabase(), places)
    const own = await idOfKeys()
    await writeIdOfKeys('of-another')

    await expect(confirmInstallation(theDatabase(), places)).rejects.toThrow(
      `${join(dataDir, 'keys')} belongs to installation of-another, and the database to installation ${own}. ` +
        'Correct DATA_DIR, DATABASE_URL and S3_BUCKET, or restore backups that belong together. ' +
        'If they do belong together from now on: npm run marquee -- reset-installation-id',
    )
    await makeOneInstallation(theDatabase(), places)
    await confirmInstallation(theDatabase(), places)

    expect(await idOfKeys()).toBe(own)
  })

  test('images of another installation are rejected, and the database gets no id', async () => {
    await writeIdOfKeys('of-keys')
    await blobs.put('installation-id', Buffer.from('of-images'))

    await expect(confirmInstallation(theDatabase(), { dataDir, blobs })).rejects.toThrow(
      'the image store belongs to installation of-images',
    )

    const { rows } = await sql`select id from installation`.execute(theDatabase().read)
    expect(rows).toEqual([])
  })
})

const EMBEDDED = { DATABASE_URL: undefined }

test('an empty database is accepted without keys and images', async () => {
  await expect(refuseLostDatabase({ ...EMBEDDED, DATA_DIR: dataDir }, { dataDir, blobs })).resolves.toBeUndefined()
})

test('an empty database is rejected if there are keys of an installation', async () => {
  await mkdir(join(dataDir, 'keys'))
  await writeFile(join(dataDir, 'keys', 'master.key'), 'A key')

  await expect(refuseLostDatabase({ ...EMBEDDED, DATA_DIR: dataDir }, { dataDir, blobs })).rejects.toThrow(
    `${join(dataDir, 'marquee.db')} is empty or missing, but ${join(dataDir, 'keys')} belongs to an installation. ` +
      'Restore the database from a backup, or correct DATA_DIR, DATABASE_URL and S3_BUCKET. ' +
      'To start with an empty database on purpose: npm run marquee -- reset-installation-id',
  )
})

test('an empty database is rejected if there are images, without printing its password', async () => {
  await blobs.put('aa-image', Buffer.from('A picture'))
  const settings = { DATABASE_URL: 'postgres://marquee:secret@db.example.org/marquee', DATA_DIR: dataDir }

  await expect(refuseLostDatabase(settings, { dataDir, blobs })).rejects.toThrow(
    'The database at postgres://marquee@db.example.org/marquee is empty or missing, but the image store belongs to an installation.',
  )
})
