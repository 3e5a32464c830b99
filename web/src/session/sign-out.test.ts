import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { signInWithTicket } from '#web/account/identity.ts'
import { setUserPool } from '#web/config.ts'
import { tidyUp } from '#web/testing/render-part.tsx'
import { startPoolOf } from '#web/testing/user-pool.ts'
import { WITHIN } from '#web/testing/within.ts'

import { session } from './session.ts'

tidyUp()

const HOUR_MS = 60 * 60 * 1000
const nowSeconds = Math.floor(new Date().getTime() / 1000)
// Amplify revokes tokens that name their origin.
const claims = {
  sub: 'u1',
  'cognito:username': 'Zoë',
  origin_jti: 'o1',
  iat: nowSeconds,
  exp: nowSeconds + HOUR_MS / 1000,
}

let pool: Awaited<ReturnType<typeof startPoolOf>>

beforeAll(async () => {
  pool = await startPoolOf(claims, 'RevokeToken')
  setUserPool(pool.config)
})
afterAll(() => {
  setUserPool(undefined)
  pool.stop()
})

const tokens = () => Object.keys(localStorage).filter((key) => key.endsWith('Token'))

test('a sign-out that the user pool never answers removes the tokens after eight seconds', async () => {
  await signInWithTicket('zoe@example.org', 'ticket')
  await session.look()
  expect(tokens()).toHaveLength(3)
  expect(session.current().state).toBe('signed-in')
  vi.useFakeTimers({ toFake: ['setTimeout'] })

  const left = session.signOut()
  await vi.waitFor(() => expect(pool.requests.map(({ operation }) => operation)).toContain('RevokeToken'), WITHIN)
  expect(session.current().state).toBe('signed-in')
  await vi.advanceTimersByTimeAsync(8_000)
  await left

  expect(tokens()).toEqual([])
  expect(session.current()).toEqual({ state: 'signed-out', because: 'left' })
})
