import { afterAll, beforeAll, expect, test } from 'vitest'

import { eachStatement } from '@marquee/platform/testing/each-database'

import { openPool } from '../../compose.ts'
import { aPool, POOL_TABLES, type RunningPool, type TestClock, testClock } from '../../testing/a-pool.ts'
import { aUserWithApp, givePassword, mustSucceed, respond } from '../../testing/second-factors.ts'
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'

eachStatement(POOL_TABLES, (useDatabase) => {
  let running: RunningPool
  let pool: Awaited<ReturnType<typeof openPool>>
  let clock: TestClock
  beforeAll(async () => {
    clock = testClock()
    running = await aPool(useDatabase(), { clock })
    pool = await openPool(running.ports)
  })
  afterAll(async () => {
    await running.close()
  })

  async function aUserWithCodes() {
    const user = await aUserWithApp(running, () => clock.now())
    const codes = await pool.database.transaction(async (trx) => await makeRecoveryCodes(pool, trx, user.sub))
    const enter = async (code: string) => {
      const asked = await givePassword(running, user.email, user.password)
      return await respond(running, asked, { SOFTWARE_TOKEN_MFA_CODE: code }, user.email)
    }
    return { user, codes, enter }
  }

  // Evidence: asvs-6.4.4, asvs-6.5.1
  test('each of ten recovery codes replaces an app code once, regardless of case and separators', async () => {
    const { user, codes, enter } = await aUserWithCodes()
    const [first = '', second = ''] = codes

    expect(new Set(codes).size).toBe(10)
    expect(await enter(first)).toMatchObject({ status: 200 })
    expect(await enter(first)).toMatchObject({ body: { __type: 'CodeMismatchException' } })
    expect(await enter(` ${second.toUpperCase().replace('-', ' ')} `)).toMatchObject({ status: 200 })
    expect(await countRecoveryCodes(pool, user.sub)).toBe(8)
  })

  test('the recovery codes of one user do not work for another user', async () => {
    const zoe = await aUserWithCodes()
    const ann = await aUserWithCodes()

    expect(await ann.enter(zoe.codes[0] ?? '')).toMatchObject({ body: { __type: 'CodeMismatchException' } })
  })

  test('new recovery codes void the old ones, and disabling the app voids all of them', async () => {
    const { user, codes, enter } = await aUserWithCodes()
    const fresh = await pool.database.transaction(async (trx) => await makeRecoveryCodes(pool, trx, user.sub))

    expect(await enter(codes[0] ?? '')).toMatchObject({ status: 400 })
    expect(await enter(fresh[0] ?? '')).toMatchObject({ status: 200 })
    const { AccessToken } = user.tokens
    await mustSucceed(running, 'SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings: { Enabled: false } })
    expect(await countRecoveryCodes(pool, user.sub)).toBe(0)
  })

  test('a recovery code used in several concurrent sign-ins signs in once', { tags: ['race'] }, async () => {
    const { codes, enter } = await aUserWithCodes()

    const replies = await Promise.all([1, 2, 3].map(async () => await enter(codes[0] ?? '')))

    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })
})
