import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { backUpBeforeMigration } from './before-migration.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marquee-upgrades-'))
})
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

/** Records in the database that a migration has run. */
function migrateTo(name: string): void {
  const database = new DatabaseSync(join(dataDir, 'marquee.db'))
  database.exec('pragma journal_mode = wal; create table if not exists product_migration (name text)')
  database.prepare('insert into product_migration values (?)').run(name)
  database.close()
}

const backUp = async (day: number): Promise<void> => {
  await backUpBeforeMigration(dataDir, new Date(Date.UTC(2027, 0, day)))
}
const kept = async (): Promise<string[]> => (await readdir(join(dataDir, 'backups'))).toSorted()

test('the backups of the last three upgrades are kept', async () => {
  for (const day of [1, 2, 3, 4]) {
    migrateTo(`000${day}`)
    await backUp(day)
  }

  expect(await kept()).toEqual([
    'before-migration-20270102T000000000Z.db',
    'before-migration-20270103T000000000Z.db',
    'before-migration-20270104T000000000Z.db',
  ])
})

test('repeated attempts at one upgrade keep one backup for it, and the backups of earlier upgrades', async () => {
  for (const day of [1, 2, 3]) {
    migrateTo(`000${day}`)
    await backUp(day)
  }

  for (const day of [4, 5, 6]) await backUp(day)

  expect(await kept()).toEqual([
    'before-migration-20270101T000000000Z.db',
    'before-migration-20270102T000000000Z.db',
    'before-migration-20270106T000000000Z.db',
  ])
})

test('a backup is a single file, and leftover files of an earlier upgrade are removed', async () => {
  migrateTo('0001')
  await backUp(1)
  const backups = join(dataDir, 'backups')
  for (const ending of ['shm', 'wal']) {
    await writeFile(join(backups, `before-migration-20270101T000000000Z.db.part-${ending}`), '')
  }

  migrateTo('0002')
  await backUp(2)

  const names = ['before-migration-20270101T000000000Z.db', 'before-migration-20270102T000000000Z.db']
  expect(await kept()).toEqual(names)
  const modes = names.map((name) => {
    const database = new DatabaseSync(join(backups, name))
    const mode = database.prepare('pragma journal_mode').get()
    database.close()
    return mode
  })
  expect(modes).toEqual([{ journal_mode: 'delete' }, { journal_mode: 'delete' }])
})
