import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { Card } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import type { Database } from '@marquee/platform/database/database'
import { openPostgres } from '@marquee/platform/database/postgres'
import { type ReplicatedPostgres, startReplicatedPostgres } from '@marquee/platform/testing/replicated-postgres'

import { clientOf } from './testing/api-client.ts'
import { aPng } from './testing/images.ts'
import { startMailLoad } from './testing/mail-load.ts'
import { type MailServer, startMailServer } from './testing/mail-server.ts'
import { type Scaled, startScaled } from './testing/scaled.ts'
import type { ServerProcess } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'
import { installChangeLog } from './testing/simulation/change-log.ts'
import { startLoad } from './testing/simulation/load.ts'

const CODE = /^(\d{6})$/mu
const REDIS_AWAY_MS = 10_000
const POSTER = 'https://posters.example.org/a.jpg'
/** The rest of each client while no fault is near, which spares the processor. */
const REST_MS = 100
const PATIENCE = { timeout: 30_000, interval: 50 }

let dataDir: string
let smtp: MailServer
let postgres: ReplicatedPostgres
let scaled: Scaled
let observer: Database<unknown>
const tokens: string[] = []
let loads = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marquee-faults-scaled-'))
  smtp = await startMailServer()
  postgres = await startReplicatedPostgres()
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'marquee@example.org', RATE_LIMITS: 'off' }
  scaled = await startScaled({ dataDir, postgres, settings })
  const codeFor = async (email: string) => await smtp.findIn(email, CODE)
  for (const name of ['ana', 'ben']) tokens.push(await signUp({ url: scaled.url, name, codeFor }))
  observer = openPostgres(postgres.url, { onIdleError: () => undefined })
  await installChangeLog(observer.schema)
})
afterAll(async () => {
  await observer.close()
  await scaled.stop()
  await smtp.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Users who write to a watchlist through the load balancer, as fast as they can. */
async function underLoad(given: { picture?: string } = {}) {
  loads += 1
  const mails = await startMailLoad(smtp, { url: scaled.url, name: String(loads) })
  const load = await startLoad({
    ...given,
    url: scaled.url,
    tokens,
    observe: async (look) => await look(observer.read),
  })
  await load.untilAnswered(60)
  return {
    ...load,
    /** Has all clients send without a rest for a while, so that many requests are under way. */
    atFullSpeed: async () => {
      load.rest(0)
      await load.untilAnswered(60)
    },
    audit: async (kills: readonly Date[] = []) => [...(await load.audit()), ...(await mails.audit(kills))],
  }
}

function theFirst(): ServerProcess {
  const [first] = scaled.processes
  if (!first) throw new Error('There is no process')
  return first
}

test('requests under load succeed and are stored once, although one process is killed, one is stopped and Redis is down for ten seconds', async () => {
  const load = await underLoad()

  const kill = new Date()
  await theFirst().end('SIGKILL')
  load.rest(REST_MS)
  await load.untilAnswered(60)
  await scaled.start(0)
  await load.atFullSpeed()
  const code = await theFirst().end('SIGTERM')
  load.rest(REST_MS)
  await load.untilAnswered(60)
  await scaled.start(0)
  await load.atFullSpeed()
  await scaled.redis.kill()
  load.rest(REST_MS)
  await Promise.all([pause(REDIS_AWAY_MS), load.untilAnswered(200)])
  await scaled.redis.start()
  await load.untilAnswered(50)

  // It has finished its requests.
  expect(code).toBe(0)
  expect(await load.audit([kill])).toEqual([])
})

test('a process killed while watchlists share transactions has stored every comment that it acknowledged', async () => {
  const call = clientOf(theFirst(), tokens[0] ?? '')
  const addTalk = async () => {
    const list = await call<Watchlist>('POST', '/watchlists', { name: 'Films' })
    const path = `/watchlists/${list.body.id}/cards`
    const card = await call<Card>('POST', path, { title: 'Ran', image: POSTER, revealImmediately: true })
    return `${path}/${card.body.id}/comments`
  }
  const talks = await Promise.all(Array.from({ length: 8 }, addTalk))
  const acknowledged: string[] = []
  const ended = talks.map(async (path, talk) => {
    for (let n = 0; ; n += 1) {
      const content = `Together ${talk} ${n}`
      const answer = await call('POST', path, { content }).catch(() => undefined)
      if (answer?.status !== 201) return
      acknowledged.push(content)
    }
  })
  await vi.waitFor(() => {
    expect(acknowledged.length).toBeGreaterThan(100)
  }, PATIENCE)

  await theFirst().end('SIGKILL')
  await Promise.all(ended)
  await scaled.start(0)
  const { rows } = await sql<{ content: string; transaction: string }>`
    select content, xmin::text as transaction from comment where content like 'Together %'`.execute(observer.read)

  expect(rows.map(({ content }) => content)).toEqual(expect.arrayContaining(acknowledged))
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(rows.length)
})

/** What a process answers while its database is away: its readiness, a read and a call of the user pool. */
async function askWithoutDatabase() {
  const { url } = theFirst()
  const config = (await (await fetch(`${url}/config.json`)).json()) as { auth: { userPoolClientId: string } }
  const answers = await Promise.all([
    fetch(`${url}/readyz`),
    fetch(`${url}/api/watchlists`, { headers: { authorization: `Bearer ${tokens[0]}` } }),
    fetch(`${url}/identity/`, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.ForgotPassword' },
      body: JSON.stringify({ ClientId: config.auth.userPoolClientId, Username: 'ana' }),
    }),
  ])
  const texts = await Promise.all(answers.map(async (answer) => await answer.text()))
  return answers.map(({ status, headers }, n) => [status, headers.get('retry-after'), texts[n]])
}

// The last one: no replica is left.
test('requests under load succeed and are stored once, and every card shows its image, although S3 answers 503, PostgreSQL restarts and its replica is promoted', async () => {
  const load = await underLoad({ picture: await aPng() })
  const untilRepeated = async (times: number) => {
    const retries = load.retries()
    await vi.waitFor(() => {
      expect(load.retries()).toBeGreaterThan(retries + times)
    }, PATIENCE)
  }

  scaled.s3.failWith(503)
  load.rest(REST_MS)
  await Promise.all([load.untilAnswered(60), untilRepeated(0)])
  scaled.s3.failWith(undefined)
  await load.atFullSpeed()
  await postgres.stop()
  load.rest(REST_MS)
  const [answers] = await Promise.all([askWithoutDatabase(), untilRepeated(20)])
  await postgres.start()
  await load.atFullSpeed()
  await postgres.failOver()
  load.rest(REST_MS)
  await load.untilAnswered(100)

  expect(answers).toEqual([
    [503, '5', expect.stringContaining('"SERVICE_UNAVAILABLE"')],
    [503, '5', expect.stringContaining('"SERVICE_UNAVAILABLE"')],
    [503, '5', expect.any(String)],
  ])
  expect(await load.audit()).toEqual([])
})
