import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { RATE_LIMITS } from '@marquee/contract/rate-limits'
import { freePort } from '@marquee/platform/testing/free-port'

import { type ServerProcess, startServer } from './testing/server-process.ts'

// Each test starts a real process.
const WARNING = /RATE_LIMITS is off/u

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-limits-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function start(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  return await startServer({ PORT: String(await freePort()), DATA_DIR: folder, ...settings })
}

/** Makes one more call than an address may make in a minute, and returns the last reply. */
async function callTooOften({ url }: ServerProcess): Promise<Response> {
  const look = async () =>
    await fetch(`${url}/api/validate-image-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'no address' }),
    })
  for (let n = 0; n < RATE_LIMITS.checkUrl.max; n += 1) await look()
  return await look()
}

describe('a server process', () => {
  test('a server process limits the calls of one address by default', async () => {
    const server = await start({})

    const answer = await callTooOften(server)
    await server.end('SIGTERM')

    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(server.output()).not.toMatch(WARNING)
  })

  test('a server process without limits prints a warning at its start', async () => {
    const server = await start({ RATE_LIMITS: 'off' })

    const answer = await callTooOften(server)
    await server.end('SIGTERM')

    expect(answer.status).toBe(400)
    expect(server.output()).toMatch(WARNING)
  })
})
