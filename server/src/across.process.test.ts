import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { SecurityEventsPage } from '@marquee/contract/entities/account'
import type { Card } from '@marquee/contract/entities/card'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { openDatabase } from '@marquee/platform/database/open'
import { createLogger } from '@marquee/platform/runtime/logger'
import { WITHIN } from '@marquee/platform/testing/within'

import { clientOf } from './testing/api-client.ts'
import { callPool } from './testing/call-pool.ts'
import { openStream } from './testing/open-stream.ts'
import { runMarquee } from './testing/run-marquee.ts'
import { type Scaled, startScaled } from './testing/scaled.ts'
import type { ServerProcess } from './testing/server-process.ts'
import { PASSWORD, signUp } from './testing/sign-up.ts'

type Tokens = { IdToken: string; AccessToken: string; RefreshToken: string }

let dataDir: string
let scaled: Scaled

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marquee-across-'))
  scaled = await startScaled({ dataDir })
  for (const name of ['ana', 'ben']) await signUp({ url: scaled.url, dataDir, name })
})
afterAll(async () => {
  await scaled.stop()
  await rm(dataDir, { recursive: true, force: true })
})

function both(): { one: ServerProcess; other: ServerProcess } {
  const [one, other] = scaled.processes
  if (!one || !other) throw new Error('There are not two processes')
  return { one, other }
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
  const { one, other } = both()
  const tokens = await signIn(one, 'ana')
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
  const { body: watchlist } = await clientOf(at, IdToken)<Watchlist>('POST', '/watchlists', { name: 'Heard' })
  const stream = await openStream(`${at.url}/api/watchlists/${watchlist.id}/events`, IdToken)
  await end()
  await stream.ended
  return stream.heartbeats()
}

test('an event stream at one process ends at once after a sign-out at the other, even without Redis', async () => {
  const { one, other } = both()
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

test('both processes share the count of wrong passwords: the fifth locks the account', async () => {
  const { one, other } = both()
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

test('a request that is repeated at the other process creates nothing again', async () => {
  const { one, other } = both()
  const { IdToken } = await signIn(one, 'ana')
  const { body: watchlist } = await clientOf(one, IdToken)<Watchlist>('POST', '/watchlists', { name: 'Films' })
  const addWith = async (key: string, at: ServerProcess): Promise<Card> => {
    const answer = await fetch(`${at.url}/api/watchlists/${watchlist.id}/cards`, {
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
  const { body } = await clientOf(other, IdToken)<{ cards: Card[] }>('GET', `/watchlists/${watchlist.id}/cards`)
  expect(body.cards.map(({ id }) => id)).toEqual([racing[0]?.id, first.id])
})

test('a process accepts a token of a signing key that it has not read yet', async () => {
  const { one, other } = both()
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
