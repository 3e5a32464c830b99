import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { selfSigned } from '@marquee/platform/network/testing/certificate'
import { systemClock } from '@marquee/platform/runtime/clock'
import { DAY_MS, HOUR_MS } from '@marquee/platform/runtime/durations'
import { freePort } from '@marquee/platform/testing/free-port'

import { operate, runMarquee } from '../testing/run-marquee.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-address-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const inDays = (days: number) => new Date(systemClock.now().getTime() + days * DAY_MS + HOUR_MS)

type Proxy = { hostname: string; from: Date; until: Date; answer: RequestListener }

/** A TLS proxy with a certificate of its own. Returns the settings that lead to it. */
async function aProxy(
  differs: Partial<Proxy>,
): Promise<{ port: number; cert: string; settings: Record<string, string> }> {
  const { hostname, from, until, answer }: Proxy = {
    hostname: 'localhost',
    from: new Date('2025-01-01T00:00:00Z'),
    until: inDays(60),
    answer: (_request, response) => response.end('{}'),
    ...differs,
  }
  const { key, cert } = selfSigned(hostname, { from, until })
  const server = createServer({ key, cert }, answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { port, cert, settings: { DATA_DIR: folder, CATALOGUE: 'off', PUBLIC_URL: `https://localhost:${port}` } }
}

/** What the doctor says on a machine that knows the certificate as an authority. */
async function whereTrusted({ cert, settings }: Awaited<ReturnType<typeof aProxy>>): Promise<string> {
  const known = getCACertificates('default')
  setDefaultCACertificates([cert])
  try {
    return (await operate(['doctor'], settings)).output
  } finally {
    setDefaultCACertificates(known)
  }
}

function lineOf(name: string, output: string): string {
  return output.split('\n').find((line) => line.slice(10).startsWith(`${name} `)) ?? output
}

test('a trusted certificate with a long validity is reported as ok', async () => {
  const { port, cert, settings } = await aProxy({})
  const file = join(folder, 'authority.pem')
  await writeFile(file, cert)
  const { output } = await runMarquee(['doctor'], { settings: { ...settings, NODE_EXTRA_CA_CERTS: file } })

  expect(lineOf('address', output)).toBe(
    `ok        address    The certificate of https://localhost:${port} is valid for 60 more days.`,
  )
  expect(lineOf('clock', output)).toBe('ok        clock      As at PUBLIC_URL.')
})

test('a certificate that expires soon is reported as a warning', async () => {
  const proxy = await aProxy({ until: inDays(10) })

  expect(lineOf('address', await whereTrusted(proxy))).toBe(
    `warning   address    The certificate of https://localhost:${proxy.port} is valid for 10 more days. ` +
      'Renew it, and see why that did not happen by itself.',
  )
})

test('a certificate with a lifetime of days is reported as a warning only when most of it is over', async () => {
  const [early, late] = [
    await aProxy({ from: inDays(-3), until: inDays(3) }),
    await aProxy({ from: inDays(-6), until: inDays(0) }),
  ]

  expect(lineOf('address', await whereTrusted(early))).toMatch(/^ok .* is valid for 3 more days\.$/u)
  expect(lineOf('address', await whereTrusted(late))).toMatch(/^warning .* is valid for 0 more days\. Renew it/u)
})

test('an expired certificate is reported as a problem', async () => {
  const { settings } = await aProxy({ until: new Date('2025-03-01T00:00:00Z') })
  const { code, output } = await operate(['doctor'], settings)

  expect(lineOf('address', output)).toMatch(/it ended on Mar {1,2}1 00:00:00 2025 GMT\. Renew it\.$/u)
  expect(code).toBe(2)
})

test('a certificate for another name is reported as a problem', async () => {
  const { settings } = await aProxy({ hostname: 'films.example.org' })
  const { code, output } = await operate(['doctor'], settings)

  expect(lineOf('address', output)).toMatch(
    /^problem {3}address .*it is for DNS:films\.example\.org, not for localhost\. Order one for this name\.$/u,
  )
  expect(code).toBe(2)
})

test('a certificate from an unknown authority is reported as a problem', async () => {
  const { settings } = await aProxy({})
  const { code, output } = await operate(['doctor'], settings)

  expect(lineOf('address', output)).toMatch(/^problem .*no authority that this machine knows vouches for it/u)
  expect(code).toBe(2)
})

test('a proxy that does not reach the server is reported as a problem', async () => {
  const proxy = await aProxy({ answer: (_request, response) => response.writeHead(502).end() })

  expect(lineOf('address', await whereTrusted(proxy))).toMatch(
    /^problem {3}address .*\/healthz answers 502\. The proxy has to lead/u,
  )
})

test('a clock that differs by more than a minute is reported as a problem', async () => {
  const date = new Date(systemClock.now().getTime() - 100_000).toUTCString()
  const { settings } = await aProxy({ answer: (_request, response) => response.setHeader('date', date).end('{}') })
  const { code, output } = await operate(['doctor'], settings)

  expect(lineOf('clock', output)).toMatch(/^problem {3}clock {6}This machine is \d+ seconds ahead of PUBLIC_URL\./u)
  expect(code).toBe(2)
})

test('an address at which nothing listens is reported as a warning', async () => {
  const port = await freePort()
  const settings = { DATA_DIR: folder, CATALOGUE: 'off', PUBLIC_URL: `https://localhost:${port}` }
  const { output } = await operate(['doctor'], settings)

  expect(lineOf('address', output)).toMatch(/^warning {3}address .*cannot be reached from here: .*ECONNREFUSED/u)
})

test('an address that does not answer is reported as a warning, and all other lines are printed', async () => {
  const { port, settings } = await aProxy({ answer: () => undefined })
  const { code, output } = await operate(['doctor'], settings)

  expect(lineOf('address', output)).toBe(
    `warning   address    https://localhost:${port} does not answer within 10 seconds. ` +
      'Start the server, and look at the name and the proxy.',
  )
  expect(lineOf('clock', output)).toBe('ok        clock      Nothing to compare it with on another machine.')
  expect(lineOf('images', output)).toContain('There is no folder')
  expect(code).toBe(1)
})
