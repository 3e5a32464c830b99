import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { openSqlite } from '@marquee/platform/database/sqlite'

import { makeTables } from '../migrations/make-tables.ts'
import { readServerSettings, type Settings } from '../settings/settings.ts'
import { Misuse } from './command.ts'
import { images } from './images.ts'

let folder: string
let settings: Settings

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-images-'))
  settings = readServerSettings({ DATA_DIR: folder, LOG_LEVEL: 'silent' })
  const database = openSqlite(join(folder, 'marquee.db'))
  await makeTables(database)
  await database.close()
  await mkdir(join(folder, 'images', '00'), { recursive: true })
  const past = new Date('2026-01-01')
  for (let n = 0; n < 21; n += 1) {
    const path = join(folder, 'images', '00', `${n.toString(16).padStart(64, '0')}-640.webp`)
    await writeFile(path, 'x')
    await utimes(path, past, past)
  }
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const filesIn = async (part: string) =>
  (await readdir(join(folder, part), { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.webp'))
    .length

test('a sweep of too many images is rejected, and --all moves them to the trash', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)

  const refusal = images.run(['sweep'], settings)
  await expect(refusal).rejects.toThrow('21 images are unused')
  const before = [await filesIn('images'), await filesIn('trash')]
  await images.run(['sweep', '--all'], settings)

  expect(before).toEqual([21, 0])
  expect([await filesIn('images'), await filesIn('trash')]).toEqual([0, 21])
  expect(printed.mock.calls).toEqual([['Images moved to the trash: 21, restored from it: 0, deleted from it: 0.']])
  printed.mockRestore()
})

test.each([[[]], [['empty']], [['sweep', '--every']], [['sweep', '--all', 'more']]])(
  'the arguments %j are refused',
  async (args) => {
    await expect(images.run(args, settings)).rejects.toThrow(Misuse)
  },
)
