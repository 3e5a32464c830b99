import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { create, extract } from 'tar'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { Card, CardsPage } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { systemRandom } from '@marquee/platform/runtime/random'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { freePort } from '@marquee/platform/testing/free-port'
import { WITHIN } from '@marquee/platform/testing/within'

import { clientOf } from '../testing/api-client.ts'
import { type Finished, operate, runMarquee } from '../testing/run-marquee.ts'
import { mountSmallDisk } from '../testing/small-disk.ts'
import { failToStart, type ServerProcess, startServer } from '../testing/server-process.ts'
import { signIn, signUp } from '../testing/sign-up.ts'

const ROOM_BYTES = 200_000
const IMAGE = `${'ab'.repeat(32)}-320.webp`

let folder: string
let dataDir: string
let file: string
let server: ServerProcess
let watchlistId: string
let before: string[]
let during: number
let made: Finished

/** An instance under write load, with a backup taken meanwhile. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-backup-'))
  dataDir = join(folder, 'data')
  file = join(folder, 'marquee.tar')
  server = await startServer({ PORT: String(await freePort()), DATA_DIR: dataDir })
  const api = clientOf(server, await signUp({ url: server.url, dataDir, name: 'ana' }))
  const { body } = await api<Watchlist>('POST', '/watchlists', { name: 'Friday films' })
  watchlistId = body.id
  await diskStore({ folder: join(dataDir, 'images'), random: systemRandom }).put(IMAGE, Buffer.from('a picture'))
  const acknowledged: string[] = []
  let isOver = false
  const keepAdding = async (writer: number): Promise<void> => {
    for (let n = 0; !isOver; n += 1) {
      const card = { title: `${writer}-${n}`, image: 'https://example.org/a.jpg', revealImmediately: true }
      acknowledged.push((await api<Card>('POST', `/watchlists/${watchlistId}/cards`, card)).body.id)
    }
  }
  const writers = [1, 2, 3, 4].map(keepAdding)
  await vi.waitFor(() => {
    if (acknowledged.length < 100) throw new Error('not under load yet')
  }, WITHIN)
  before = [...acknowledged]
  made = await runMarquee(['backup', file], { settings: { DATA_DIR: dataDir } })
  during = acknowledged.length - before.length
  isOver = true
  await Promise.all(writers)
})
afterAll(async () => {
  await server.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const restore = async (to: string, ...args: string[]) =>
  await operate(['restore', file, ...args], { DATA_DIR: join(folder, to) })

/** A copy of the backup with files changed by `change`. */
async function alteredBackup(name: string, change: (unpacked: string) => Promise<void>): Promise<string> {
  const unpacked = join(folder, `${name}-unpacked`)
  await mkdir(unpacked)
  await extract({ file, cwd: unpacked })
  await change(unpacked)
  const altered = join(folder, `${name}.tar`)
  await create({ file: altered, cwd: unpacked }, ['.'])
  return altered
}

test('a backup taken under load restores everything acknowledged before it began', async () => {
  const restored = await restore('restored')
  const second = await startServer({ PORT: String(await freePort()), DATA_DIR: join(folder, 'restored') })
  const api = clientOf(second, await signIn(second.url, 'ana'))
  const kept = new Set<string>()
  let nextToken: string | null = ''
  while (nextToken !== null) {
    const query: string = nextToken === '' ? '' : `&nextToken=${nextToken}`
    const { body }: { body: CardsPage } = await api('GET', `/watchlists/${watchlistId}/cards?limit=50${query}`)
    for (const card of body.cards) kept.add(card.id)
    nextToken = body.nextToken
  }
  await second.end('SIGTERM')
  const image = await diskStore({ folder: join(folder, 'restored', 'images'), random: systemRandom }).get(IMAGE)

  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('5 files, checked') as string })
  expect(during).toBeGreaterThan(0)
  expect(restored.code).toBe(0)
  expect(before.filter((id) => !kept.has(id))).toEqual([])
  expect(image?.toString()).toBe('a picture')
})

test('a backup file is readable by its owner only, and no other file is left behind', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).filter((name) => name.startsWith('marquee.tar.'))).toEqual([])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('.backup-'))).toEqual([])
})

test('leftovers of a killed backup are removed after a day, but those of a running one are kept', async () => {
  const [left, other] = [join(dataDir, '.backup-left'), join(dataDir, '.backup-other')]
  for (const path of [left, other]) await mkdir(path)
  const yesterday = new Date(Date.now() - 25 * 3600_000)
  await utimes(left, yesterday, yesterday)
  const { code } = await operate(['backup', join(folder, 'another.tar')], { DATA_DIR: dataDir })
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('.backup-'))
  await rm(other, { recursive: true })

  expect(code).toBe(0)
  expect(names).toEqual(['.backup-other'])
})

test('a backup that cannot be written fails with the reason and leaves nothing behind', async () => {
  const nowhere = join(folder, 'nowhere', 'marquee.tar')
  const { code, output } = await operate(['backup', nowhere], { DATA_DIR: dataDir })

  expect(code).toBe(1)
  expect(output).toContain(`No backup was made to ${nowhere}: ENOENT`)
  expect((await readdir(dataDir)).filter((name) => name.startsWith('.backup-'))).toEqual([])
})

test('a backup on a full disk fails with the reason and leaves nothing behind', async ({ skip }) => {
  const disk = await mountSmallDisk(1)
  if (!disk) return skip('This user may not mount a disk.')
  await disk.fill()
  const to = join(disk.path, 'marquee.tar')
  const { code, output } = await operate(['backup', to], { DATA_DIR: dataDir })
  const left = await readdir(disk.path)
  await disk.remove()

  expect(code).toBe(1)
  expect(output).toMatch(new RegExp(`^No backup was made to ${to}: ENOSPC`, 'u'))
  expect(left).toEqual(['filler'])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('.backup-'))).toEqual([])
})

test('verifying a backup changes nothing', async () => {
  const { code, output } = await restore('verified', '--verify')

  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('are whole') as string })
  expect(await readdir(join(folder, 'verified'))).toEqual([])
})

test('a data folder with data is replaced only with --replace, and its old files are kept', async () => {
  const used = join(folder, 'used')
  await mkdir(used, { mode: 0o700 })
  await writeFile(join(used, 'mine.txt'), 'precious')
  const [refused, replaced] = [await restore('used'), await restore('used', '--replace')]
  const running = await restore('data', '--replace')
  const names = await readdir(used)
  const aside = names.find((name) => name.startsWith('replaced-')) ?? ''

  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('is not empty (mine.txt)') as string })
  expect(replaced.code).toBe(0)
  expect(await readdir(join(used, aside))).toEqual(['mine.txt'])
  expect(names).toContain('marquee.db')
  expect(running).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^\S+ is in use by the server at port \d+ \(process \d+ on /u) as string,
  })
})

test('a restore without the master key keeps the key of the instance that it replaces', async () => {
  const [home, keyless] = [join(folder, 'with-key'), join(folder, 'keyless.tar')]
  await restore('with-key')
  const key = await readFile(join(home, 'keys', 'master.key'), 'utf8')
  await operate(['backup', keyless, '--without-key'], { DATA_DIR: home })
  const { code } = await operate(['restore', keyless, '--replace'], { DATA_DIR: home })
  const aside = (await readdir(home)).find((name) => name.startsWith('replaced-')) ?? ''

  expect(code).toBe(0)
  expect(await readFile(join(home, 'keys', 'master.key'), 'utf8')).toBe(key)
  expect(await readFile(join(home, aside, 'keys', 'master.key'), 'utf8')).toBe(key)
})

test.each([
  [
    'an image was altered',
    async (unpacked: string) => {
      await appendFile(join(unpacked, 'images', 'ab', IMAGE), '!')
    },
    'is not what was put into it',
  ],
  [
    'the database is missing',
    async (unpacked: string) => {
      await rm(join(unpacked, 'marquee.db'))
    },
    'marquee.db is missing in the backup',
  ],
  [
    'it is something else',
    async (unpacked: string) => {
      await rm(join(unpacked, 'manifest.json'))
    },
    'This is not a backup of Marquee',
  ],
  [
    'a table lacks rows',
    async (unpacked: string) => {
      const manifest = join(unpacked, 'manifest.json')
      await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(/"watchlist": 1\b/u, '"watchlist": 2'))
    },
    'watchlist in the backup has 1 rows, and had 2.',
  ],
])('a backup in which %s is rejected, and nothing is restored', async (what, change, sentence) => {
  const altered = await alteredBackup(what.replaceAll(' ', '-'), change)
  const target = join(folder, `from-${what.replaceAll(' ', '-')}`)
  const { code, output } = await operate(['restore', altered], { DATA_DIR: target })

  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(sentence) as string })
  expect(await readdir(target)).toEqual(['.lock'])
})

test('a backup is rejected if the master key cannot decrypt it', async () => {
  const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
  const settings = { DATA_DIR: join(folder, 'other-key'), MASTER_KEY }
  const { code, output } = await operate(['restore', file], settings)

  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('The keys do not fit') as string })
})

test('a failed migration changes nothing and leaves a checked backup', async () => {
  const home = join(folder, 'upgraded')
  await mkdir(home, { mode: 0o700 })
  await operate(['restore', file, '--replace'], { DATA_DIR: home })
  const path = join(home, 'marquee.db')
  // A schema in which the next migration fails, because its table exists already.
  const database = new DatabaseSync(path)
  database.exec(`delete from product_migration where name >= '0005_image_holds'`)
  const dump = (opened: DatabaseSync) =>
    opened
      .prepare('select name, sql from sqlite_master order by name')
      .all()
      .map((row) => ({ ...row }))
  const schema = dump(database)
  database.close()
  await copyFile(path, join(folder, 'original.db'))
  const { code, output } = await failToStart({ PORT: String(await freePort()), DATA_DIR: home })
  const after = new DatabaseSync(path)
  const [schemaAfter, done] = [dump(after), after.prepare('select name from product_migration').all().length]
  after.close()
  const [saved = ''] = await readdir(join(home, 'backups'))
  const copy = new DatabaseSync(join(home, 'backups', saved))
  const verdict = copy.prepare('pragma integrity_check').get()
  copy.close()

  expect(code).toBe(1)
  expect(output).toContain(
    'The database could not be brought up to date: table "image_hold" already exists (in product 0005_image_holds). ' +
      'Nothing in it was changed. Remove the cause and start again, or go on with the version that ran before.\n',
  )
  expect(schemaAfter).toEqual(schema)
  expect(done).toBe(4)
  expect(saved).toMatch(/^before-migration-.+\.db$/u)
  expect(verdict).toEqual({ integrity_check: 'ok' })
})

test('an upgrade without space for its backup changes nothing and leaves no partial backup', async ({ skip }) => {
  const disk = await mountSmallDisk(8)
  if (!disk) return skip('This user may not mount a disk.')
  const home = join(disk.path, 'home')
  await mkdir(home, { mode: 0o700 })
  await operate(['restore', file], { DATA_DIR: home })
  const database = new DatabaseSync(join(home, 'marquee.db'))
  database.exec(`delete from product_migration where name >= '0005_image_holds'`)
  database.close()
  await disk.fill()
  // Enough space to open the database, but not to copy it.
  const filler = join(disk.path, 'filler')
  await truncate(filler, (await stat(filler)).size - ROOM_BYTES)
  const { code, output } = await failToStart({ PORT: String(await freePort()), DATA_DIR: home })
  await disk.free()
  const left = await readdir(join(home, 'backups')).catch(() => [])
  const after = new DatabaseSync(join(home, 'marquee.db'))
  const verdict = after.prepare('pragma integrity_check').get()
  after.close()
  await disk.remove()

  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(
      new RegExp(
        `^The upgrade of the database needs \\d+ MB of free space in ${home}, and there are 0 MB\\. Nothing was changed\\. ` +
          'Make room and start again, or go on with the version that ran before\\.\n$',
        'u',
      ),
    ) as string,
  })
  expect(left).toEqual([])
  expect(verdict).toEqual({ integrity_check: 'ok' })
})
