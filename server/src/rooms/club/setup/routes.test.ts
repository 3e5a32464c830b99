import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

import pino from 'pino'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { createIdentity, type Identity, identityMigrations } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { localRateLimiter, noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'
import type { MailMessage } from '@marquee/platform/mail/message'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import type { Ports } from '../../../ports.ts'
import { call } from '../../../testing/call.ts'
import { startApp } from '../../../testing/start-app.ts'
import { testMail } from '../../../testing/test-mail.ts'

const code = 'code-of-the-first-start'
const ANA = { code, username: 'Ana', email: 'ana@example.org', password: 'Correct-Horse-7' }
const WRONG_CODE = { type: 'UNAUTHORIZED', message: 'This code is wrong' }
const NOT_FOUND = { type: 'NOT_FOUND', message: 'Resource not found' }

eachStatement({ product: productMigrations, mail: mailMigrations, identity: identityMigrations }, (theDatabase) => {
  const stops: (() => Promise<void>)[] = []
  beforeEach(async () => {
    await removeAccounts(theDatabase())
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
  })

  /** The app with the built-in pool, on a database without accounts. */
  async function anInstallation(ports: Partial<Ports> = {}, setup: Partial<Ports['setup']> = {}) {
    const logger = pino({ level: 'silent' })
    const mail = testMail(theDatabase(), logger)
    const identity: Identity = await createIdentity({
      database: theDatabase(),
      clock: systemClock,
      random: systemRandom,
      mail,
      logger,
      limiter: noRateLimiter,
      masterKey,
      publicUrl: 'http://marquee.test',
      productName: 'Marquee',
      registration: { kind: 'closed' },
    })
    const delivered: MailMessage[] = []
    const mailTransport = { deliver: async (_id: string, message: MailMessage) => void delivered.push(message) }
    const app = await startApp(theDatabase(), {
      accounts: identity,
      mail,
      setup: { setupCode: code, mailTransport, hasMailServer: true, ...setup },
      ...ports,
    })
    stops.push(app.stop, mail.stop)
    const check = async (headers: Record<string, string> = {}, given = '') =>
      (await call(app, ENDPOINTS.checkSetup, undefined, { body: { code: given }, headers })).status
    const create = async (body: object) => await call(app, ENDPOINTS.createFirstAccount, undefined, { body })
    return { app, identity, check, create, delivered }
  }

  test('the code opens the setup, and each call refuses a wrong or missing code', async () => {
    const { app, identity, check, create } = await anInstallation()
    const mail = { code: 'x', email: 'ana@example.org', language: 'en' }

    expect([await check({}, code), await check({}, 'x'), await check()]).toEqual([204, 403, 403])
    expect(await create({ ...ANA, code: 'x' })).toMatchObject({ status: 403, body: WRONG_CODE })
    expect(await call(app, ENDPOINTS.sendTestMail, undefined, { body: mail })).toMatchObject({ body: WRONG_CODE })
    expect(await identity.firstAccount.isMissing()).toBe(true)
  })

  test('the first account is confirmed although registration is closed, and then the calls get 404', async () => {
    const { app, identity, check, create } = await anInstallation()

    expect((await create(ANA)).status).toBe(204)

    expect(await identity.directory.find('ana@example.org')).toMatchObject({
      username: 'Ana',
      status: 'CONFIRMED',
      emailIsVerified: true,
    })
    expect(await create({ ...ANA, username: 'Eve', email: 'eve@example.org' })).toMatchObject({ body: NOT_FOUND })
    const body = { code, email: 'ana@example.org', language: 'en' }
    expect((await call(app, ENDPOINTS.sendTestMail, undefined, { body })).status).toBe(404)
    expect([await check({}, code), await check()]).toEqual([404, 404])
  })

  test('only one of several simultaneous setups creates an account', { tags: ['race'] }, async () => {
    const [one, other] = [await anInstallation(), await anInstallation()]
    const names = ['a', 'b', 'c', 'd', 'e', 'f']

    const answers = await Promise.all(
      names.map(async (username, n) =>
        (n % 2 === 0 ? one : other).create({ ...ANA, username, email: `${username}@example.org` }),
      ),
    )

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404])
    expect(await one.identity.directory.count()).toMatchObject({ all: 1 })
  })

  test('an account that was created in another way ends the setup', async () => {
    const { identity, check } = await anInstallation()
    await identity.admin.createUser({ username: 'Ben', email: 'ben@example.org', temporaryPassword: 'Temp0rary' })

    expect(await check({}, code)).toBe(404)
  })

  test('an invalid name, address or password creates no account', async () => {
    const { identity, create } = await anInstallation()

    const answers = [
      await create({ ...ANA, username: 'ana@example.org' }),
      await create({ ...ANA, email: 'ana,ben@example.org' }),
      await create({ ...ANA, password: 'too-weak' }),
    ]

    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [400, 'Invalid username.'],
      [400, 'email: This is not an e-mail address'],
      [400, 'password: This is not a valid password'],
    ])
    expect(await identity.firstAccount.isMissing()).toBe(true)
  })

  test('the test mail is in the language of the page, and its outcome is reported', async () => {
    const body = { code, email: 'ana@example.org', language: 'de' }
    const { app, delivered } = await anInstallation()
    const { app: withoutServer } = await anInstallation({}, { hasMailServer: false })
    const deliver = async () => await Promise.reject(new Error('connect ECONNREFUSED'))
    const { app: withDeadServer } = await anInstallation({}, { mailTransport: { deliver } })
    const outcomeAt = async (to: typeof app) => (await call(to, ENDPOINTS.sendTestMail, undefined, { body })).body

    expect(await outcomeAt(app)).toEqual({ outcome: 'accepted', reason: null })
    expect(delivered).toMatchObject([{ to: 'ana@example.org', subject: 'Test-E-Mail von Marquee' }])
    expect(await outcomeAt(withoutServer)).toEqual({ outcome: 'kept', reason: null })
    expect(await outcomeAt(withDeadServer)).toEqual({ outcome: 'failed', reason: 'connect ECONNREFUSED' })
  })

  test('a caller can omit the code only if its address, the host name and the public URL are local', async () => {
    const { app, check } = await anInstallation({ publicUrl: 'http://localhost:3000' })
    const { check: atPublicUrl } = await anInstallation({ publicUrl: 'https://films.example.org' })
    const host = 'localhost:3000'

    expect([await check({ host }), await check({ host: '127.0.0.1' }), await check({ host: '[::1]:3000' })]).toEqual([
      204, 204, 204,
    ])
    // A page of another site whose name leads to this machine.
    expect(await check({ host: 'rebound.example.org' })).toBe(403)
    expect(await atPublicUrl({ host })).toBe(403)
    const elsewhere = { method: 'POST', url: '/api/setup/check', headers: { host }, payload: { code: '' } } as const
    expect((await app.app.inject({ ...elsewhere, remoteAddress: '192.0.2.7' })).statusCode).toBe(403)
  })

  describe('a caller on the same machine', () => {
    const host = 'localhost:3000'
    const page = `http://${host}`

    test('a call from the server’s own page needs no code', async () => {
      const { check } = await anInstallation({ publicUrl: page })

      const ownPage = { host, origin: page, referer: `${page}/setup`, 'sec-fetch-site': 'same-origin' }
      expect(await check(ownPage)).toBe(204)
    })

    test.each([
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { 'x-request-id': '7' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { 'cdn-loop': 'cloud' },
      { 'max-forwards': '9' },
      { 'proxy-connection': 'keep-alive' },
      { 'true-client-ip': '127.0.0.1' },
      { 'cf-ray': '7' },
      { host: 'films.example.org' },
      { host: 'localhost.example.org' },
      { origin: 'https://films.example.org' },
      { origin: 'http://localhost:8080' },
      { origin: 'https://localhost:3000' },
      { origin: 'null' },
      { referer: 'https://films.example.org/setup' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ])('a call on the same machine needs the code if it sends %j', async (sign) => {
      const { check } = await anInstallation({ publicUrl: page })

      expect(await check({ host, ...sign } as Record<string, string>)).toBe(403)
      expect(await check({ host, ...sign } as Record<string, string>, code)).toBe(204)
    })

    test('a call on the same machine needs the code if a proxy forwards it as HTTP/1.0 without a header', async () => {
      const { app } = await anInstallation({ publicUrl: page })
      const url = new URL(await app.app.listen({ host: '127.0.0.1', port: 0 }))
      const body = '{"code":""}'
      const request = (version: string) =>
        [
          `POST /api/setup/check HTTP/${version}`,
          `Host: ${url.host}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          'Connection: close',
          '',
          body,
        ].join('\r\n')
      const statusOf = async (version: string) => {
        const socket = connect(Number(url.port), url.hostname)
        socket.write(request(version))
        let reply = ''
        for await (const chunk of socket) reply += String(chunk)
        return reply.split(' ')[1]
      }

      expect([await statusOf('1.1'), await statusOf('1.0')]).toEqual(['204', '403'])
    })
  })

  test('a caller gets 429 after 30 wrong codes, even with the right code', async () => {
    const { check } = await anInstallation({ limiter: localRateLimiter() })

    for (let n = 0; n < 30; n += 1) expect(await check({}, `guess ${n}`)).toBe(403)

    expect(await check({}, code)).toBe(429)
  })
})

/** The key of all installations on a database. */
const masterKey = randomBytes(32)

async function removeAccounts(database: Database<unknown>): Promise<void> {
  const tables = database.withTables<Record<'identity_user' | 'identity_login_name', object>>()
  await tables.transaction(async (trx) => {
    await trx.deleteFrom('identity_login_name').execute()
    await trx.deleteFrom('identity_user').execute()
  })
}
