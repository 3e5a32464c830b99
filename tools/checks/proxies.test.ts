import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'

import { selfSigned } from '../../platform/src/network/testing/certificate.ts'
import { freePort } from '../../platform/src/testing/free-port.ts'
import { read } from './repository.ts'

const NAME = 'movies.example.org'
const CALLS = [
  'GET /api/watchlists',
  'POST /api/watchlists/0b5e/cards',
  'POST /identity/',
  'POST /identity',
  'POST /oauth2/token',
  'GET /oauth2/userInfo',
]
const PAGES = ['GET /', 'GET /watchlists/0b5e?card=1', 'GET /apiary']

type Router = { rule: string; entryPoints: string[] }
type Ports = { http: number; https: number }

/** Each writes its example into the folder, changed only where a test must differ. Returns the command that serves it. */
const PROXIES = {
  nginx: async (folder: string, { http, https }: Ports): Promise<string[]> => {
    const { key, cert } = selfSigned(NAME)
    await writeFile(join(folder, 'fullchain.pem'), cert)
    await writeFile(join(folder, 'privkey.pem'), key)
    const site = read('deploy/nginx-site.conf')
      .replaceAll(/^ +listen \[::\].*\n/gmu, '')
      .replace('listen 443 ', `listen 127.0.0.1:${https} `)
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replaceAll(`/etc/letsencrypt/live/${NAME}`, folder)
    const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${join(folder, kind)};`,
    )
    const config = join(folder, 'nginx.conf')
    await writeFile(config, `daemon off; pid ${folder}/pid; events {} http { ${kept.join(' ')}\n${site}}`)
    return ['nginx', '-e', 'stderr', '-c', config]
  },
  caddy: async (folder: string, { http, https }: Ports): Promise<string[]> => {
    const config = join(folder, 'Caddyfile')
    const options = ['admin off', 'local_certs', 'skip_install_trust', `http_port ${http}`, `https_port ${https}`]
    const storage = `storage file_system ${join(folder, 'certificates')}`
    await writeFile(config, `{\n${[...options, storage].join('\n')}\n}\n${read('deploy/Caddyfile')}`)
    return ['caddy', 'run', '--adapter', 'caddyfile', '--config', config]
  },
}

/** Runs the proxy until the test ends. Returns what it answers to calls like `GET /path` over http. */
async function startProxy(proxy: keyof typeof PROXIES): Promise<(call: string) => Promise<string>> {
  const folder = await mkdtemp(join(tmpdir(), `marquee-${proxy}-`))
  const ports = { http: await freePort(), https: await freePort() }
  const [program = '', ...options] = await PROXIES[proxy](folder, ports)
  const child = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder } })
  const closed = once(child, 'close')
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => (printed += part))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await closed
    await rm(folder, { recursive: true })
  })
  const ask = async (call: string): Promise<string> => await answerTo(call, ports.http)
  const untilReady = async (): Promise<unknown> => child.exitCode === null && (await ask('GET /'))
  await vi.waitFor(untilReady, { timeout: 60_000 })
  if (child.exitCode !== null) throw new Error(`${program} ended: ${printed}`)
  return ask
}

/** `301 https://…` for a redirect, or the status with the body. */
async function answerTo(call: string, port: number): Promise<string> {
  const [method, path] = call.split(' ')
  const asked = request({ host: '127.0.0.1', port, method, path, headers: { host: NAME }, agent: false }).end()
  const [reply] = (await once(asked, 'response')) as [IncomingMessage]
  const body = await text(reply)
  return `${reply.statusCode} ${reply.headers.location ?? body.trim()}`
}

for (const proxy of ['nginx', 'caddy'] as const) {
  const isInstalled = spawnSync(proxy, [proxy === 'nginx' ? '-v' : 'version']).error === undefined

  // Evidence: asvs-4.1.2
  test.runIf(isInstalled)(`the ${proxy} example redirects pages to https and refuses calls over http`, async () => {
    const ask = await startProxy(proxy)

    const calls = await Promise.all(CALLS.map(ask))
    const pages = await Promise.all(PAGES.map(ask))

    expect(calls).toEqual(CALLS.map(() => '403 Use https.'))
    expect(pages).toEqual([
      '301 https://movies.example.org/',
      '301 https://movies.example.org/watchlists/0b5e?card=1',
      '301 https://movies.example.org/apiary',
    ])
  })
}

// Evidence: asvs-4.1.2
test('the Traefik example routes only pages over http', () => {
  const { routers } = (parse(read('deploy/traefik.yaml')) as { http: { routers: Record<string, Router> } }).http
  const overHttp = Object.values(routers).filter(({ entryPoints }) => entryPoints.includes('web'))

  expect(overHttp).toEqual([
    {
      rule: 'Host(`movies.example.org`) && !PathPrefix(`/api`) && !PathPrefix(`/identity`) && !PathPrefix(`/oauth2`)',
      entryPoints: ['web'],
      middlewares: ['marquee-https'],
      service: 'noop@internal',
    },
  ])
})
