import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'

import { expect, test, vi } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from './migrations/index.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { startApp, type TestApp } from './testing/start-app.ts'
import { testToken } from './testing/test-accounts.ts'

const BODY = '{"name":"Films"}'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  /** Sends half a request, begins to close the server, and sends the other half and `more`. */
  async function whileClosing(app: TestApp['app'], token: string, more: string): Promise<string> {
    const { port } = app.server.address() as AddressInfo
    const socket: Socket = connect(port, '127.0.0.1')
    let answers = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answers += text))
    const ended = once(socket, 'close')
    const asked = once(app.server, 'request')
    const head = ['POST /api/watchlists HTTP/1.1', 'host: marquee.test', `authorization: Bearer ${token}`]
    socket.write(
      [...head, 'content-type: application/json', `content-length: ${BODY.length}`, '', BODY.slice(0, 5)].join('\r\n'),
    )
    await asked
    const closed = app.close()
    await vi.waitFor(() => {
      expect(app.server.listening).toBe(false)
    }, WITHIN)
    socket.write(`${BODY.slice(5)}${more}\r\nhost: marquee.test\r\nauthorization: Bearer ${token}\r\n\r\n`)
    await Promise.all([ended, closed])
    return answers
  }

  async function aListeningApp() {
    const started = await startApp(theDatabase())
    await started.app.listen({ host: '127.0.0.1', port: 0 })
    return started
  }

  test('requests on open connections are answered while the server closes, although it is not ready', async () => {
    const { app, stop } = await aListeningApp()
    const answers = await whileClosing(app, testToken(aUser()), 'GET /readyz HTTP/1.1')
    await stop()

    expect(answers).toMatch(/^HTTP\/1\.1 201 [\s\S]+HTTP\/1\.1 503 /u)
    expect(answers).toMatch(/connection: close\r\n[\s\S]+"SERVICE_UNAVAILABLE"/iu)
    expect(answers).toMatch(/retry-after: 5\r\n/iu)
  })

  test('an event stream opened while the server closes sends the time to reconnect, and ends', async () => {
    const started = await aListeningApp()
    const { watchlist, owner } = await aWatchlist(started)
    const answers = await whileClosing(
      started.app,
      testToken(owner),
      `GET /api/watchlists/${watchlist.id}/events HTTP/1.1`,
    )
    await started.stop()

    expect(answers).toMatch(/^HTTP\/1\.1 201 [\s\S]+HTTP\/1\.1 200 [\s\S]+retry: 2000\n/u)
  })

  test('a process that is about to stop is not ready, but still accepts connections and answers', async () => {
    const leaving = new AbortController()
    const { app, stop } = await startApp(theDatabase(), { leaving: leaving.signal })
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const before = await fetch(`${origin}/readyz`)
    leaving.abort()
    const [ready, healthy] = [await fetch(`${origin}/readyz`), await fetch(`${origin}/healthz`)]
    await stop()

    expect([before.status, ready.status, healthy.status]).toEqual([200, 503, 200])
    expect([before, ready, healthy].map(({ headers }) => headers.get('connection'))).toEqual([
      'keep-alive',
      'close',
      'close',
    ])
  })

  test('an idle connection can send one more request while the server closes, and a new connection is refused', async () => {
    const { app, stop } = await startApp(theDatabase(), { closingGraceMs: 1_000 })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const accepted = once(app.server, 'connection')
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    const ended = once(socket, 'close')
    await accepted
    const closed = app.close()
    await vi.waitFor(() => {
      expect(app.server.listening).toBe(false)
    }, WITHIN)
    const [refusal] = (await once(connect(port, '127.0.0.1'), 'error')) as [Error]
    socket.write('GET /healthz HTTP/1.1\r\nhost: marquee.test\r\n\r\n')
    await Promise.all([ended, closed])
    await stop()

    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]+connection: close\r\n/iu)
    expect(refusal.message).toContain('ECONNREFUSED')
  })
})
