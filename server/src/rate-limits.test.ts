import { describe, expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { RATE_LIMITS } from '@marquee/contract/rate-limits'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { recordingLimiter, sharedBy } from '@marquee/platform/testing/recording-limiter'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { call, type Caller, callOk } from './testing/call.ts'
import { aPng } from './testing/images.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { BODIES, isCall, QUERIES } from './testing/scene.ts'
import { anApp } from './testing/start-app.ts'
import { testToken } from './testing/test-accounts.ts'

const CHECKED_FROM = '203.0.113.7'

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const limiter = localRateLimiter()
  const theApp = anApp(theDatabase, { limiter })

  const check = async (remoteAddress: string) =>
    await theApp().app.inject({
      method: 'POST',
      url: '/api/validate-image-url',
      remoteAddress,
      headers: { 'content-type': 'application/json' },
      // Not a URL, so it is rejected without a fetch, but it counts.
      payload: JSON.stringify({ url: 'nothing' }),
    })

  // Evidence: asvs-2.3.2, asvs-2.4.1
  test('a user who writes too often gets 429, but can still read, and other users can still write', async () => {
    const [ana, ben] = [aUser('ana'), aUser('ben')]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, members: [ben] })
    const params = { watchlistId: watchlist.id }
    const rename = async (who = ana) =>
      await call(theApp(), ENDPOINTS.updateWatchlist, who, { params, body: { name: 'Again' } })
    for (let n = 1; n < RATE_LIMITS.write.max; n += 1) await rename()

    const refused = await rename()

    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({
      type: 'TOO_MANY_REQUESTS',
      message: 'Too many requests. Please wait a moment and try again.',
    })
    const wait = Number(refused.headers['retry-after'])
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(RATE_LIMITS.write.windowSeconds)
    expect((await rename(ben)).status).toBe(200)
    expect((await callOk(theApp(), ENDPOINTS.getWatchlist, ana, { params })).name).toBe('Again')
  })

  describe('signed-out calls count by address', () => {
    // Evidence: asvs-2.4.1
    test('signed-out calls share one limit per address, even if it is written as IPv6', async () => {
      for (let n = 0; n < RATE_LIMITS.checkUrl.max; n += 1) await check(CHECKED_FROM)

      expect((await check(CHECKED_FROM)).statusCode).toBe(429)
      expect((await check(`::ffff:${CHECKED_FROM}`)).statusCode).toBe(429)
      expect((await check('203.0.113.8')).statusCode).not.toBe(429)
    })
  })

  describe('reads are limited', () => {
    const readFrom = async (remoteAddress: string, { userId, username }: Caller = aUser()) => {
      const headers = { authorization: `Bearer ${testToken({ userId, username })}` }
      const { statusCode } = await theApp().app.inject({ url: '/api/watchlists/current', remoteAddress, headers })
      return statusCode
    }

    // Evidence: asvs-2.4.1
    test('reads are limited to 1,200 a minute for one user, across all addresses', async () => {
      const eve = aUser('eve')
      const limit = { max: 1_200, windowSeconds: 60 }
      for (let n = 0; n < 1_199; n += 1) await limiter.take('read', `user ${eve.userId}`, limit)

      expect(await readFrom('192.0.2.1', eve)).toBe(200)
      expect(await readFrom('192.0.2.2', eve)).toBe(429)
      expect(await readFrom('192.0.2.2')).toBe(200)
    })

    test('reads are limited to 3,000 a minute from one address', async () => {
      const limit = { max: 3_000, windowSeconds: 60 }
      for (let n = 0; n < 2_999; n += 1) await limiter.take('read by address', '198.51.100.7', limit)

      expect(await readFrom('198.51.100.7')).toBe(200)
      expect(await readFrom('198.51.100.7')).toBe(429)
      expect(await readFrom('198.51.100.8')).toBe(200)
    })
  })

  test('an image in a card counts as an upload, but an image URL does not', async () => {
    const eve = aUser('eve')
    const { watchlist } = await aWatchlist(theApp(), { owner: eve })
    const params = { watchlistId: watchlist.id }
    const add = async (image: string) =>
      (await call(theApp(), ENDPOINTS.addCard, eve, { params, body: { title: 'Ran', image } })).status
    const card = await callOk(theApp(), ENDPOINTS.addCard, eve, {
      params,
      body: { title: 'Ikiru', image: 'https://example.org/ikiru.jpg' },
    })
    const edit = async (body: { title: string; image?: string }) =>
      (await call(theApp(), ENDPOINTS.editCard, eve, { params: { ...params, cardId: card.id }, body })).status
    const noImage = 'data:image/png;base64,AAAA'
    for (let n = 0; n < 30; n += 1) await add(noImage)

    expect([await add(noImage), await edit({ title: 'Ran', image: noImage })]).toEqual([429, 429])
    expect([await add('https://example.org/ran.jpg'), await edit({ title: 'Ran' })]).toEqual([201, 200])
  })

  test('an upload refused because too many are waiting counts toward the limit, and logs no error', async () => {
    const ana = aUser('ana')
    const body = { imageData: await aPng({ width: 1_500, height: 1_500 }) }
    const upload = async () => (await call(theApp(), ENDPOINTS.uploadAvatar, ana, { body })).status

    const statuses = await Promise.all(Array.from({ length: 30 }, upload))
    const after = await upload()

    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(after).toBe(429)
    expect(theApp().logged()).not.toContain('"level":50')
  })

  test('an address that guesses tokens of join links gets 429', async () => {
    const guess = async () =>
      (await call(theApp(), ENDPOINTS.previewJoinLink, undefined, { body: { token: 'a-guess' } })).status
    const statuses = new Set<number>()
    for (let n = 0; n < 60; n += 1) statuses.add(await guess())

    expect([...statuses, await guess()]).toEqual([404, 429])
  })

  test('a call above the limit gets 429 before the body is read', async () => {
    const eve = aUser('eve')
    const { watchlist } = await aWatchlist(theApp(), { owner: eve })
    const invite = async (body: unknown) =>
      await call(theApp(), ENDPOINTS.inviteUser, eve, { params: { watchlistId: watchlist.id }, body })
    for (let n = 0; n < RATE_LIMITS.invite.max; n += 1) await invite({ username: 'unknown' })

    expect((await invite('{ not json')).status).toBe(429)
  })

  describe('strangers', () => {
    const recorder = recordingLimiter()
    const recorded = anApp(theDatabase, { limiter: recorder, trustedProxy: ['127.0.0.1'] })

    /** What a user without a watchlist in common makes the limiter count, by all calls with and without a sign-in. */
    async function countedFor(address: string) {
      const stranger = aUser('eve')
      recorder.counted()
      for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
        if (!isCall(name)) continue
        const given = {
          watchlistId: stranger.userId,
          newcomer: 'x',
          member: 'x',
          token: 'x',
          linkToken: 'x',
          image: 'x',
        }
        const params = paramsFor(ENDPOINTS[name].path, stranger.userId)
        const body = BODIES[name]?.(given)
        for (const who of [stranger, undefined]) {
          await call(recorded(), ENDPOINTS[name], who, {
            params,
            ...(body && { body }),
            ...(QUERIES[name] && { query: QUERIES[name] }),
            headers: { 'x-forwarded-for': address },
          })
        }
      }
      return recorder.counted()
    }

    test('two strangers share no limit, and each limit counts at least one call', async () => {
      const [one, other] = [await countedFor('203.0.113.7'), await countedFor('2001:db8:7::1')]

      expect([...sharedBy(one, other)]).toEqual([])
      const names = new Set(one.map(([name]) => name))
      expect(Object.keys(RATE_LIMITS).filter((name) => !names.has(name) && name !== 'stream')).toEqual([])
    })
  })
})

function paramsFor(path: string, id: string): Record<string, string> {
  const values: Record<string, string> = { nightId: `${id}_${id}`, username: 'ana', drawNumber: '1' }
  return Object.fromEntries([...path.matchAll(/:(\w+)/gu)].map(([, name = '']) => [name, values[name] ?? id]))
}
