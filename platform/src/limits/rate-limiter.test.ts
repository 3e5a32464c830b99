import { expect, test } from 'vitest'

import { localRateLimiter, noRateLimiter, type RateLimiter } from './rate-limiter.ts'

const twice = { max: 2, windowSeconds: 60 }

async function takeTimes(limiter: RateLimiter, times: number, name: string, key: string): Promise<number> {
  let passed = 0
  for (let n = 0; n < times; n += 1) if ((await limiter.take(name, key, twice)) === undefined) passed += 1
  return passed
}

test('a call beyond the limit gets the number of whole seconds to wait', async () => {
  const limiter = localRateLimiter()

  expect(await takeTimes(limiter, 5, 'write', 'ana')).toBe(2)

  const refusal = await limiter.take('write', 'ana', twice)
  expect(refusal?.retryAfterSeconds).toBeGreaterThan(55)
  expect(refusal?.retryAfterSeconds).toBeLessThanOrEqual(60)
})

test('rejected attempts do not prolong the wait', async () => {
  const limiter = localRateLimiter()
  const short = { max: 1, windowSeconds: 1 }
  await limiter.take('write', 'ana', short)

  let refused = 0
  while ((await limiter.take('write', 'ana', short)) !== undefined) {
    refused += 1
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }

  expect(refused).toBeGreaterThan(2)
  expect(refused).toBeLessThan(15)
})

test('users and limits are counted separately', async () => {
  const limiter = localRateLimiter()
  await takeTimes(limiter, 3, 'write', 'ana')

  expect(await takeTimes(limiter, 3, 'write', 'ben')).toBe(2)
  expect(await takeTimes(limiter, 3, 'invite', 'ana')).toBe(2)
})

test('two limits with the same name are counted separately', async () => {
  const limiter = localRateLimiter()
  const once = { max: 1, windowSeconds: 30 }

  expect(await takeTimes(limiter, 3, 'source', 'ana')).toBe(2)
  expect(await limiter.take('source', 'ben', once)).toBeUndefined()
  expect(await limiter.take('source', 'ben', once)).toEqual({ retryAfterSeconds: 30 })
  expect(await takeTimes(limiter, 3, 'source', 'cleo')).toBe(2)
})

test('a call that is given back does not count', async () => {
  const limiter = localRateLimiter()
  await takeTimes(limiter, 2, 'write', 'ana')

  await limiter.giveBack('write', 'ana', twice)

  expect(await takeTimes(limiter, 3, 'write', 'ana')).toBe(1)
})

test('the disabled limiter lets every call pass', async () => {
  expect(await takeTimes(noRateLimiter, 50, 'write', 'ana')).toBe(50)
})
