import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'
import { diskStore } from '@marquee/platform/storage/disk-store'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { callOk } from '../../../testing/call.ts'
import { aUser } from '../../../testing/make.ts'
import { startApp } from '../../../testing/start-app.ts'
import { startRegularSweep } from './regular-sweep.ts'

eachStatement({ product: productMigrations }, (theDatabase) => {
  const aWhile = async (): Promise<void> => {
    for (let n = 0; n < 50; n += 1) await theDatabase().transaction(async () => undefined)
  }

  test('a running app removes unused images by itself until it is closed', async () => {
    let hours = 0
    let sweeps = 0
    const clock = { now: () => new Date(Date.now() + hours * 3_600_000) }
    const folder = await mkdtemp(join(tmpdir(), 'marquee-sweep-'))
    const images = diskStore({ folder, random: systemRandom })
    const list: BlobStore['list'] = (...given) => {
      sweeps += 1
      return images.list(...given)
    }
    const imageSweep = { firstMs: 1, everyMs: 1, graceMs: 0 }
    const app = await startApp(theDatabase(), { clock, blobs: { ...images, list }, imageSweep })
    const user = aUser()
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'navy' } })
      .png()
      .toBuffer()
    const body = { imageData: `data:image/png;base64,${bytes.toString('base64')}` }
    const { avatarUrl } = await callOk(app, ENDPOINTS.uploadAvatar, user, { body })
    const isServed = async () => (await app.app.inject({ url: avatarUrl ?? '' })).statusCode === 200
    const before = await isServed()

    await callOk(app, ENDPOINTS.deleteAvatar, user)
    hours = 2

    await vi.waitUntil(async () => !(await isServed()), { timeout: 30_000, interval: 10 })
    const sweptWith = sweeps
    await vi.waitUntil(() => sweeps > sweptWith, { timeout: 30_000, interval: 10 })
    await app.stop()
    const atStop = sweeps
    await aWhile()
    await rm(folder, { recursive: true, force: true })
    expect(before).toBe(true)
    expect(sweeps).toBe(atStop)
    expect(app.logged()).toBe('')
  })

  test('a sweep that finds too many unused images removes none, warns in the log and sets a metric', async () => {
    const gauges = new Map<string, () => Promise<number> | number>()
    const metrics = {
      observe: () => undefined,
      addCounter: () => () => undefined,
      addGauge: (name: string, _help: string, read: () => Promise<number> | number) => void gauges.set(name, read),
    }
    const folder = await mkdtemp(join(tmpdir(), 'marquee-unused-'))
    const blobs = diskStore({ folder, random: systemRandom })
    for (let n = 0; n < 21; n += 1) await blobs.put(`${n.toString(16).padStart(64, '0')}-640.webp`, Buffer.from('x'))
    const clock = { now: () => new Date(Date.now() + 3_600_000) }
    const app = await startApp(theDatabase(), {
      clock,
      metrics,
      blobs,
      imageSweep: { firstMs: 10, everyMs: 10, graceMs: 0 },
    })

    await vi.waitUntil(async () => (await gauges.get('images_held_back')?.()) === 21, { timeout: 30_000, interval: 10 })
    await app.stop()
    await rm(folder, { recursive: true, force: true })

    expect(app.logged()).toContain('images sweep --all')
  })

  test('sweeps never overlap, failures are only logged, and no sweep starts after a stop', async () => {
    const lines: string[] = []
    const sweeps: { finish: () => void; fail: (error: Error) => void }[] = []
    const list: BlobStore['list'] = async function* listSlowly() {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      sweeps.push({ finish: resolve, fail: reject })
      await promise
      yield* []
    }
    const trash = diskStore({ folder: '/nowhere', random: systemRandom })
    const blobs = { ...trash, list }
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const ports = { database: theDatabase(), clock: systemClock, blobs, trash, logger }
    const begun = async (count: number): Promise<void> => {
      await vi.waitUntil(() => sweeps.length === count, { timeout: 30_000, interval: 5 })
    }

    const { stop } = startRegularSweep(ports, { firstMs: 1, everyMs: 1, graceMs: 0 })
    await begun(1)
    await aWhile()
    const whileOneRuns = sweeps.length
    sweeps[0]?.fail(new Error('the disk is gone'))
    await begun(2)
    let isStopped = false
    const stopping = stop().then(() => {
      isStopped = true
    })
    await aWhile()
    const stoppedTooEarly = isStopped
    sweeps[1]?.finish()
    await stopping
    await aWhile()

    expect(whileOneRuns).toBe(1)
    expect(lines.join('')).toContain('the disk is gone')
    expect(stoppedTooEarly).toBe(false)
    expect(sweeps).toHaveLength(2)
  })
})
