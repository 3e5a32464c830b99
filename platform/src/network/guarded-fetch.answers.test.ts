import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { fetchHere, reasonOf } from './testing/fetch-here.ts'
import { aRawServer, aWebServer } from './testing/web-server.ts'

/** Sends `text` on every connection and keeps the connection open unless asked to end it. */
async function aServerThatSays(text: string, { hangUp = true } = {}) {
  return await aRawServer((socket) => {
    socket.once('data', () => (hangUp ? socket.end(text, 'latin1') : socket.write(text, 'latin1')))
  })
}

describe('size', () => {
  test('a body of exactly the largest size is returned, in any number of chunks', async () => {
    const picture = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
    const server = await aWebServer((_request, response) => {
      Readable.from(Array.from({ length: 2_000 }, (_, piece) => picture.subarray(piece * 100, piece * 100 + 100))).pipe(
        response,
      )
    })

    const { bytes } = await fetchHere(`http://pictures.example:${server.port}/`, { maxBytes: 200_000 })

    expect(bytes.equals(picture)).toBe(true)
  })

  test('a body that is one byte too large is refused', async () => {
    const server = await aWebServer((_request, response) => {
      response.write('12345')
      response.end('6')
    })

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`, { maxBytes: 5 }))).toBe('size')
  })

  test('a body whose declared length is too large is rejected before it arrives', async () => {
    const server = await aServerThatSays('HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n', { hangUp: false })

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`))).toBe('size')
    await server.allClosed()
  })

  test.each(['Transfer-Encoding: chunked\r\n', ''])('an endless body is cut off at the limit (%j)', async (header) => {
    const piece = header === '' ? 'x'.repeat(1000) : `3e8\r\n${'x'.repeat(1000)}\r\n`
    const server = await aRawServer((socket) => {
      const pour = () => {
        while (socket.writable && socket.write(piece));
      }
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n`)
        pour()
      })
      socket.on('drain', pour)
    })

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`))).toBe('size')
    await server.allClosed()
  })

  test('bytes after the declared length are ignored', async () => {
    const server = await aServerThatSays('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef')

    const { bytes } = await fetchHere(`http://pictures.example:${server.port}/`)

    expect(bytes.toString()).toBe('abc')
  })

  test('a body shorter than declared is rejected', async () => {
    const server = await aServerThatSays('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`))).toBe('network')
  })
})

describe('encoding', () => {
  test.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP, identity'])('a %s body is refused unread', async (encoding) => {
    const server = await aWebServer((_request, response) =>
      response.setHeader('content-encoding', encoding).end(gzipSync(Buffer.alloc(1_000_000))),
    )

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`))).toBe('encoding')
  })

  test('a compressed transfer encoding is rejected', async () => {
    const server = await aServerThatSays('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n')

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`))).toBe('encoding')
  })

  test('a body with the encoding identity is returned', async () => {
    const server = await aWebServer((_request, response) =>
      response.setHeader('content-encoding', 'Identity').end('plain'),
    )

    expect((await fetchHere(`http://pictures.example:${server.port}/`)).bytes.toString()).toBe('plain')
  })
})

describe('time', () => {
  const timeoutMs = 150

  test('a fetch gives up on a silent name server at the deadline', async () => {
    const lookup = async () => await new Promise<string[]>(() => undefined)

    expect(await reasonOf(fetchHere('http://pictures.example/', { timeoutMs, lookup }))).toBe('time')
  })

  test.each([
    ['nothing', ''],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-Ty'],
    ['only 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a head and no body', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'],
  ])('a fetch gives up at the deadline on a server that sends %s', async (_what, text) => {
    const server = await aServerThatSays(text, { hangUp: false })

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`, { timeoutMs }))).toBe('time')
    await server.allClosed()
  })

  test.each([
    ['a head', 'HTTP/1.1 200 OK\r\n', 'X: y\r\n'],
    ['a body', 'HTTP/1.1 200 OK\r\n\r\n', 'x'],
  ])('%s that trickles in is cut off at the deadline', async (_what, start, drop) => {
    const server = await aRawServer((socket) => {
      socket.write(start)
      const dripping = setInterval(() => socket.write(drop), 5)
      socket.on('close', () => {
        clearInterval(dripping)
      })
    })

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`, { timeoutMs }))).toBe('time')
    await server.allClosed()
  })

  test('many fast redirects share one deadline', async () => {
    const server = await aWebServer((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 10)
    })

    const reason = await reasonOf(
      fetchHere(`http://pictures.example:${server.port}/`, { timeoutMs, maxRedirects: 1_000 }),
    )

    expect(reason).toBe('time')
  })
})

describe('responses', () => {
  test.each([201, 204, 206, 300, 304, 400, 401, 403, 404, 407, 418, 429, 500, 503])(
    'a response with status %i is refused',
    async (status) => {
      const server = await aWebServer((_request, response) => response.writeHead(status).end())

      expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`))).toBe('status')
      await server.allClosed()
    },
  )

  test.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a bare body', '\x89PNG\r\n\x1A\n'],
    ['nothing', ''],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['an oversized head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('a server that sends %s is refused', async (_what, text) => {
    const server = await aServerThatSays(text)

    expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`))).toBe('network')
    await server.allClosed()
  })

  test('a fetch from a closed port fails as a network error', async () => {
    expect(await reasonOf(fetchHere('http://127.0.0.1:1/'))).toBe('network')
  })

  test('an address that sockets do not accept is rejected, and the process survives', async () => {
    const options = { allowAddress: () => true, lookup: async () => await Promise.resolve(['255.255.255.255']) }

    expect(await reasonOf(fetchHere('http://broadcast.example/', options))).toBe('network')
  })
})
