import { afterEach, beforeEach, expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'

import { ADDRESS_LIMITS } from '../base/limits/address-limits.ts'
import { aPool, POOL_TABLES, type RunningPool } from '../testing/a-pool.ts'
import { aConfirmedUser, signIn, trySignIn } from '../testing/people.ts'
import { mustSucceed } from '../testing/second-factors.ts'
import type { SignInResult } from '../base/settings.ts'

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  const masterKey = Buffer.alloc(32, 7)
  let results: SignInResult[]
  const start = async (more: Parameters<typeof aPool>[1] = {}): Promise<void> => {
    pool = await aPool(useDatabase(), { masterKey, ...more, settings: { onSignIn: (result) => results.push(result) } })
  }
  beforeEach(() => {
    results = []
  })
  afterEach(async () => {
    await pool.close()
  })

  test('a sign-in is reported once when it ends, with its result', async () => {
    await start()
    const zoe = await aConfirmedUser(pool)
    await signIn(pool, zoe)
    await trySignIn(pool, zoe.email, 'Wr0ng-password')

    expect(results).toEqual(['signed-in', 'refused'])
  })

  test('a refresh is not reported as a sign-in', async () => {
    await start()
    const { RefreshToken } = await signIn(pool, await aConfirmedUser(pool))
    const refresh = { AuthFlow: 'REFRESH_TOKEN_AUTH', ClientId: pool.identity.pool.userPoolClientId }
    await mustSucceed(pool, 'InitiateAuth', { ...refresh, AuthParameters: { REFRESH_TOKEN: RefreshToken } })
    await pool.call('InitiateAuth', { ...refresh, AuthParameters: { REFRESH_TOKEN: 'wrong' } })

    expect(results).toEqual(['signed-in'])
  })

  test('a locked-out attempt is reported differently from a wrong password', async () => {
    await start()
    const zoe = await aConfirmedUser(pool)
    for (let guess = 0; guess < 6; guess += 1) await trySignIn(pool, zoe.email, 'Wr0ng-password')

    expect(results.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'refused'))
    expect(results.at(-1)).toBe('locked-out')
  })

  test('sign-ins over the limit of an address are reported as limited, and other operations are not reported', async () => {
    await start({ limiter: localRateLimiter() })
    for (let call = 0; call < ADDRESS_LIMITS.any.max; call += 1) await pool.call('GetUser', {})
    await pool.call('GetUser', {})
    await pool.call('InitiateAuth', { AuthFlow: 'USER_SRP_AUTH' })

    expect(results).toEqual(['limited'])
  })
})
