import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { Card, CardsPage } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { RATE_LIMITS } from '@marquee/contract/rate-limits'

import { clientOf } from './testing/api-client.ts'
import { aPng } from './testing/images.ts'
import { openStream } from './testing/open-stream.ts'
import { type Scaled, startScaled } from './testing/scaled.ts'
import type { ServerProcess } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'

const PATIENCE = { timeout: 30_000, interval: 200 }

let dataDir: string
let scaled: Scaled
let one: ServerProcess
let other: ServerProcess
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

test('while S3 answers 503, images and uploads get 503 and no card is added; afterwards they succeed', async () => {
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

test('only events of the other process are missing without Redis, and streams reconnect when it is back', async () => {
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

test('while PostgreSQL is down, requests get 503 with Retry-After; afterwards no acknowledged card is missing', async () => {
  const acknowledged: string[] = []
  const refused: unknown[] = []
  let isOver = false
  const keepAdding = async (at: ServerProcess): Promise<void> => {
    while (!isOver) {
      const { status, body } = await addCard(at, { title: 'Kept', revealImmediately: true })
      if (status === 201) acknowledged.push(body.id)
      else refused.push([status, (body as unknown as { type: string }).type])
    }
  }
  const writers = [keepAdding(one), keepAdding(other), keepAdding(one)]
  await vi.waitFor(() => {
    expect(acknowledged.length).toBeGreaterThan(20)
  }, PATIENCE)

  const config = (await (await fetch(`${one.url}/config.json`)).json()) as { auth: { userPoolClientId: string } }
  await scaled.postgres.stop()
  const [ready, read, identity] = await Promise.all([
    fetch(`${one.url}/readyz`),
    fetch(`${other.url}/api/watchlists/${watchlist.id}/cards`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${other.url}/identity/`, {
      method: 'POST',
      headers: { 'x-amz-target': 'AWSCognitoIdentityProviderService.ForgotPassword' },
      body: JSON.stringify({ ClientId: config.auth.userPoolClientId, Username: 'ana' }),
    }),
  ])
  await scaled.postgres.start()
  const before = acknowledged.length
  await vi.waitFor(async () => {
    expect((await fetch(`${one.url}/readyz`)).status).toBe(200)
    expect(acknowledged.length).toBeGreaterThan(before + 5)
  }, PATIENCE)
  isOver = true
  await Promise.all(writers)

  for (const answer of [ready, read]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toMatchObject({ type: 'SERVICE_UNAVAILABLE' })
  }
  expect([identity.status, identity.headers.get('retry-after')]).toEqual([503, '5'])
  expect(new Set(refused.map(String))).toEqual(new Set(['503,SERVICE_UNAVAILABLE']))
  const kept = await allCards()
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
})

async function allCards(): Promise<Set<string>> {
  const ids = new Set<string>()
  let nextToken: string | null = ''
  while (nextToken !== null) {
    const query: string = nextToken === '' ? '' : `&nextToken=${nextToken}`
    const { body }: { body: CardsPage } = await clientOf(other, token)(
      'GET',
      `/watchlists/${watchlist.id}/cards?limit=50${query}`,
    )
    for (const card of body.cards) ids.add(card.id)
    nextToken = body.nextToken
  }
  return ids
}
