import { createServer } from 'node:https'
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'

import { expect, onTestFinished, test } from 'vitest'

import { selfSigned } from './testing/certificate.ts'
import { fetchHere, reasonOf } from './testing/fetch-here.ts'
import { aRawServer, listening } from './testing/web-server.ts'

/** An HTTPS server for `hostname` that answers with the server name of the request. */
async function aSecureServer(hostname: string, { trusted }: { trusted: boolean }) {
  const { key, cert } = selfSigned(hostname)
  if (trusted) {
    const usual = getCACertificates('default')
    setDefaultCACertificates([...usual, cert])
    onTestFinished(() => {
      setDefaultCACertificates(usual)
    })
  }
  return await listening(
    createServer({ key, cert }, (request, response) => {
      response.end(JSON.stringify({ host: request.headers.host, servername: (request.socket as TLSSocket).servername }))
    }),
  )
}

test('an https fetch connects to the checked address and asks for the host name of the URL', async () => {
  const { port } = await aSecureServer('pictures.example', { trusted: true })

  const { bytes } = await fetchHere(`https://pictures.example:${port}/`)

  expect(JSON.parse(bytes.toString())).toEqual({ host: `pictures.example:${port}`, servername: 'pictures.example' })
})

// Evidence: asvs-12.3.2
test('a certificate for another name is refused', async () => {
  const { port } = await aSecureServer('pictures.example', { trusted: true })

  expect(await reasonOf(fetchHere(`https://other.example:${port}/`))).toBe('certificate')
})

// Evidence: asvs-12.3.2
test('a certificate of an unknown authority is rejected', async () => {
  const { port } = await aSecureServer('pictures.example', { trusted: false })

  expect(await reasonOf(fetchHere(`https://pictures.example:${port}/`))).toBe('certificate')
})

test('a server that does not speak TLS causes a network error, not a certificate error', async () => {
  const { port } = await aRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))

  expect(await reasonOf(fetchHere(`https://pictures.example:${port}/`))).toBe('network')
})

test('a fetch gives up at the deadline on a TLS handshake that never finishes', async () => {
  const { port, allClosed } = await aRawServer((socket) => socket.resume())

  expect(await reasonOf(fetchHere(`https://pictures.example:${port}/`, { timeoutMs: 150 }))).toBe('time')
  await allClosed()
})
