import { createServer } from 'node:https'
import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { guardedCall } from './guarded-fetch.ts'
import { RefusedUrl } from './refused-url.ts'
import type { Message } from './request.ts'
import { selfSigned } from './testing/certificate.ts'
import { HERE } from './testing/fetch-here.ts'
import { aRawServer, aWebServer, listening } from './testing/web-server.ts'

async function callHere(url: string, message: Message = {}, options: Partial<typeof HERE> = {}) {
  const { status, isJson, bytes } = await guardedCall(url, message, { ...HERE, ...options })
  return { status, isJson, text: bytes.toString() }
}

async function reasonOfCall(url: string, options: Partial<typeof HERE> = {}): Promise<string> {
  try {
    return `answered ${(await callHere(url, { headers: { 'x-key': 'secret' } }, options)).status}`
  } catch (error) {
    if (error instanceof RefusedUrl) return error.reason
    throw error
  }
}

test('a call sends method, headers and body, and returns the answer', async () => {
  const server = await aWebServer(({ method, url, headers }, response) => {
    response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' })
    response.end(
      JSON.stringify({ method, url, key: headers['x-key'], accept: headers.accept, of: headers['user-agent'] }),
    )
  })
  const message: Message = { method: 'POST', headers: { 'x-key': 'secret' }, body: '{}' }

  const answer = await callHere(`http://films.example:${server.port}/a?b=1`, message, { userAgent: 'Marquee' })

  expect(answer).toEqual({
    status: 201,
    isJson: true,
    text: '{"method":"POST","url":"/a?b=1","key":"secret","accept":"application/json","of":"Marquee"}',
  })
  await server.allClosed()
})

test('the body of a call reaches the server unchanged', async () => {
  const server = await aWebServer((request, response) => request.pipe(response))

  expect((await callHere(`http://films.example:${server.port}/`, { method: 'PUT', body: '{"a":1}' })).text).toBe(
    '{"a":1}',
  )
})

test.each([200, 204, 400, 401, 404, 500])('an answer with the status %i is returned with its body', async (status) => {
  const server = await aWebServer((_request, response) => response.writeHead(status).end(status === 204 ? '' : 'why'))

  expect(await callHere(`http://films.example:${server.port}/`)).toEqual({
    status,
    isJson: false,
    text: status === 204 ? '' : 'why',
  })
})

// Evidence: asvs-15.3.2
test.each([301, 302, 303, 307, 308])('a redirect with the status %i is refused and not followed', async (status) => {
  const other = await aWebServer((_request, response) => response.end('{}'))
  const server = await aWebServer((_request, response) =>
    response.writeHead(status, { location: `http://films.example:${other.port}/` }).end(),
  )

  expect(await reasonOfCall(`http://films.example:${server.port}/`)).toBe('redirects')
  expect(other.connections()).toBe(0)
})

describe('forbidden targets', () => {
  test.each([
    ['an address that is not allowed', 'http://10.0.0.1:PORT/', {}, 'address'],
    ['another notation of an address', 'http://[::ffff:127.0.0.1]:PORT/', {}, 'address'],
    ['a name at a forbidden address', 'http://inner.example:PORT/', { lookup: async () => ['10.0.0.1'] }, 'address'],
    [
      'a name with one forbidden address',
      'http://inner.example:PORT/',
      { lookup: async () => ['127.0.0.1', '169.254.169.254'] },
      'address',
    ],
    ['a port that is not allowed', 'http://films.example:PORT/', { allowPort: (port: number) => port === 80 }, 'port'],
    ['a URL with a login', 'http://user:secret@films.example:PORT/', {}, 'credentials'],
    ['another scheme', 'ftp://films.example:PORT/', {}, 'scheme'],
    ['a text that is not a URL', 'films.example', {}, 'url'],
  ])('nothing is sent to %s', async (_what, url, options, reason) => {
    const server = await aWebServer((_request, response) => response.end('{}'))

    expect(await reasonOfCall(url.replace('PORT', String(server.port)), options)).toBe(reason)
    expect(server.connections()).toBe(0)
  })
})

// Evidence: asvs-12.3.2
test('nothing is sent to a server whose certificate cannot be verified', async () => {
  let requests = 0
  const server = await listening(
    createServer(selfSigned('films.example'), (_request, response) => {
      requests += 1
      response.end('{}')
    }),
  )

  expect(await reasonOfCall(`https://films.example:${server.port}/`)).toBe('certificate')
  expect(requests).toBe(0)
})

test('a body of the largest size is read, and one byte more is refused', async () => {
  const server = await aWebServer((_request, response) => {
    response.write('1234')
    response.end('5')
  })
  const url = `http://films.example:${server.port}/`

  expect((await callHere(url, {}, { maxBytes: 5 })).text).toBe('12345')
  expect(await reasonOfCall(url, { maxBytes: 4 })).toBe('size')
})

test('an endless body is cut off, whatever the status', async () => {
  const server = await aWebServer((_request, response) => {
    response.writeHead(500)
    const pour = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
      if (!response.destroyed) response.once('drain', pour)
    }
    pour()
  })

  expect(await reasonOfCall(`http://films.example:${server.port}/`, { maxBytes: 50_000 })).toBe('size')
  await server.allClosed()
})

test('a compressed body is refused', async () => {
  const server = await aWebServer((_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync('{}')),
  )

  expect(await reasonOfCall(`http://films.example:${server.port}/`)).toBe('encoding')
})

test.each([
  ['never answers', ''],
  ['sends a head and no body', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'],
])('a call to a server that %s ends at the deadline', async (_what, text) => {
  const server = await aRawServer((socket) => {
    socket.resume()
    socket.write(text)
  })

  expect(await reasonOfCall(`http://films.example:${server.port}/`, { timeoutMs: 200 })).toBe('time')
  await server.allClosed()
})

test('aborting its signal ends a call', async () => {
  const stop = new AbortController()
  const server = await aRawServer((socket) => {
    socket.once('data', () => {
      stop.abort()
    })
  })

  expect(await reasonOfCall(`http://films.example:${server.port}/`, { signal: stop.signal })).toBe('time')
  await server.allClosed()
})

test('the error of a failed call contains no request header', async () => {
  const server = await aRawServer((socket) => socket.destroy())

  await expect(
    guardedCall(`http://films.example:${server.port}/`, { headers: { 'x-key': 'secret\n' } }, HERE),
  ).rejects.toThrow(/^Refused \(network\): (?!.*secret)/u)
})
