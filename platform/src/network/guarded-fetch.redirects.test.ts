import { expect, test } from 'vitest'

import { fetchHere, reasonOf } from './testing/fetch-here.ts'
import { aWebServer } from './testing/web-server.ts'

/** A server that redirects `/start` to `location`; every other path answers with its own name. */
async function aRedirectTo(location: string, status = 302) {
  return await aWebServer((request, response) => {
    if (request.url === '/start') response.writeHead(status, { location }).end('moved')
    else response.end(request.url)
  })
}

test.each([301, 302, 303, 307, 308])('a redirect with status %i is followed', async (status) => {
  const server = await aRedirectTo('/picture', status)

  const { bytes, finalUrl } = await fetchHere(`http://pictures.example:${server.port}/start`)

  expect(bytes.toString()).toBe('/picture')
  expect(finalUrl).toBe(`http://pictures.example:${server.port}/picture`)
})

test.each([
  ['picture?b', '/picture?b'],
  ['./a/../picture', '/picture'],
  ['?only=query', '/start?only=query'],
  ['/fi\u00C3\u00A9', '/fi%C3%A9'],
])('a relative location is resolved against the redirecting URL: %s', async (location, path) => {
  const server = await aRedirectTo(location)

  const { bytes } = await fetchHere(`http://pictures.example:${server.port}/start`)

  expect(bytes.toString()).toBe(path)
})

test.each([
  ['http://10.0.0.1/', 'address'],
  ['http://169.254.169.254/latest/meta-data/', 'address'],
  ['//10.0.0.1/', 'address'],
  ['http://2130706434/', 'address'],
  ['http://[::1]/', 'address'],
  ['http://[::ffff:127.0.0.1]/', 'address'],
  ['file:///etc/passwd', 'scheme'],
  ['data:image/gif;base64,R0lGODlh', 'scheme'],
  ['http://user@pictures.example/', 'credentials'],
  ['http://:99999/', 'redirects'],
])('a redirect to %s is refused', async (location, reason) => {
  const server = await aRedirectTo(location)

  expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/start`))).toBe(reason)
  await server.allClosed()
})

test('a redirect to a port that is not a web port is rejected', async () => {
  const inner = await aWebServer((_request, response) => response.end('secret'))
  const server = await aRedirectTo(`http://pictures.example:${inner.port}/`)
  const allowPort = (port: number) => port === server.port

  const reason = await reasonOf(fetchHere(`http://pictures.example:${server.port}/start`, { allowPort }))

  expect({ reason, connections: inner.connections() }).toEqual({ reason: 'port', connections: 0 })
})

test('a redirect to a forbidden spelling of the same address is not followed', async () => {
  const inner = await aWebServer((_request, response) => response.end('secret'))
  const server = await aRedirectTo(`http://[::ffff:7f00:1]:${inner.port}/`)

  const reason = await reasonOf(fetchHere(`http://pictures.example:${server.port}/start`))

  expect({ reason, connections: inner.connections() }).toEqual({ reason: 'address', connections: 0 })
})

test('a redirect to an internal name is rejected', async () => {
  const server = await aRedirectTo('http://inside.example/')
  const lookup = async (name: string) => await Promise.resolve([name === 'inside.example' ? '10.0.0.1' : '127.0.0.1'])

  expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/start`, { lookup }))).toBe('address')
})

test('a loop of redirects ends at the limit', async () => {
  const server = await aRedirectTo('/start')

  const reason = await reasonOf(fetchHere(`http://pictures.example:${server.port}/start`, { maxRedirects: 3 }))

  expect({ reason, connections: server.connections() }).toEqual({ reason: 'redirects', connections: 4 })
})

// Evidence: asvs-15.3.2
test('a redirect is not followed if none is allowed', async () => {
  const server = await aRedirectTo('/picture')

  expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/start`, { maxRedirects: 0 }))).toBe(
    'redirects',
  )
})

test('a redirect without a valid target is rejected', async () => {
  const server = await aWebServer((_request, response) => response.writeHead(302).end())

  expect(await reasonOf(fetchHere(`http://pictures.example:${server.port}/`))).toBe('redirects')
})

test('a fetch does not wait for the body of a redirect', async () => {
  const server = await aWebServer((request, response) => {
    if (request.url === '/picture') response.end('here')
    else response.writeHead(302, { location: '/picture' }).write('a body without an end')
  })

  const { bytes } = await fetchHere(`http://pictures.example:${server.port}/`)

  expect(bytes.toString()).toBe('here')
  await server.allClosed()
})
