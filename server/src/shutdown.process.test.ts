import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { freePort } from '@marquee/platform/testing/free-port'
import { WITHIN } from '@marquee/platform/testing/within'

import { clientOf } from './testing/api-client.ts'
import { openStream } from './testing/open-stream.ts'
import { startServer } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'

const BODY = '{"name":"Films"}'

/** Begins to create a watchlist: the server gets the head of the request and nothing of its body. */
async function beginRequest(url: string, token: string): Promise<ClientRequest> {
  const begun = request(`${url}/api/watchlists`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': BODY.length,
      expect: '100-continue',
    },
  })
  begun.flushHeaders()
  await once(begun, 'continue')
  return begun
}

/** Opens event streams of a watchlist, and returns them with what each hears of a change. */
async function listen(url: string, token: string) {
  const api = clientOf({ url }, token)
  const { body: watchlist } = await api<Watchlist>('POST', '/watchlists', { name: 'Series' })
  const path = `/watchlists/${watchlist.id}`
  const opening = Array.from({ length: 5 }, async () => await openStream(`${url}/api${path}/events`, token))
  const streams = await Promise.all(opening)
  await api('PUT', path, { name: 'Old series' })
  return { streams, heard: await Promise.all(streams.map(async (stream) => (await stream.next()).kind)) }
}

test('a stopping server first is not ready, then refuses connections, answers running requests and ends streams', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-shutdown-'))
  const settings = { PORT: String(await freePort()), DATA_DIR: dataDir, SHUTDOWN_LEAD: '2' }
  const server = await startServer(settings)
  const token = await signUp({ url: server.url, dataDir, name: 'ana' })
  const { streams, heard } = await listen(server.url, token)
  const begun = await beginRequest(server.url, token)
  const answered = once(begun, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => undefined) // awaited below

  const ended = server.end('SIGTERM')
  await vi.waitFor(async () => {
    const ready = await fetch(`${server.url}/readyz`, { headers: { connection: 'close' } })
    expect(ready.status).toBe(503)
  }, WITHIN)
  await vi.waitFor(async () => {
    await expect(fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })).rejects.toThrow('fetch failed')
  }, WITHIN)
  begun.end(BODY)
  const [answer] = await answered
  answer.resume()
  const code = await ended
  await Promise.all(streams.map(async (stream) => await stream.ended))
  const next = await startServer(settings)
  const { body } = await clientOf(next, token)<Watchlist[]>('GET', '/watchlists')
  const orphaned = await next.end('disconnect')
  await rm(dataDir, { recursive: true, force: true })

  expect([answer.statusCode, code]).toEqual([201, 0])
  expect(heard).toEqual(streams.map(() => 'watchlist-changed'))
  expect(streams.every((stream) => stream.answer.complete)).toBe(true)
  expect(server.output()).not.toMatch(/error/iu)
  // A server also exits when its parent process with an IPC channel is gone.
  expect(orphaned).toBe(0)
  expect(body.map(({ name }) => name).toSorted()).toEqual(['Films', 'Old series'])
})
