import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { openDataDir } from './data-dir.ts'

const NOBODY = 65_534

let parent: string
let dataDir: string
let printed: string[]
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'marquee-data-'))
  dataDir = join(parent, 'data')
  printed = []
})
afterEach(async () => {
  await rm(parent, { recursive: true, force: true })
})

const open = async (): Promise<void> => {
  await openDataDir(dataDir, (text) => printed.push(text))
}
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8)

// Evidence: asvs-13.3.2
test('a new data folder is open to its owner only, and nothing is printed', async () => {
  await open()

  expect(await modeOf(dataDir)).toBe('700')
  expect(printed).toEqual([])
})

test('an existing data folder is closed to other users, and a message says so', async () => {
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'marquee.db'), '')
  await chmod(dataDir, 0o755)

  await open()
  await open()

  expect(await modeOf(dataDir)).toBe('700')
  expect(printed).toEqual([`Other users could open ${dataDir}: its mode was 0755 and is now 0700.`])
})

test('an open folder with other files is rejected and keeps its mode', async () => {
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'letter.txt'), '')
  await chmod(dataDir, 0o755)

  await expect(open()).rejects.toThrow("it holds files that are not Marquee's")
  expect(await modeOf(dataDir)).toBe('755')
})

test.runIf(process.getuid?.() === 0)('an open folder of another user is rejected with instructions', async () => {
  await mkdir(dataDir)
  await chmod(dataDir, 0o755)
  await chmod(parent, 0o755)
  process.seteuid?.(NOBODY)
  try {
    await expect(open()).rejects.toThrow(
      `Other users may open ${dataDir} (mode 0755), and this user may not change that. Close it to others (chown, chmod 700), or name another folder as DATA_DIR.`,
    )
  } finally {
    process.seteuid?.(0)
  }
  expect(await modeOf(dataDir)).toBe('755')
})
