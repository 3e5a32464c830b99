import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { freePort } from '@marquee/platform/testing/free-port'
import { startOwnPostgres } from '@marquee/platform/testing/own-postgres'
import { startRedis } from '@marquee/platform/testing/redis-server'

import { callPool } from './testing/call-pool.ts'
import { type ServerProcess, startServer } from './testing/server-process.ts'
import { signIn, signUp } from './testing/sign-up.ts'

let dataDir: string
let metricsPort: string
let server: ServerProcess

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marquee-metrics-'))
  metricsPort = String(await freePort())
  const settings = { DATA_DIR: dataDir, METRICS_PORT: metricsPort, LOG_LEVEL: 'info' }
  server = await startServer({ PORT: String(await freePort()), ...settings })
})
afterAll(async () => {
  await server.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

// Evidence: asvs-13.4.5
test('metrics list requests by route and status, without parameters, and only on their own port', async () => {
  await fetch(`${server.url}/healthz`)
  await fetch(`${server.url}/api/watchlists/0199aaaa-secret`)
  await fetch(`${server.url}/ana@example.org`)
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  const text = await answer.text()
  const elsewhere = await fetch(`${server.url}/metrics`)

  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(text).toMatch(/^http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1$/mu)
  expect(text).toMatch(
    /^http_request_duration_seconds_count\{method="GET",route="\/api\/watchlists\/:\w+",status="401"\} 1$/mu,
  )
  expect(text).toMatch(/^mail_queue_length 0$/mu)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).not.toMatch(/secret|example\.org/u)
  expect(await elsewhere.text()).not.toContain('nodejs_eventloop')
})

test('every request is logged at level info with its id and route, without parameters', async () => {
  const before = server.output().length
  await fetch(`${server.url}/api/watchlists/0199aaaa-secret/cards?email=ana@example.org`)
  const log = () => server.output().slice(before)
  const lines = () =>
    log()
      .split('\n')
      .filter((text) => text.includes('a request was answered') && text.includes('/cards'))
  await expect.poll(lines).toHaveLength(1)
  const [line = '{}'] = lines()

  expect(JSON.parse(line)).toMatchObject({
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/u) as string,
    method: 'GET',
    route: expect.stringMatching(/^\/api\/watchlists\/:/u) as string,
    status: 401,
  })
  expect(log()).not.toMatch(/secret|example\.org/u)
  expect(line).not.toContain('127.0.0.1')
})

test('sign-ins are counted by result without a username, and the load of the database is measured', async () => {
  await signUp({ url: server.url, dataDir, name: 'ana' })
  await expect(signIn(server.url, 'stranger')).rejects.toThrow('Incorrect username or password')
  const text = await readMetrics(metricsPort)

  expect(text).toMatch(/^sign_ins_total\{result="signed-in"\} 1$/mu)
  expect(text).toMatch(/^sign_ins_total\{result="refused"\} 1$/mu)
  expect(text).toMatch(/^database_connections_open 2$/mu)
  expect(text).toMatch(/^database_waiting 0$/mu)
  expect(text).not.toMatch(/\bana\b|stranger|example\.org/u)
})

test('a server keeps running after the program that reads its output has ended', async () => {
  server.closeOutput()
  // Mails are printed, too.
  await signUp({ url: server.url, dataDir, name: 'ben' })
  await signUp({ url: server.url, dataDir, name: 'cleo' })

  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test('the metrics report that PostgreSQL and Redis are down, and still report all other values', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-metrics-'))
  const [postgres, redis, METRICS_PORT] = [await startOwnPostgres(), await startRedis(), String(await freePort())]
  const settings = { PORT: String(await freePort()), DATA_DIR: folder, METRICS_PORT }
  const scaled = await startServer({ ...settings, DATABASE_URL: postgres.url, REDIS_URL: redis.url })
  const before = await vi.waitFor(
    async () => {
      const text = await readMetrics(METRICS_PORT)
      // Read the metrics at a moment at which no statement waits.
      if (!/^database_waiting 0$/mu.test(text)) throw new Error('Something waits for the database')
      return text
    },
    { timeout: 30_000, interval: 50 },
  )
  await Promise.all([postgres.stop(), redis.kill()])
  const ready = await fetch(`${scaled.url}/readyz`)
  const AuthParameters = { USERNAME: 'ana', SRP_A: 'ab'.repeat(384) }
  const signingIn = await callPool(scaled, 'InitiateAuth', { AuthFlow: 'USER_SRP_AUTH', AuthParameters })
  const asked = await vi.waitFor(
    async () => {
      const text = await readMetrics(METRICS_PORT)
      if (!/^redis_connected 0$/mu.test(text)) throw new Error('Redis is still thought to be there')
      return text
    },
    { timeout: 30_000, interval: 100 },
  )
  const code = await scaled.end('SIGTERM')
  await postgres.remove()
  await rm(folder, { recursive: true, force: true })

  expect(before).toMatch(/^redis_connected 1$/mu)
  expect(before).toMatch(/^mail_queue_length 0$/mu)
  expect([ready.status, signingIn.status]).toEqual([503, 503])
  expect(asked).toMatch(/^outages_met_total\{of="database"\} 1$/mu)
  expect(asked).toMatch(/^sign_ins_total\{result="failed"\} 1$/mu)
  expect(asked).not.toMatch(/^mail_queue_length \d/mu)
  expect(asked).toContain('nodejs_eventloop_lag_seconds')
  expect(code).toBe(0)
})

async function readMetrics(port: string): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}
