import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { freePort } from '@marquee/platform/testing/free-port'

import { openStream } from './testing/open-stream.ts'
import { startServer } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'

test('a server process that is stopped closes its event streams and exits with 0', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-live-'))
  const server = await startServer({ PORT: String(await freePort()), DATA_DIR: dataDir })
  const token = await signUp({ url: server.url, dataDir, name: 'ana' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const made = await fetch(`${server.url}/api/watchlists`, { method: 'POST', headers, body: '{"name":"Films"}' })
  const { id } = (await made.json()) as Watchlist
  const streams = await Promise.all(
    Array.from({ length: 5 }, async () => await openStream(`${server.url}/api/watchlists/${id}/events`, token)),
  )
  await fetch(`${server.url}/api/watchlists/${id}`, { method: 'PUT', headers, body: '{"name":"Series"}' })
  const heard = await Promise.all(streams.map(async (stream) => (await stream.next()).kind))

  const code = await server.end('SIGTERM')
  await Promise.all(streams.map(async (stream) => await stream.ended))
  await rm(dataDir, { recursive: true, force: true })

  expect(heard).toEqual(streams.map(() => 'watchlist-changed'))
  expect(code).toBe(0)
  expect(streams.every((stream) => stream.answer.complete)).toBe(true)
})
