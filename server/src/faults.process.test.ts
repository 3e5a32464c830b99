import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { test, type TestContext, vi } from 'vitest'

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { freePort } from '@marquee/platform/testing/free-port'
import { WITHIN } from '@marquee/platform/testing/within'

import { clientOf } from './testing/api-client.ts'
import { startMailLoad } from './testing/mail-load.ts'
import { startMailServer } from './testing/mail-server.ts'
import { type ServerProcess, startServer } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'
import { installChangeLog, openObserver } from './testing/simulation/change-log.ts'
import { observeFile, startLoad } from './testing/simulation/load.ts'
import { mountSmallDisk } from './testing/small-disk.ts'

const CODE = /^(\d{6})$/mu

/** An embedded server that sends mail, and users who write to it as fast as they can. */
async function underLoad({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, dataDir: string) {
  const smtp = await startMailServer()
  onTestFinished(smtp.close)
  const PORT = String(await freePort())
  const settings = { PORT, DATA_DIR: dataDir, SMTP_URL: smtp.url, MAIL_FROM: 'marquee@example.org', RATE_LIMITS: 'off' }
  const start = async (): Promise<ServerProcess> => {
    const server = await startServer(settings)
    onTestFinished(async () => void (await server.end('SIGKILL')))
    return server
  }
  const server = await start()
  const codeFor = async (email: string) => await smtp.findIn(email, CODE)
  const tokens = []
  for (const name of ['ana', 'ben']) tokens.push(await signUp({ url: server.url, name, codeFor }))
  const path = join(dataDir, 'marquee.db')
  const { db, close } = openObserver(path)
  await installChangeLog(db)
  close()
  const mails = await startMailLoad(smtp, { url: server.url })
  const load = await startLoad({ url: server.url, tokens, observe: observeFile(path) })
  const audit = async (kills: readonly Date[] = []) => [...(await load.audit()), ...(await mails.audit(kills))]
  return { server, start, load, audit, token: tokens[0] ?? '' }
}

async function aFolder({ onTestFinished }: Pick<TestContext, 'onTestFinished'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-faults-'))
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

test.concurrent('an embedded server that is killed repeatedly under load, and later stopped, loses nothing, and reveals and mails nothing twice', async (context) => {
  const { expect } = context
  const stage = await underLoad(context, await aFolder(context))
  const kills: Date[] = []
  let { server } = stage
  for (const writes of [150, 60, 150]) {
    await stage.load.untilAnswered(writes)
    kills.push(new Date())
    await server.end('SIGKILL')
    server = await stage.start()
  }
  await stage.load.untilAnswered(60)
  const code = await server.end('SIGTERM')
  await stage.start()
  await stage.load.untilAnswered(50)

  // It has finished its requests.
  expect(code).toBe(0)
  expect(await stage.audit(kills)).toEqual([])
})

test.concurrent('writes fail and reads succeed on a full disk, and nothing is lost once there is space again', async (context) => {
  const { expect } = context
  const disk = await mountSmallDisk(16)
  if (!disk) return context.skip('a disk can only be mounted by root')
  context.onTestFinished(disk.remove)
  const { server, load, audit, token } = await underLoad(context, join(disk.path, 'data'))
  const call = clientOf(server, token)
  await load.untilAnswered(100)

  await disk.fill()
  const refusal = await vi.waitFor(async () => {
    const answer = await fetch(`${server.url}/api/watchlists`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      // Larger than the free space of any page.
      body: JSON.stringify({ name: 'Films', description: 'x'.repeat(2_000) }),
    })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    return (await answer.json()) as unknown
  }, WITHIN)
  const read = await call<Watchlist>('GET', `/watchlists/${load.watchlistId}`)
  const retriesWhenFull = load.retries()
  await vi.waitFor(() => {
    expect(load.retries()).toBeGreaterThan(retriesWhenFull + 20)
  }, WITHIN)
  await disk.free()
  await load.untilAnswered(100)

  expect(refusal).toMatchObject({ type: 'SERVICE_UNAVAILABLE' })
  expect(read.status).toBe(200)
  expect(await audit()).toEqual([])
})
