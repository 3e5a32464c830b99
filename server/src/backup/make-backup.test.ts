import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { create, extract } from 'tar'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'

import { systemRandom } from '@marquee/platform/runtime/random'

import { mountSmallDisk } from '../testing/small-disk.ts'
import { copyAndCount } from './database-store.ts'
import { draftOf, folderOf, removeDrafts } from './folder-place.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup, verifyBackup } from './restore-backup.ts'

const NOW = new Date('2027-01-01T03:00:00.000Z')
const world = { now: NOW, random: systemRandom }

let dataDir: string
let file: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marquee-make-backup-'))
  file = join(dataDir, 'made.tar')
  new DatabaseSync(join(dataDir, 'marquee.db')).exec('create table card (image text)')
  for (const name of ['images/ab', 'trash/ab', 'keys', 'backups']) await mkdir(join(dataDir, name), { recursive: true })
  await writeFile(join(dataDir, 'images', 'ab', 'old.webp'), 'an old picture')
})
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

const instance = (whileCopied: () => Promise<void>) => ({
  dataDir,
  hasImages: true,
  keyFile: undefined,
  copyDatabase: async (to: string) => {
    const rows = await copyAndCount(join(dataDir, 'marquee.db'), to)
    await whileCopied()
    return rows
  },
})
const nothing = async () => await Promise.resolve()

test('a backup has the images from before and after the copy of the database', async () => {
  const manifest = await makeBackup(
    instance(async () => {
      // A sweep after a card got another picture.
      await rename(join(dataDir, 'images', 'ab', 'old.webp'), join(dataDir, 'trash', 'ab', 'old.webp'))
      await writeFile(join(dataDir, 'images', 'ab', 'new.webp'), 'a new picture')
    }),
    file,
    world,
  )

  expect(Object.keys(manifest.files).toSorted()).toEqual(['images/ab/new.webp', 'images/ab/old.webp', 'marquee.db'])
})

test('removing drafts removes the unfinished backup of a schedule, but not that of a command', async () => {
  const draft = draftOf(dataDir, NOW)
  let during: string[] = []
  const begin = instance(async () => {
    during = (await readdir(dataDir)).filter((name) => name.startsWith('.'))
    await removeDrafts(dataDir)
  })
  const making = makeBackup(begin, draft, world)

  await expect(making).rejects.toThrow('The database in the backup cannot be read')
  expect(during).toEqual([expect.stringMatching(/^\.scheduled-/u)])
  const { files } = await makeBackup(begin, file, world)
  expect(during).toEqual([expect.stringMatching(/^\.backup-/u)])
  expect(Object.keys(files).toSorted()).toEqual(['images/ab/old.webp', 'marquee.db'])
  expect(await readdir(folderOf(dataDir))).toEqual([])
})

test('verifying a backup unpacks no image, and detects an altered one', async () => {
  await makeBackup(instance(nothing), file, world)
  const altered = join(dataDir, 'altered.tar')
  const folder = join(dataDir, 'unpacked')
  await mkdir(folder)
  await extract({ file, cwd: folder })
  await writeFile(join(folder, 'images', 'ab', 'old.webp'), 'an OLD picture')
  await create({ file: altered, cwd: folder }, ['.'])
  let unpacked: string[] = []
  const check = async (at: string) => {
    unpacked = await readdir(at, { recursive: true })
  }
  const { files } = await verifyBackup(file, dataDir, { check, now: NOW })

  expect(Object.keys(files).toSorted()).toEqual(['images/ab/old.webp', 'marquee.db'])
  expect(unpacked.toSorted()).toEqual(['keys', 'manifest.json', 'marquee.db'])
  await expect(verifyBackup(altered, dataDir, { check, now: NOW })).rejects.toThrow(
    'images/ab/old.webp in the backup is not what was put into it.',
  )
})

test('a backup that does not fit on the disk is refused with the needed and free space before it is unpacked', async ({
  skip,
}) => {
  const disk = await mountSmallDisk(2)
  if (!disk) return skip('This user may not mount a disk.')
  onTestFinished(disk.remove)
  await writeFile(join(dataDir, 'images', 'ab', 'large.webp'), Buffer.alloc(3_000_000))
  await makeBackup(instance(nothing), file, world)
  let seen = 0
  const check = async () => {
    seen += 1
    await Promise.resolve()
  }
  const options = { check, now: NOW, replace: false }

  await expect(restoreBackup(file, join(disk.path, 'home'), options)).rejects.toThrow(
    `The backup needs 4 MB of free space in ${disk.path}/home, and there are 2 MB. Nothing was changed.`,
  )
  expect(seen).toBe(0)
  expect(await readdir(join(disk.path, 'home'))).toEqual([])
  // Its images stay in the file.
  await verifyBackup(file, join(disk.path, 'home'), options)
  expect(seen).toBe(1)
})
