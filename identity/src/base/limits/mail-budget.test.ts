import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { createLogger } from '@marquee/platform/runtime/logger'
import { systemRandom } from '@marquee/platform/runtime/random'
import { eachDatabase } from '@marquee/platform/testing/each-database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { aPool, POOL_TABLES, type RunningPool, testClock } from '../../testing/a-pool.ts'
import { aConfirmedUser, aPerson, type Person } from '../../testing/people.ts'
import { createMailBudget, MAIL_BUDGET } from './mail-budget.ts'

const HOUR_MS = 3600_000
const REFUSAL = { status: 400, body: { __type: 'TooManyRequestsException', message: 'Too many requests' } }

/** A budget whose secret number is this far below the maximum. */
function aBudget(below = 0) {
  const lines: string[] = []
  const warned: string[] = []
  const clock = testClock()
  const budget = createMailBudget({
    limiter: localRateLimiter(),
    clock,
    random: { ...systemRandom, below: () => below },
    logger: createLogger('warn', { write: (line) => void lines.push(line) }),
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

test('a thousand codes of one purpose are sent in an hour, then no more until it is over', async () => {
  const { budget, clock, spend } = aBudget()

  await spend(999)
  const before = budget.isSpent('reset')
  await spend(1)

  expect([before, budget.isSpent('reset'), budget.isSpent('sign-up')]).toEqual([false, true, false])
  clock.advance(HOUR_MS)
  expect(budget.isSpent('reset')).toBe(false)
})

test('codes that only seem to be sent use nothing up', async () => {
  const { budget, spend } = aBudget()

  await spend(2_000, false)
  await spend(999)

  expect(budget.isSpent('reset')).toBe(false)
})

test('the budget closes at a secret number', async () => {
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

eachDatabase(POOL_TABLES, (useDatabase) => {
  let pool: RunningPool
  let zoe: Person
  beforeAll(async () => {
    const settings = { random: { ...systemRandom, below: (limit: number) => (limit === 100 ? 0 : limit - 1) } }
    pool = await aPool(useDatabase(), { limiter: localRateLimiter(), settings })
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
  /** Spends what is left of a budget but for so many. */
  const leave = async (purpose: string, left: number) => {
    const { limiter } = pool.ports
    while ((await limiter.spend('identity mail budget', purpose, MAIL_BUDGET)).used < MAIL_BUDGET.max - left);
  }

  test('calls that send no mail leave the budget to those that do', async () => {
    await leave('reset', 1)
    await leave('sign-up', 1)
    for (let n = 0; n < 20; n += 1) {
      await forgot(`nobody-${n}`)
      await signUp(aPerson({ password: 'short' }))
      await signUp(aPerson({ username: zoe.username }))
    }

    expect(await forgot(zoe.email)).toMatchObject({ status: 200 })
    expect(await signUp(aPerson())).toMatchObject({ status: 200 })
  })

  test('once it is spent, known and unknown names are refused alike', async () => {
    await leave('first-email', 0)
    const code = async (USERNAME: string) =>
      await pool.call('InitiateAuth', {
        AuthFlow: 'USER_AUTH',
        AuthParameters: { USERNAME, PREFERRED_CHALLENGE: 'EMAIL_OTP' },
      })
    await code(zoe.email)
    await vi.waitFor(async () => {
      expect(await code(zoe.email)).toEqual(REFUSAL)
    })

    expect(await code('nobody@example.com')).toEqual(REFUSAL)
    expect(await forgot(zoe.email)).toEqual(REFUSAL)
    expect(await forgot('nobody@example.com')).toEqual(REFUSAL)
  })
})
