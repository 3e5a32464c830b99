import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test, vi } from 'vitest'

import { DAY_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'
import { createLogger } from '@marquee/platform/runtime/logger'
import { openS3Bucket } from '@marquee/platform/storage/s3-store'
import { S3_BUCKET, S3_KEYS, startS3 } from '@marquee/platform/testing/s3-server'
import { WITHIN } from '@marquee/platform/testing/within'

import { movableClock } from '../testing/movable-clock.ts'
import { bucketPlace } from './bucket-place.ts'
import { backUp, priorityOfBackups, startRegularBackup } from './regular-backup.ts'

const ports = { clock: movableClock(), logger: createLogger('silent') }

test('a schedule stops at once even if the bucket hangs', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-hanging-'))
  const s3 = await startS3()
  onTestFinished(async () => {
    await s3.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  // Longer than a test may take.
  const bucket = await openS3Bucket({ bucket: S3_BUCKET, endpoint: s3.url, keys: S3_KEYS, callMs: 5 * MINUTE_MS })
  const place = bucketPlace(bucket, S3_BUCKET)
  s3.holdAfter(0)
  const calls = s3.calls()
  const schedule = { dataDir, everyMs: DAY_MS, keep: 7 }
  const { stop } = startRegularBackup({ ...ports, place }, async () => await Promise.resolve(true), schedule)
  const ending = new AbortController()
  const attempt = backUp({ ...ports, place }, schedule, ending.signal)
  await vi.waitFor(() => {
    if (s3.calls() < calls + 2) throw new Error('both do not wait yet')
  }, WITHIN)
  ending.abort(new Error('closing'))
  let reason = 'none yet'
  attempt.catch((error: unknown) => {
    reason = String(error)
  })
  let isOver = false
  void stop().then(() => {
    isOver = true
  })
  await vi.waitFor(() => {
    expect({ isOver, reason }).toEqual({ isOver: true, reason: 'Error: closing' })
  }, WITHIN)
})

test.each([
  ['has a lower priority than a server with the usual priority', 0, 10],
  ['keeps the low priority of its server, because only the administrator may raise it', 15, 15],
])('a backup process %s', (_what, ofServer, ofBackup) => {
  expect(priorityOfBackups(ofServer)).toBe(ofBackup)
})
