import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { guardedFetch, guardedPost, isAllowedUrl } from './guarded-fetch.ts'
import { fetchHere, HERE, reasonOf } from './testing/fetch-here.ts'
import { aRawServer, aWebServer } from './testing/web-server.ts'

const GIF = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')

test('a fetch returns bytes, content type and final URL', async () => {
  const server = await aWebServer((_request, response) => response.setHeader('content-type', 'image/gif').end(GIF))

  const fetched = await fetchHere(`http://pictures.example:${server.port}/a%20film.gif?size=1#top`)

  expect(fetched).toEqual({
    bytes: GIF,
    contentType: 'image/gif',
    finalUrl: `http://pictures.example:${server.port}/a%20film.gif?size=1#top`,
  })
})

test('the connection is closed after the reply, although the server would keep it open', async () => {
  const server = await aRawServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nhi'))
  })

  const { bytes } = await fetchHere(`http://pictures.example:${server.port}/`)

  expect(bytes.toString()).toBe('hi')
  await server.allClosed()
})

test('a request has only the headers Host, Accept, Accept-Encoding, User-Agent and Connection', async () => {
  const server = await aWebServer(({ method, url, headers }, response) =>
    response.setHeader('set-cookie', 'seen=1').end(JSON.stringify({ method, url, headers })),
  )
  const address = `http://pictures.example:${server.port}/a?b#c`

  await fetchHere(address)
  const { bytes } = await fetchHere(address)

  expect(JSON.parse(bytes.toString())).toEqual({
    method: 'GET',
    url: '/a?b',
    headers: {
      host: `pictures.example:${server.port}`,
      accept: 'image/*',
      'accept-encoding': 'identity',
      'user-agent': 'image-check/1.0',
      connection: 'close',
    },
  })
})

test('content type and bytes are returned unchanged, even if they contradict each other', async () => {
  const server = await aWebServer((_request, response) =>
    response.setHeader('content-type', 'image/png').end('<html>\x89PNG\r\n\x1A\n'),
  )

  const { bytes, contentType } = await fetchHere(`http://pictures.example:${server.port}/real.png`)

  expect({ contentType, text: bytes.toString() }).toEqual({ contentType: 'image/png', text: '<html>\x89PNG\r\n\x1A\n' })
})

test('a proxy from the environment is not used', async () => {
  const proxy = await aWebServer((_request, response) => response.end('by the proxy'))
  const server = await aWebServer((_request, response) => response.end('direct'))
  const proxyUrl = `http://127.0.0.1:${proxy.port}`
  const script = `
    import { guardedFetch } from ${JSON.stringify(new URL('guarded-fetch.ts', import.meta.url).href)}
    const { bytes } = await guardedFetch('http://pictures.example:${server.port}/', {
      maxBytes: 100, timeoutMs: 10_000, maxRedirects: 0, accept: '*/*',
      lookup: async () => ['127.0.0.1'], allowAddress: () => true, allowPort: () => true,
    })
    process.stdout.write(bytes)`

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { NODE_USE_ENV_PROXY: '1', http_proxy: proxyUrl, HTTP_PROXY: proxyUrl, ALL_PROXY: proxyUrl },
  })

  expect(stdout).toBe('direct')
  expect(proxy.connections()).toBe(0)
})

// Evidence: asvs-1.3.6
describe('on the real internet', () => {
  const strict = { maxBytes: 1024, timeoutMs: 10_000, maxRedirects: 3, accept: 'image/*' }

  test.each([
    ['http://127.0.0.1/', 'address'],
    ['https://127.0.0.1:8443/', 'address'],
    ['http://127.1/', 'address'],
    ['http://0/', 'address'],
    ['http://2130706433/', 'address'],
    ['http://0x7f.1/', 'address'],
    ['http://0177.0.0.1/', 'address'],
    ['http://127.0.0.1./', 'address'],
    ['http://①②⑦.0.0.1/', 'address'],
    ['http://127。0。0。1/', 'address'],
    ['http://%31%32%37.0.0.1/', 'address'],
    ['http://[::1]/', 'address'],
    ['http://[::]/', 'address'],
    ['http://[::ffff:127.0.0.1]/', 'address'],
    ['http://[::ffff:8.8.8.8]/', 'address'],
    ['http://[::127.0.0.1]/', 'address'],
    ['http://[64:ff9b::7f00:1]/', 'address'],
    ['http://[2002:7f00:1::]/', 'address'],
    ['http://[fe80::1]/', 'address'],
    ['http://[fe80::1%25eth0]/', 'url'],
    ['http://169.254.169.254/latest/meta-data/', 'address'],
    ['http://100.100.100.200/', 'address'],
    ['http://10.0.0.1/', 'address'],
    ['http:10.0.0.1', 'address'],
    ['http:\\\\10.0.0.1\\', 'address'],
    [' http://10.0.0.1/', 'address'],
    ['http://example.org@127.0.0.1/', 'credentials'],
    ['http://example.org:80@127.0.0.1/', 'credentials'],
    ['http://:secret@example.org/', 'credentials'],
    ['http://example.org#@127.0.0.1:22/', 'address'],
    ['http://127.0.0.1:80\\@example.org/', 'address'],
    ['http://127.0.0.1:22/', 'port'],
    ['http://8.8.8.8:25/', 'port'],
    ['https://8.8.8.8:6379/', 'port'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://example.org/a.png', 'scheme'],
    ['gopher://127.0.0.1:6379/_FLUSHALL', 'scheme'],
    ['data:image/png;base64,AAAA', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['blob:http://example.org/1', 'scheme'],
    ['unix:/var/run/docker.sock', 'scheme'],
    ['//127.0.0.1/', 'url'],
    ['/etc/passwd', 'url'],
    ['http://', 'url'],
    ['http://127.0.0.1:99999/', 'url'],
    ['', 'url'],
  ])('the URL %s is refused', async (url, reason) => {
    const lookup = async () => await Promise.resolve(['127.0.0.1'])

    expect(await reasonOf(guardedFetch(url, { ...strict, lookup }))).toBe(reason)
  })

  test.each([
    ['127.0.0.1.nip.example', ['127.0.0.1']],
    ['localhost', ['127.0.0.1', '::1']],
    ['metadata.google.internal', ['169.254.169.254']],
    ['mapped.example', ['::ffff:10.0.0.1']],
    ['zone.example', ['fe80::1%1']],
    ['octal.example', ['010.8.8.8']],
    ['nonsense.example', ['example.org']],
    ['mixed.example', ['8.8.8.8', '10.0.0.1']],
    ['mixed-families.example', ['2606:4700:4700::1111', '8.8.8.8', 'fd00::1']],
  ])('a name with an address that is not public is refused: %s', async (name, addresses) => {
    const lookup = async () => await Promise.resolve(addresses)

    expect(await reasonOf(guardedFetch(`http://${name}/a.png`, { ...strict, lookup }))).toBe('address')
  })

  test('localhost is rejected with the real name lookup', async () => {
    expect(['address', 'network', 'time']).toContain(await reasonOf(guardedFetch('http://localhost:8080/', strict)))
  })
})

describe('names', () => {
  test('a name with one forbidden address is rejected before any connection', async () => {
    const server = await aWebServer((_request, response) => response.end(GIF))
    const lookup = async () => await Promise.resolve(['127.0.0.1', '10.0.0.1'])

    const reason = await reasonOf(fetchHere(`http://mixed.example:${server.port}/`, { lookup }))

    expect({ reason, connections: server.connections() }).toEqual({ reason: 'address', connections: 0 })
  })

  // Evidence: asvs-1.3.6
  test('a fetch connects to the checked address even if the name moves to a forbidden one meanwhile', async () => {
    const server = await aWebServer((_request, response) => response.end(GIF))
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.2']]
    const lookup = async () => await Promise.resolve(answers.shift() ?? [])

    const { bytes } = await fetchHere(`http://rebinding.example:${server.port}/`, { lookup })

    expect(bytes).toEqual(GIF)
    expect(answers).toHaveLength(2)
  })

  test('a name is looked up and checked again after a redirect to itself', async () => {
    const server = await aWebServer((_request, response) => response.writeHead(302, { location: '/again' }).end())
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    const lookup = async () => await Promise.resolve(answers.shift() ?? [])

    const reason = await reasonOf(fetchHere(`http://rebinding.example:${server.port}/`, { lookup }))

    expect({ reason, connections: server.connections() }).toEqual({ reason: 'address', connections: 1 })
  })

  test('a name with several addresses is reached at the address that answers', async () => {
    const server = await aWebServer((_request, response) => response.end(GIF))
    const lookup = async () => await Promise.resolve(['::1', '127.0.0.1'])
    const allowAddress = () => true

    const { bytes } = await fetchHere(`http://both.example:${server.port}/`, { lookup, allowAddress })

    expect(bytes).toEqual(GIF)
  })

  test('a name that resolves to something other than a plain address is rejected', async () => {
    const options = { allowAddress: () => true, lookup: async () => await Promise.resolve(['0177.0.0.1']) }

    expect(await reasonOf(fetchHere('http://octal.example/', options))).toBe('address')
  })

  test.each([
    ['has no address', async () => await Promise.resolve([])],
    ['cannot be looked up', async () => await Promise.reject(new Error('SERVFAIL'))],
  ])('a name that %s is refused', async (_fault, lookup) => {
    expect(await reasonOf(fetchHere('http://nowhere.example/', { lookup }))).toBe('network')
  })
})

describe('a POST', () => {
  const post = { body: '{"a":1}', headers: { 'content-type': 'application/json' } }

  test('a POST sends its body and headers, and returns the status, even of a redirect', async () => {
    const seen: unknown[] = []
    const server = await aWebServer((request, response) => {
      request.on('data', (piece: Buffer) =>
        seen.push([
          request.method,
          request.headers['content-type'],
          request.headers['content-length'],
          piece.toString(),
        ]),
      )
      request.on('end', () => response.writeHead(302, { location: '/elsewhere' }).end())
    })

    const status = await guardedPost(`http://chat.example:${server.port}/hook`, post, HERE)

    expect(status).toBe(302)
    expect(seen).toEqual([['POST', 'application/json', '7', '{"a":1}']])
  })

  test.each([
    'http://10.0.0.7/',
    'http://169.254.169.254/latest',
    'ftp://chat.example/',
    'http://me:key@chat.example/',
  ])('a POST to %s is refused, and the URL does not count as allowed', async (url) => {
    await expect(guardedPost(url, post, HERE)).rejects.toThrow('Refused')
    expect(await isAllowedUrl(url, HERE)).toBe(false)
  })

  test('a POST to a server that never answers fails at the deadline', async () => {
    const server = await aRawServer(() => undefined)

    const answer = guardedPost(`http://chat.example:${server.port}/`, post, { ...HERE, timeoutMs: 200 })

    await expect(answer).rejects.toThrow('Refused (time)')
  })
})
