import { randomUUID } from 'node:crypto'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { SecurityEventsPage } from '@marquee/contract/entities/account'
import type { Card, CardsPage } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { RATE_LIMITS } from '@marquee/contract/rate-limits'
import { openDatabase } from '@marquee/platform/database/open'
import { createLogger } from '@marquee/platform/runtime/logger'
import { WITHIN } from '@marquee/platform/testing/within'

import { clientOf } from './testing/api-client.ts'
import { callPool } from './testing/call-pool.ts'
import { aPng } from './testing/images.ts'
import { openStream } from './testing/open-stream.ts'
import { runMarquee } from './testing/run-marquee.ts'
import { type Scaled, startScaled } from './testing/scaled.ts'
import type { ServerProcess } from './testing/server-process.ts'
import { PASSWORD, signUp } from './testing/sign-up.ts'

type Tokens = { IdToken: string; AccessToken: string; RefreshToken: string }

const PATIENCE = { timeout: 30_000, interval: 200 }

let dataDir: string
let scaled: Scaled
let one: ServerProcess
let other: ServerProcess
/** The id token of ana, who stays signed in. */
let token: string
let watchlist: Watchlist

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marquee-scaled-'))
  scaled = await startScaled({ dataDir })
  const [first, second] = scaled.processes
  if (!first || !second) throw new Error('There are not two processes')
  one = first
  other = second
  token = await signUp({ url: scaled.url, dataDir, name: 'ana' })
  await signUp({ url: scaled.url, dataDir, name: 'ben' })
  watchlist = (await clientOf(one, token)<Watchlist>('POST', '/watchlists', { name: 'Films' })).body
})
afterAll(async () => {
  await scaled.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function addCard(at: ServerProcess, card: object): Promise<{ status: number; body: Card }> {
  return await clientOf(at, token)<Card>('POST', `/watchlists/${watchlist.id}/cards`, {
    title: 'A film',
    image: 'https://posters.example.org/a.jpg',
    ...card,
  })
}

async function rename(at: ServerProcess, name: string): Promise<Response> {
  return await fetch(`${at.url}/api/watchlists/${watchlist.id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
}

async function listenAt(at: ServerProcess) {
  return await openStream(`${at.url}/api/watchlists/${watchlist.id}/events`, token)
}

test('a reveal at one process reaches the event streams of the other', async () => {
  const stream = await listenAt(other)

  const { body: card } = await addCard(one, {})
  await clientOf(one, token)('POST', `/watchlists/${watchlist.id}/cards/reveal`)

  expect((await stream.next()).kind).toBe('box-changed')
  expect(await stream.next()).toMatchObject({ kind: 'card-revealed', cardId: card.id, by: 'ana' })
  stream.leave()
})

test('both processes share the rate limit of an address', async () => {
  const look = async (at: ServerProcess) =>
    await fetch(`${at.url}/api/validate-image-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
      body: JSON.stringify({ url: 'no address' }),
    })
  for (let n = 0; n < RATE_LIMITS.checkUrl.max; n += 1) await look(n % 2 === 0 ? one : other)

  const answers = await Promise.all([look(one), look(other)])

  expect(answers.map(({ status }) => status)).toEqual([429, 429])
})

test('an image uploaded to one process is served by the other, from the bucket', async () => {
  const { body: card } = await addCard(one, { image: await aPng(), revealImmediately: true })

  const shown = await fetch(`${other.url}${new URL(card.imageUrl).pathname}`)

  expect(shown.status).toBe(200)
  expect(shown.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(shown.headers.get('content-type')).toBe('image/webp')
  await expect(access(join(dataDir, 'images'))).rejects.toThrow('ENOENT')
})

test('images and uploads get 503 and no card is added while S3 answers 503, and they succeed afterwards', async () => {
  const { body: card } = await addCard(one, { image: await aPng({ width: 9 }), revealImmediately: true })
  const path = new URL(card.imageUrl).pathname
  const before = await count()

  scaled.s3.failWith(503)
  const shown = await fetch(`${other.url}${path}`)
  const uploaded = await addCard(one, { title: 'Half', image: await aPng({ width: 10 }), revealImmediately: true })
  const linked = await addCard(other, { title: 'Whole', revealImmediately: true })
  scaled.s3.failWith(undefined)

  expect([shown.status, shown.headers.get('retry-after')]).toEqual([503, '5'])
  expect(uploaded).toMatchObject({ status: 503, body: { type: 'SERVICE_UNAVAILABLE' } })
  expect(linked.status).toBe(201)
  expect(await count()).toBe(before + 1)
  expect((await fetch(`${other.url}${path}`)).status).toBe(200)
  expect((await addCard(one, { image: await aPng({ width: 10 }) })).status).toBe(201)
})

async function count(): Promise<number> {
  const { body } = await clientOf(one, token)<CardsPage>('GET', `/watchlists/${watchlist.id}/cards?limit=50`)
  return body.cards.length
}

test('a stream gets only the events of its own process while Redis is down, and ends when Redis is back', async () => {
  const [here, there] = [await listenAt(one), await listenAt(other)]
  const lossesBefore = losses(one)

  await scaled.redis.kill()
  const answer = await rename(one, 'Alone')
  const heard = await here.next()
  await scaled.redis.start()
  await Promise.all([here.ended, there.ended])

  expect(answer.status).toBe(200)
  expect(heard.kind).toBe('watchlist-changed')
  await expect(there.next()).rejects.toThrow('The stream ended')
  await vi.waitFor(async () => {
    // Both processes report the gap, one after the other, so a new stream may end once more.
    const again = await listenAt(other)
    await rename(one, 'Together')
    expect((await again.next().finally(again.leave)).kind).toBe('watchlist-changed')
  }, PATIENCE)
  expect(losses(one)).toBe(lossesBefore + 1)
})

function losses(at: ServerProcess): number {
  return at.output().split('Redis is gone').length - 1
}

async function tryPassword(at: ServerProcess, USERNAME: string, password: string) {
  const AuthParameters = { USERNAME, PASSWORD: password }
  return await callPool(at, 'InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters })
}

async function signIn(at: ServerProcess, name: string): Promise<Tokens> {
  const { body } = await tryPassword(at, name, PASSWORD)
  return body['AuthenticationResult'] as Tokens
}

async function statusAt(at: ServerProcess, { IdToken }: Tokens): Promise<number> {
  return (await clientOf(at, IdToken)('GET', '/watchlists')).status
}

test.each([
  ['by its refresh token', 'RevokeToken', ({ RefreshToken }: Tokens) => ({ Token: RefreshToken })],
  ['everywhere', 'GlobalSignOut', ({ AccessToken }: Tokens) => ({ AccessToken })],
])('a sign-out %s in one process takes effect in the other', async (_how, operation, tokenIn) => {
  const tokens = await signIn(one, 'ben')
  const before = await statusAt(other, tokens)

  const answer = await callPool(one, operation, tokenIn(tokens))

  expect([before, answer.status]).toEqual([200, 200])
  await vi.waitFor(async () => {
    expect(await statusAt(other, tokens)).toBe(401)
  }, WITHIN)
})

/** Opens an event stream at one process, and returns how many heartbeats it gets until `end` ends it. */
async function heartbeatsUntilEnded(
  at: ServerProcess,
  { IdToken }: Tokens,
  end: () => Promise<unknown>,
): Promise<number> {
  const { body: list } = await clientOf(at, IdToken)<Watchlist>('POST', '/watchlists', { name: 'Heard' })
  const stream = await openStream(`${at.url}/api/watchlists/${list.id}/events`, IdToken)
  await end()
  await stream.ended
  return stream.heartbeats()
}

test('an event stream at one process ends at once after a sign-out at the other, even without Redis', async () => {
  const [first, second] = [await signIn(one, 'ana'), await signIn(one, 'ana')]
  const signOut = async ({ RefreshToken }: Tokens) => await callPool(one, 'RevokeToken', { Token: RefreshToken })

  const heard = await heartbeatsUntilEnded(other, first, async () => await signOut(first))
  const found = await heartbeatsUntilEnded(other, second, async () => {
    await scaled.redis.kill()
    await signOut(second)
  })
  const status = await statusAt(other, second)
  await scaled.redis.start()

  // A heartbeat would end the streams, too.
  expect([heard, found]).toEqual([0, 0])
  expect(status).toBe(401)
})

test('both processes share the count of wrong passwords, and the fifth locks the account', async () => {
  const ben = await signIn(one, 'ben')
  const locks = async () => {
    const { body } = await clientOf(other, ben.IdToken)<SecurityEventsPage>('GET', '/account/events')
    return body.events.filter(({ kind }) => kind === 'locked-out').length
  }
  for (const at of [one, other, one, other]) await tryPassword(at, 'ben', 'Wrong-Horse-7')
  const before = await locks()

  await tryPassword(one, 'ben', 'Wrong-Horse-7')

  expect([before, await locks()]).toEqual([0, 1])
})

test('a request that is repeated at the other process does not create a second card', async () => {
  const { IdToken } = await signIn(one, 'ana')
  const { body: list } = await clientOf(one, IdToken)<Watchlist>('POST', '/watchlists', { name: 'Films' })
  const addWith = async (key: string, at: ServerProcess): Promise<Card> => {
    const answer = await fetch(`${at.url}/api/watchlists/${list.id}/cards`, {
      method: 'POST',
      headers: { authorization: `Bearer ${IdToken}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ title: 'Once', image: 'https://posters.example.org/a.jpg', revealImmediately: true }),
    })
    expect(answer.status).toBe(201)
    return (await answer.json()) as Card
  }
  const [key, sameMoment] = [randomUUID(), randomUUID()]

  const first = await addWith(key, one)
  const again = await addWith(key, other)
  const racing = await Promise.all([one, other, one, other].map(async (at) => await addWith(sameMoment, at)))

  expect(again).toEqual(first)
  expect(new Set(racing.map(({ id }) => id)).size).toBe(1)
  const { body } = await clientOf(other, IdToken)<{ cards: Card[] }>('GET', `/watchlists/${list.id}/cards`)
  expect(body.cards.map(({ id }) => id)).toEqual([racing[0]?.id, first.id])
})

// The last one: it replaces a process.
test('a process accepts a token that was signed with a key it has not read yet', async () => {
  const settings = { DATA_DIR: dataDir, DATABASE_URL: scaled.postgres.url, PUBLIC_URL: scaled.url }
  const before = keyOf(await signIn(other, 'ana'))

  const { code } = await runMarquee(['keys', 'rotate-signing'], { settings })
  await letNewKeysSign()
  await one.end('SIGTERM')
  const tokens = await signIn(await scaled.start(0), 'ana')

  expect(code).toBe(0)
  expect(keyOf(tokens)).not.toBe(before)
  // A process reads the keys at most every ten seconds if it finds an unknown one; otherwise once an hour.
  await vi.waitFor(
    async () => {
      expect(await statusAt(other, tokens)).toBe(200)
    },
    { timeout: 30_000, interval: 100 },
  )
})

/** Makes the new keys one hour older: they are published that long before they sign. */
async function letNewKeysSign(): Promise<void> {
  const database = await openDatabase({ url: scaled.postgres.url, dataDir }, createLogger('silent'))
  await database
    .withTables<{ identity_signing_key: { generation: number; signs_from: string } }>()
    .transaction(
      async (trx) =>
        await trx
          .updateTable('identity_signing_key')
          .set({ signs_from: new Date().toISOString() })
          .where('generation', '>', 1)
          .execute(),
    )
  await database.close()
}

/** The id of the key that signed the id token. */
function keyOf({ IdToken }: Tokens): string {
  const [header = ''] = IdToken.split('.')
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid
}
