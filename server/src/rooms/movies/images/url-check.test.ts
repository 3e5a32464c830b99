import type { RequestListener } from 'node:http'

import sharp from 'sharp'
import { describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { MAX_IMAGE_BYTES, MAX_URL_LENGTH } from '@marquee/contract/limits'
import type { GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { aRawServer, aWebServer } from '@marquee/platform/network/testing/web-server'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call } from '../../../testing/call.ts'
import { anApp, startApp, type TestApp } from '../../../testing/start-app.ts'

const REFUSED = { status: 400, body: { type: 'BAD_REQUEST', message: 'Please enter a valid image URL' } }
const FOUND = { status: 204, body: undefined }

/** 127.0.0.1 plays the public internet, under names that end in .example and on any port. */
const HERE = {
  lookup: async (name: string) => (name.endsWith('.example') ? ['127.0.0.1'] : ['10.0.0.7']),
  allowAddress: (ip: string) => ip === '127.0.0.1',
  allowPort: () => true,
} satisfies Partial<GuardedFetchOptions>

const picture = sharp({ create: { width: 40, height: 60, channels: 3, background: 'orange' } })
const noise = sharp(systemRandom.bytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
const png = picture.png()

// The check does not use the database; one of each is what the app starts with.
anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { imageFetch: HERE })
  const hastyApp = anApp(theDatabase, { imageFetch: { ...HERE, timeoutMs: 400 } })
  /** Resolves names and forbids addresses as in production. */
  const guardedApp = anApp(theDatabase, { imageFetch: { allowPort: () => true } })

  async function check(url: unknown, app: TestApp = theApp()) {
    const { status, body } = await call(app, ENDPOINTS.validateImageUrl, undefined, { body: { url } })
    return { status, body }
  }

  async function checkWith(imageFetch: Partial<GuardedFetchOptions>, url: string) {
    const app = await startApp(theDatabase(), { imageFetch })
    const reply = await check(url, app)
    await app.stop()
    return reply
  }

  async function checkServed(answer: RequestListener) {
    const server = await aWebServer(answer)
    const reply = await check(`http://pictures.example:${server.port}/poster?id=7`)
    // Whatever the result, no connection stays open.
    await server.allClosed()
    return reply
  }

  const serving =
    (bytes: Buffer, type = 'image/png'): RequestListener =>
    (_request, response) => {
      response.setHeader('content-type', type).end(bytes)
    }

  test.each(['jpeg', 'png', 'gif', 'webp'] as const)(
    'a %s is accepted without sign-in, whatever its content type',
    async (format) => {
      const bytes = await noise.clone().toFormat(format).toBuffer()

      expect(await checkServed(serving(bytes, `image/${format}`))).toEqual(FOUND)
      expect(await checkServed(serving(bytes, 'application/octet-stream'))).toEqual(FOUND)
    },
  )

  test('an image behind three redirects is accepted, and one behind four is not', async () => {
    const server = await aWebServer((request, response) => {
      const hop = Number(request.url?.slice(1))
      if (hop === 3) void png.toBuffer().then((bytes) => response.end(bytes))
      else response.writeHead(302, { location: `/${hop + 1}` }).end()
    })

    expect(await check(`http://pictures.example:${server.port}/0`)).toEqual(FOUND)
    expect(await check(`http://pictures.example:${server.port}/-1`)).toEqual(REFUSED)
  })

  test('a URL check reads the header of an image and decodes nothing', async () => {
    const header = (await picture.clone().png().toBuffer()).subarray(0, 64)
    let isDecoded = false
    const server = await aWebServer(serving(header))
    const app = await startApp(theDatabase(), {
      imageFetch: HERE,
      decoder: {
        render: async () => {
          isDecoded = true
          return await Promise.resolve([])
        },
        stop: () => undefined,
      },
    })
    const body = { url: `http://pictures.example:${server.port}/poster` }
    const { status } = await call(app, ENDPOINTS.validateImageUrl, undefined, { body })
    await app.stop()

    expect({ status, isDecoded }).toEqual({ status: 204, isDecoded: false })
  })

  describe('a file that only claims to be an image', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    test.each([
      ['a page', async () => Buffer.from('<!doctype html><title>poster.png</title>')],
      ['an empty file', async () => Buffer.alloc(0)],
      ['an SVG, which may run scripts', async () => Buffer.from(svg)],
      ['a page with the first bytes of a GIF', async () => Buffer.from('GIF89a<script>alert(1)</script>')],
      [
        'noise with the first bytes of a JPEG',
        async () => await Promise.resolve(Buffer.from(`ffd8ffe0${'4e6f6973'.repeat(2_000)}`, 'hex')),
      ],
      ['an AVIF', async () => await picture.clone().avif().toBuffer()],
      ['a PDF', async () => Buffer.from('%PDF-1.7\n%%EOF')],
      ['a TIFF, which browsers do not show', async () => await picture.clone().tiff().toBuffer()],
      [
        'a picture of too many pixels',
        async () =>
          await sharp({ create: { width: 6_000, height: 4_001, channels: 3, background: 'red' } })
            .png()
            .toBuffer(),
      ],
    ])('a URL check rejects %s', async (_what, make) => {
      expect(await checkServed(serving(await make()))).toEqual(REFUSED)
    })

    test.each([404, 403, 500, 204, 304])('a URL check rejects an image sent with the status %i', async (status) => {
      const bytes = await png.toBuffer()

      expect(await checkServed((_request, response) => response.writeHead(status).end(bytes))).toEqual(REFUSED)
    })
  })

  test('an endless body is cut off soon after the largest allowed image size', async () => {
    const bytes = await png.toBuffer()
    let sent = 0
    const answer: RequestListener = (_request, response) => {
      response.write(bytes)
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    }

    expect(await checkServed(answer)).toEqual(REFUSED)
    // The buffers of the connection count as sent too, although the server did not read them.
    expect(sent).toBeLessThan(MAX_IMAGE_BYTES * 4)
  })

  test('an image that declares too large a size is rejected without waiting for its body', async () => {
    const bytes = await png.toBuffer()
    const answer: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-length': MAX_IMAGE_BYTES + 1 }).write(bytes)
    }

    expect(await checkServed(answer)).toEqual(REFUSED)
  })

  test.each([
    ['never answers', () => undefined],
    ['sends a head and no body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n')],
    [
      'sends a byte now and then',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n')
        const timer = setInterval(() => socket.write('\x89'), 20)
        socket.on('close', () => {
          clearInterval(timer)
        })
      },
    ],
    ['hangs up', (socket) => socket.destroy()],
    ['speaks no HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n')],
  ] satisfies [string, Parameters<typeof aRawServer>[0]][])(
    'a URL check of a server that %s fails and closes the connection',
    async (_what, behave) => {
      const server = await aRawServer((socket) => {
        socket.resume()
        behave(socket)
      })

      const answer = await check(`http://slow.example:${server.port}/`, hastyApp())

      expect(answer).toEqual(REFUSED)
      await server.allClosed()
    },
  )

  // Evidence: asvs-1.3.6
  describe('addresses in the network of the server', () => {
    test.each([
      'http://127.0.0.1:PORT/',
      'http://localhost:PORT/',
      'http://127.1:PORT/',
      'http://2130706433:PORT/',
      'http://0x7f.0.0.1:PORT/',
      'http://0177.0.0.1:PORT/',
      'http://0:PORT/',
      'http://[::1]:PORT/',
      'http://[::]:PORT/',
      'http://[::ffff:127.0.0.1]:PORT/',
      'http://[64:ff9b::7f00:1]:PORT/',
      'http://10.0.0.1:PORT/',
      'http://172.16.3.4:PORT/',
      'http://192.168.1.1:PORT/',
      'http://100.64.0.1:PORT/',
      'http://169.254.169.254:PORT/latest/meta-data/',
      'http://[fe80::1]:PORT/',
      'http://[fd00::1]:PORT/',
      'http://0.0.0.0:PORT/',
      'http://user:secret@8.8.8.8:PORT/',
      'http://a@127.0.0.1:PORT/',
    ])('no request goes to %s', async (url) => {
      const server = await aWebServer(serving(await png.toBuffer()))

      const answer = await check(url.replace('PORT', String(server.port)), guardedApp())

      expect(answer).toEqual(REFUSED)
      expect(server.connections()).toBe(0)
    })

    test.each([
      ['loopback', ['127.0.0.1']],
      ['a private address', ['10.1.2.3']],
      ['link-local', ['169.254.169.254']],
      ['mapped loopback', ['::ffff:127.0.0.1']],
      ['IPv6 loopback', ['::1']],
      ['a public address and loopback', ['93.184.215.14', '127.0.0.1']],
    ])('no request goes to a name that resolves to %s', async (_what, addresses) => {
      const server = await aWebServer(serving(await png.toBuffer()))
      const guard = { lookup: async () => addresses, allowPort: () => true }

      expect(await checkWith(guard, `http://innocent.example:${server.port}/`)).toEqual(REFUSED)
      expect(server.connections()).toBe(0)
    })

    test.each([
      'http://127.0.0.2:PORT/',
      'http://[::ffff:127.0.0.2]:PORT/',
      'http://inner:PORT/',
      '//169.254.169.254/',
      'file:///etc/passwd',
      'data:image/png;base64,AAAA',
    ])('no request follows a redirect to %s', async (location) => {
      const inner = await aWebServer(serving(await png.toBuffer()))
      const outer: RequestListener = (_request, response) =>
        response.writeHead(302, { location: location.replace('PORT', String(inner.port)) }).end()

      expect(await checkServed(outer)).toEqual(REFUSED)
      expect(inner.connections()).toBe(0)
    })

    test('no request goes to a port that is not for the web', async () => {
      const server = await aRawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))

      const answer = await checkWith(
        { ...HERE, allowPort: (port) => port === 80 },
        `http://pictures.example:${server.port}/`,
      )

      expect(answer).toEqual(REFUSED)
      expect(server.connections()).toBe(0)
    })
  })

  test('a closed port, a page and a forbidden address get the same reply', async () => {
    const page = await aWebServer(serving(Buffer.from('<h1>Inner wiki</h1>'), 'text/html'))
    const closed = await aWebServer(serving(Buffer.alloc(0)))
    const urls = [
      `http://a.example:${page.port}/`,
      `http://a.example:${closed.port}/`,
      'http://intranet/',
      'gopher://a.example/',
    ]

    const replies = [] as unknown[]
    for (const url of urls) replies.push(await check(url))

    expect(replies).toEqual(urls.map(() => REFUSED))
  })

  test.each([
    ['no address', undefined, 'url: '],
    ['a blank address', '  ', 'url: A URL is required'],
    ['a number', 8, 'url: '],
    ['an address that is too long', `https://example.org/${'x'.repeat(MAX_URL_LENGTH)}`, 'url: '],
    ['a word', 'poster', 'Please enter a valid image URL'],
    ['a data URL', 'data:image/png;base64,AAAA', 'Please enter a valid image URL'],
    ['a path', '/images/x.webp', 'Please enter a valid image URL'],
  ])('a URL check with %s gets 400', async (_what, url, message) => {
    const { status, body } = await check(url)

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'BAD_REQUEST' })
    expect(body.message).toContain(message)
  })

  test('URL checks that do not fit into the queue get 503', async () => {
    const waiting: (() => void)[] = []
    const bytes = await png.toBuffer()
    const server = await aWebServer((_request, response) => {
      waiting.push(() => response.end(bytes))
      // When all allowed fetches run, they may finish.
      if (waiting.length >= 16) for (const answer of waiting.splice(0)) setImmediate(answer)
    })
    const body = { url: `http://busy.example:${server.port}/` }

    const answers = await Promise.all(
      Array.from({ length: 96 }, async () => await call(theApp(), ENDPOINTS.validateImageUrl, undefined, { body })),
    )

    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(80)
    expect(statuses.filter((status) => status === 503)).toHaveLength(16)
  })
})
