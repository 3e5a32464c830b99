/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { CARDS_PAGE_SIZE } from '@marquee/contract/limits'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { signInWithTicket } from '#web/account/identity.ts'
import { call } from '#web/api/call.ts'
import { readEarly } from '#web/api/early-reads.ts'
import { fakeApi } from '#web/testing/fake-api.ts'
import { tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'
import { aToken, startPoolOf } from '#web/testing/user-pool.ts'

import { session } from './session.ts'

tidyUp()

const boot = readFileSync(join(import.meta.dirname, '../../public/boot.js'), 'utf8')
const ENDS = new Date('2030-01-01T12:00:00Z')

const claims = { sub: 'u1', 'cognito:username': 'Zoë', exp: ENDS.getTime() / 1000, iat: new Date().getTime() / 1000 }
const idToken = aToken(claims)

let pool: Awaited<ReturnType<typeof startPoolOf>>
let api: ReturnType<typeof fakeApi>

beforeAll(async () => {
  pool = await startPoolOf(claims)
})
afterAll(() => pool.stop())

beforeEach(async () => {
  // The unmodified Amplify writes the tokens.
  await signInWithTicket('zoe@example.org', 'ticket')
  api = fakeApi({ getWatchlist: () => aWatchlist('w1'), listCards: () => ({ cards: [], nextToken: null }) })
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: ENDS.getTime() - 60_000 })
})

afterEach(() => {
  // The files of a worker share modules, so no early read may be left for the next one.
  vi.runOnlyPendingTimers()
  globalThis.marqueeReads = undefined
  history.replaceState(null, '', '/')
})

function bootAt(path: string): void {
  history.replaceState(null, '', path)
  runInThisContext(boot)
}

const asked = () =>
  api.calls.map(({ name, request: { query, headers } }) => [name, query.get('limit'), headers['authorization']])

test('the first reads of a watchlist are sent before the app has loaded, and reused by it', async () => {
  bootAt('/watchlists/w1')
  const sent = [
    ['getWatchlist', null, `Bearer ${idToken}`],
    ['listCards', '10', `Bearer ${idToken}`],
  ]
  expect(asked()).toEqual(sent)

  readEarly('/watchlists/w1', idToken)
  vi.mocked(session.idToken).mockResolvedValue(idToken)
  const params = { watchlistId: 'w1' }
  expect(await call(ENDPOINTS.getWatchlist, { params })).toEqual(aWatchlist('w1'))
  await call(ENDPOINTS.listCards, { params, query: { limit: CARDS_PAGE_SIZE } })

  expect(asked()).toEqual(sent)
})

test('first reads made with another token are repeated', () => {
  bootAt('/watchlists/w1')
  readEarly('/watchlists/w1', 'another token')

  expect(asked().map(([, , token]) => token)).toEqual([
    `Bearer ${idToken}`,
    `Bearer ${idToken}`,
    'Bearer another token',
    'Bearer another token',
  ])
})

test.each(['/', '/watchlists', '/watchlists/create', '/watchlists/w1/club', '/auth/login'])(
  'no early reads are sent at %s',
  (path) => {
    bootAt(path)

    expect(api.calls).toEqual([])
  },
)

test('a token that is about to expire sends no early reads', () => {
  vi.setSystemTime(ENDS.getTime() - 4000)
  bootAt('/watchlists/w1')

  expect(api.calls).toEqual([])
})

test.each([
  ['without a sign-in', () => localStorage.clear()],
  [
    'with tokens of two clients',
    () => localStorage.setItem('CognitoIdentityServiceProvider.other.LastAuthUser', 'Ben'),
  ],
  [
    'without tokens',
    () => Object.keys(localStorage).forEach((key) => key.endsWith('idToken') && localStorage.removeItem(key)),
  ],
])('no early reads are sent %s', (_, change) => {
  change()
  bootAt('/watchlists/w1')

  expect(api.calls).toEqual([])
})
