import { randomBytes } from 'node:crypto'

import type { InjectOptions } from 'fastify'
import pino from 'pino'
import { expect, test } from 'vitest'

import { createIdentity, identityMigrations } from '@marquee/identity'
import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'
import { systemClock } from '@marquee/platform/runtime/clock'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachDatabase, TRIES_ALL } from '@marquee/platform/testing/each-database'

import { catalogueSourceOf } from './settings/catalogue-settings.ts'
import { productMigrations } from './migrations/index.ts'
import type { OpenApiDocument } from './openapi/document-types.ts'
import { removePersonAt } from './remove-person.ts'
import { readServerSettings } from './settings/settings.ts'
import { startCatalogueStandIn } from './testing/catalogue/stand-in.ts'
import { TOOLS } from './testing/fuzz/hosted-requests.ts'
import { createKnowledge } from './testing/fuzz/known.ts'
import { requestsOf } from './testing/fuzz/requests.ts'
import type { Send } from './testing/fuzz/parts.ts'
import { createFuzz } from './testing/fuzz/run.ts'
import { signUpUsers } from './testing/fuzz/users.ts'
import { NO_MEDIA_SERVERS } from './testing/media-servers.ts'
import { startApp } from './testing/start-app.ts'
import { testMail } from './testing/test-mail.ts'

const SEED = 20_261_120
/** SQLite gets the first half and PostgreSQL the second; with `npm test -- --all`, each gets all. */
const REQUESTS = 4_000
const SHARE = TRIES_ALL ? REQUESTS : REQUESTS / 2
/** Each kind of reply comes more often. Creations are the rarest: 16 to 23 of 2,000. */
const OFTEN = SHARE / 200
const AT_ONCE = 16
const SACRIFICE_EVERY = 400
const TAKES_AT_MOST_MS = 240_000
const PUBLIC_URL = 'http://localhost:3000'
/** Every host name leads to the stand-in; other addresses stay forbidden. */
const TO_STAND_IN = {
  lookup: async () => await Promise.resolve(['127.0.0.1']),
  allowAddress: (ip: string) => ip === '127.0.0.1',
  allowPort: () => true,
}

eachDatabase({ product: productMigrations, identity: identityMigrations, mail: mailMigrations }, (theDatabase) => {
  async function aTarget() {
    const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
    const logged: string[] = []
    const [database, clock, random] = [theDatabase(), systemClock, systemRandom]
    const mail = testMail(database, logger)
    const identity = await createIdentity({
      database,
      clock,
      random,
      mail,
      logger,
      limiter: noRateLimiter,
      masterKey: randomBytes(32),
      publicUrl: PUBLIC_URL,
      productName: 'Marquee',
      deviceTracking: 'on',
      adminKey: { accessKeyId: 'key', secretAccessKey: 'a-secret-of-thirty-two-characters' },
      identityPool: { id: undefined, allowsGuests: true },
      externalProvider: { issuer: 'http://127.0.0.1:9', clientId: 'marquee', name: 'Elsewhere' },
      oauthClients: TOOLS,
      onUserDeleted: removePersonAt(clock, systemRandom),
    })
    const standIn = await startCatalogueStandIn()
    const source = catalogueSourceOf(readServerSettings({ CATALOGUE: 'wikidata', ...standIn.settings }))
    if (!source) throw new Error('The catalogue is switched off')
    const { app, stop } = await startApp(database, {
      catalogue: { source, guard: TO_STAND_IN, masterKeys: [randomBytes(32)] },
      accounts: identity,
      allowGuests: true,
      mail,
      logger,
      publicUrl: PUBLIC_URL,
      imageFetch: { ...TO_STAND_IN, timeoutMs: 200 },
      webhookFetch: { timeoutMs: 200 },
      mediaServers: NO_MEDIA_SERVERS,
    })
    // Cut connections and the limits of the HTTP parser are left to `npm run fuzz`.
    const send: Send = async ({ method, url, headers, payload, isStream }) => {
      const asked = { method: method as NonNullable<InjectOptions['method']>, url, headers }
      const options = { ...asked, ...(payload !== undefined && { payload }) }
      if (!isStream) {
        const { statusCode, headers: answered, body } = await app.inject(options)
        return { status: statusCode, headers: answered as Record<string, string>, body }
      }
      const reply = await app.inject({ ...options, payloadAsStream: true })
      const stream = reply.stream()
      const [first] = (await stream.take(1).toArray()) as Buffer[]
      return { status: reply.statusCode, headers: reply.headers as Record<string, string>, body: String(first ?? '') }
    }
    return {
      send,
      logged,
      document: (await app.inject('/api/openapi.json')).json<OpenApiDocument>(),
      codeOf: (email: string) => /^\d{6}$/mu.exec(mail.delivered().findLast(({ to }) => to === email)?.text ?? '')?.[0],
      /** Pages and pictures behind links, made to keep the server busy. */
      hostilePages: ['/deep', '/spaces', '/values', '/poster.png', '/leads-inside'].map(
        (path) => `http://films.example.org:${new URL(standIn.origin).port}${path}`,
      ),
      stop: async () => {
        await stop()
        await standIn.stop()
        await mail.stop()
      },
    }
  }

  // Evidence: asvs-1.2.4, asvs-2.2.2
  test(
    'thousands of hostile requests to every endpoint are answered as documented, and none with 5xx',
    async () => {
      const target = await aTarget()
      const knowledge = createKnowledge()
      for (const page of target.hostilePages) knowledge.learn('hostilePage', page)
      const users = await signUpUsers(target, knowledge)
      const attempt = createFuzz({ send: target.send, knowledge, idTokens: users.idTokens })
      const faults: string[] = []
      const statuses = new Map<number, number>()

      const waiting = requestsOf(
        { document: target.document, users: users.idTokens().length },
        { seed: SEED, first: theDatabase().dialect === 'sqlite' ? 0 : REQUESTS - SHARE, count: SHARE },
      )
      const keepSending = async () => {
        for (const { number, request } of waiting) {
          if (number % SACRIFICE_EVERY === 0) await users.sacrifice()
          const { sent, status = 0, fault } = await attempt(request)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (fault !== undefined) faults.push(`number ${number} ${fault}: ${JSON.stringify(sent).slice(0, 1_000)}`)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, keepSending))
      await target.stop()

      expect(faults.slice(0, 10)).toEqual([])
      expect(target.logged).toEqual([])
      // Each kind of reply occurred often enough for the result to mean something.
      for (const status of [200, 201, 204, 302, 400, 401, 403, 404]) expect(statuses.get(status)).toBeGreaterThan(OFTEN)
      for (const status of [405, 415]) expect(statuses.get(status)).toBeGreaterThan(2)
    },
    TAKES_AT_MOST_MS,
  )
})
