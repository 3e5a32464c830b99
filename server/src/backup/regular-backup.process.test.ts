import { cp, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

import { HOUR_MS } from '@marquee/platform/runtime/durations'
import { createLogger } from '@marquee/platform/runtime/logger'
import { freePort } from '@marquee/platform/testing/free-port'
import { WITHIN } from '@marquee/platform/testing/within'

import { movableClock } from '../testing/movable-clock.ts'
import { operate } from '../testing/run-marquee.ts'
import { COMPILED, startServer } from '../testing/server-process.ts'
import { signUp } from '../testing/sign-up.ts'
import { mountSmallDisk } from '../testing/small-disk.ts'
import { draftOf, folderPlace } from './folder-place.ts'
import { newestBackup } from './kept-backups.ts'
import { type BackupSchedule, backUp as backUpTo } from './regular-backup.ts'

const ports = { clock: movableClock(), logger: createLogger('silent') }
const NEVER = new AbortController().signal
const NAME = /^marquee-\d{8}T\d{9}Z\.tar$/u
/** By their names these are backups of an earlier time. What is in them does not matter to those that are made later. */
const [OLDEST, OLD] = ['marquee-20010101T000000000Z.tar', 'marquee-20010102T000000000Z.tar']
/** Of a clock that was ahead. */
const AHEAD = 'marquee-29990101T000000000Z.tar'

let folder: string
let dataDir: string
let metrics: string
let output: string

/** A server with a schedule, until its first backup is verified. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-schedule-'))
  dataDir = join(folder, 'data')
  await mkdir(join(dataDir, 'backups'), { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, 'backups', 'marquee-20270101T000000000Z.tar.unverified'), 'half of one')
  await mkdir(join(dataDir, '.scheduled-killed'))
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())]
  const settings = { PORT, METRICS_PORT, DATA_DIR: dataDir, BACKUP_EVERY: '1d', LOG_LEVEL: 'info' }
  const server = await startServer(settings)
  await signUp({ url: server.url, dataDir, name: 'ana' })
  await vi.waitFor(async () => {
    metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
    if (!/^backup_age_seconds \d/mu.test(metrics)) throw new Error('no backup yet')
  }, WITHIN)
  await server.end('SIGTERM')
  output = server.output()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const backUp = async (schedule: BackupSchedule, signal: AbortSignal) => {
  await backUpTo({ ...ports, place: folderPlace(schedule.dataDir) }, schedule, signal)
}

async function kept(home = dataDir): Promise<string[]> {
  return (await readdir(join(home, 'backups'))).toSorted()
}

/** A copy of the data folder with only these backups, which the commands take from the environment. */
async function aCopy({ to = '', backups = [] }: { to?: string; backups?: readonly string[] } = {}): Promise<string> {
  const copy = to === '' ? await mkdtemp(join(folder, 'copy-')) : to
  await cp(dataDir, copy, { recursive: true })
  await rm(join(copy, 'backups'), { recursive: true })
  await mkdir(join(copy, 'backups'))
  for (const name of backups) await writeFile(join(copy, 'backups', name), 'precious')
  vi.stubEnv('DATA_DIR', copy)
  // Halves the time of their start.
  vi.stubEnv('NODE_COMPILE_CACHE', COMPILED.NODE_COMPILE_CACHE)
  return copy
}

test('a scheduled backup can be restored, and the metrics report its age', async () => {
  const [name = ''] = await kept()
  const restored = await operate(['restore', join(dataDir, 'backups', name)], { DATA_DIR: join(folder, 'restored') })
  const [, age] = /^backup_age_seconds (\S+)$/mu.exec(metrics) ?? []

  expect(name).toMatch(NAME)
  expect(restored).toMatchObject({ code: 0 })
  expect(Number(age)).toBeGreaterThanOrEqual(0)
  expect(output).toContain('a backup was made and verified')
})

test('leftovers of a killed attempt are removed and do not count as backups', async () => {
  expect((await kept()).filter((name) => name.includes('unverified'))).toEqual([])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('.scheduled-'))).toEqual([])
})

test('a scheduled backup is readable by its owner only', async () => {
  const [name = ''] = await kept()

  expect((await stat(join(dataDir, 'backups', name))).mode & 0o777).toBe(0o600)
})

test('the oldest backups and those dated in the future are removed, but no other files', async () => {
  const others = ['before-migration-20270101T000000000Z.db', 'marquee-of-mine.tar', 'marquee-20270101.tar']
  const home = await aCopy({ backups: [AHEAD, OLDEST, OLD, ...others] })
  await backUp({ dataDir: home, everyMs: HOUR_MS, keep: 2 }, NEVER)
  const made = (await kept(home)).filter((name) => NAME.test(name) && name !== OLD)

  expect(made).toEqual([expect.not.stringMatching(new RegExp(`${OLDEST}|${AHEAD}`, 'u'))])
  expect(await kept(home)).toEqual([OLD, ...made, ...others].toSorted())
})

test('a backup that fails its verification does not count, and older ones are kept', async () => {
  const home = await aCopy({ backups: [OLDEST, OLD] })
  // With another key than the one that encrypted the database.
  vi.stubEnv('MASTER_KEY', Buffer.alloc(32, 7).toString('base64'))
  const attempt = backUp({ dataDir: home, everyMs: HOUR_MS, keep: 1 }, NEVER)

  await expect(attempt).rejects.toThrow('The keys do not fit')
  expect(await kept(home)).toEqual([OLDEST, OLD])
})

test('a backup on a full disk fails with the reason, and older ones are kept', async ({ skip }) => {
  const disk = await mountSmallDisk(32)
  if (!disk) return skip('This user may not mount a disk.')
  onTestFinished(disk.remove)
  const home = await aCopy({ to: join(disk.path, 'home'), backups: [OLDEST, OLD] })
  await disk.fill()
  // Enough to begin with.
  const filler = join(disk.path, 'filler')
  await truncate(filler, (await stat(filler)).size - 300_000)
  const attempt = backUp({ dataDir: home, everyMs: HOUR_MS, keep: 1 }, NEVER)

  await expect(attempt).rejects.toThrow(/No backup was made|full/u)
  expect(await kept(home)).toEqual([OLDEST, OLD])
})

test('a backup whose server was killed before the verification does not count, and the next start makes one', async () => {
  const home = await aCopy()
  const unverified = draftOf(home, ports.clock.now())
  const whole = await operate(['backup', unverified], { DATA_DIR: home })
  const counted = await newestBackup(folderPlace(home), ports.clock.now())
  const server = await startServer({
    PORT: String(await freePort()),
    DATA_DIR: home,
    BACKUP_EVERY: '1d',
    LOG_LEVEL: 'info',
  })
  await vi.waitFor(() => {
    if (!server.output().includes('a backup was made and verified')) throw new Error('no backup yet')
  }, WITHIN)
  await server.end('SIGTERM')

  expect(whole.code).toBe(0)
  expect(counted).toBeUndefined()
  expect(await kept(home)).toEqual([expect.stringMatching(NAME)])
})

test('an aborted attempt leaves no backup', async () => {
  const home = await aCopy()
  const ending = new AbortController()
  const attempt = backUp({ dataDir: home, everyMs: HOUR_MS, keep: 1 }, ending.signal)
  ending.abort()

  await expect(attempt).rejects.toThrow('aborted')
  expect(await kept(home)).toEqual([])
})
