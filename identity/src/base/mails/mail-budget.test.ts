import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { createLogger } from '@marquee/platform/runtime/logger'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WITHIN } from '@marquee/platform/testing/within'

import { aPool, POOL_TABLES, type RunningPool, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, type Person, signIn } from '../../testing/people.ts'
import { createMailBudget, MAIL_BUDGET } from './mail-budget.ts'

const HOUR_MS = 3600_000
const REFUSAL = { status: 400, body: { __type: 'TooManyRequestsException', message: 'Too many requests' } }

/** A budget that closes this far below the maximum. */
function aBudget(below = 0) {
  const lines: string[] = []
  const warned: string[] = []
  const clock = testClock()
  const budget = createMailBudget({
    limiter: localRateLimiter(),
    clock,
    random: { ...systemRandom, below: () => below },
    logger: createLogger('warn', { destination: { write: (line) => void lines.push(line) } }),
    onNearlySpent: (purpose) => void warned.push(purpose),
  })
  const spend = async (times: number, isSent = true) => {
    for (let n = 0; n < times; n += 1) budget.spend('reset', isSent)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
  return { budget, clock, lines, warned, spend }
}

test('a thousand codes per hour can be sent for each purpose', async () => {
  const { budget, clock, spend } = aBudget()

  await spend(999)
  const before = budget.isSpent('reset')
  await spend(1)

  expect([before, budget.isSpent('reset'), budget.isSpent('sign-up')]).toEqual([false, true, false])
  clock.advance(HOUR_MS)
  expect(budget.isSpent('reset')).toBe(false)
})

test('codes for unknown names do not use up the budget', async () => {
  const { budget, spend } = aBudget()

  await spend(2_000, false)
  await spend(999)

  expect(budget.isSpent('reset')).toBe(false)
})

test('the budget runs out at a secret number of mails below the maximum', async () => {
  const { budget, spend } = aBudget(60)

  await spend(939)
  const before = budget.isSpent('reset')
  await spend(1)

  expect([before, budget.isSpent('reset')]).toEqual([false, true])
})

test('the operator is warned once, at 80 percent', async () => {
  const { lines, warned, spend } = aBudget()

  await spend(799)
  const before = lines.length
  await spend(201)

  expect([before, lines.length, warned]).toEqual([0, 1, ['reset']])
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    msg: 'the mail budget of this hour is nearly spent',
    purpose: 'reset',
    used: 800,
    ofEveryHour: 1000,
  })
})

anyDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let ben: Person
  let eve: Person
  let zoe: Person
  beforeAll(async () => {
    const settings = { random: { ...systemRandom, below: (limit: number) => (limit === 100 ? 0 : limit - 1) } }
    pool = await aPool(useDatabase(), { limiter: localRateLimiter(), settings })
    ben = await aConfirmedUser(pool)
    eve = await aConfirmedUser(pool)
    zoe = await aConfirmedUser(pool)
  })
  afterAll(async () => {
    await pool.close()
  })

  const forgot = async (Username: string) => await pool.call('ForgotPassword', { Username })
  const signUp = async ({ username, email, password }: Person) =>
    await pool.call('SignUp', {
      Username: username,
      Password: password,
      UserAttributes: [{ Name: 'email', Value: email }],
    })
  /** Uses up a budget except for this many codes. */
  const leave = async (purpose: string, left: number) => {
    const { limiter } = pool.ports
    while ((await limiter.spend('identity mail budget', purpose, MAIL_BUDGET)).used < MAIL_BUDGET.max - left);
  }

  test('calls that send no mail do not use up the budget', async () => {
    await leave('reset', 1)
    await leave('sign-up', 1)
    for (let n = 0; n < 20; n += 1) {
      await forgot(`unknown-${n}`)
      await signUp(aPerson({ password: 'short' }))
      await signUp(aPerson({ username: zoe.username }))
    }

    expect(await forgot(zoe.email)).toMatchObject({ status: 200 })
    expect(await signUp(aPerson())).toMatchObject({ status: 200 })
  })

  const signInCode = async (USERNAME: string) =>
    await pool.call('InitiateAuth', {
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' },
    })

  test('users still get one code an hour after the budget is used up, and unknown names get the same replies', async () => {
    await leave('reset', 0)
    await leave('first-email', 0)
    await forgot(eve.email)
    await signInCode(eve.email)
    await vi.waitFor(async () => {
      expect([await forgot(eve.email), await signInCode(eve.email)]).toEqual([REFUSAL, REFUSAL])
    }, WITHIN)
    const statuses = async (name: string) => [(await forgot(name)).status, (await signInCode(name)).status]

    expect(await statuses(ben.email)).toEqual([200, 200])
    expect(await statuses('unknown.reader@example.com')).toEqual([200, 200])
    for (const name of [ben.email, 'unknown.reader@example.com']) {
      expect([await forgot(name), await signInCode(name)]).toEqual([REFUSAL, REFUSAL])
    }
  })

  test('new accounts do not use up the budget of older ones', async () => {
    const clock = testClock()
    const limiter = localRateLimiter()
    const other = await aPool(useDatabase(), { beside: pool, clock, limiter })
    const change = async (who: Person) => {
      const { AccessToken } = await signIn(other, who)
      const UserAttributes = [{ Name: 'email', Value: aPerson().email }]
      return (await other.call('UpdateUserAttributes', { AccessToken, UserAttributes })).status
    }
    const spent = async (name: string) => {
      const { used } = await limiter.spend('identity mail budget', name, MAIL_BUDGET)
      await limiter.giveBack('identity mail budget', name, MAIL_BUDGET)
      return used - 1
    }
    const old = await aConfirmedUser(other)
    expect(await change(old)).toBe(200)
    const ofNew = [await spent('email'), await spent('email of new accounts')]
    clock.advance(8 * 24 * HOUR_MS)

    expect(await change(old)).toBe(200)

    expect(ofNew).toEqual([0, 1])
    expect([await spent('email'), await spent('email of new accounts')]).toEqual([1, 1])
    await other.close()
  })
})
