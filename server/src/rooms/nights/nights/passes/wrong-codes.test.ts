import { expect, test } from 'vitest'

import { Problem } from '@marquee/contract/problems'
import { HttpProblem } from '@marquee/platform/http/problem'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'

import { limitWrongCodes } from './wrong-codes.ts'

/** Guests who join from one address; the limit of the endpoint itself does not count. */
function aDoor() {
  const limiter = localRateLimiter()
  const join = async (outcome: () => string) =>
    await limitWrongCodes(limiter, '192.0.2.9', async () => await Promise.resolve().then(outcome)).catch(
      (error: unknown) => error,
    )
  const refuseWith = (key: 'NOT_FOUND' | 'BAD_REQUEST') => () => {
    throw new Problem(key)
  }
  return {
    right: async () => await join(() => 'joined'),
    wrong: async () => await join(refuseWith('NOT_FOUND')),
    takenName: async () => await join(refuseWith('BAD_REQUEST')),
  }
}

test('an address that sent 60 wrong codes waits for the rest of an hour', async () => {
  const { wrong } = aDoor()
  for (let n = 0; n < 60; n += 1) expect(await wrong()).toBeInstanceOf(Problem)

  const refused = await wrong()

  expect(refused).toBeInstanceOf(HttpProblem)
  expect(refused).toMatchObject({ status: 429 })
  expect(Number((refused as HttpProblem).headers['retry-after'])).toBeGreaterThan(3_000)
})

test('right codes and taken names never count as wrong, for an address or its network', async () => {
  const { right, takenName, wrong } = aDoor()
  for (let n = 0; n < 350; n += 1) {
    expect(await right()).toBe('joined')
    expect(await takenName()).toMatchObject({ key: 'BAD_REQUEST' })
  }

  for (let n = 0; n < 4; n += 1) expect(await wrong()).toMatchObject({ key: 'NOT_FOUND' })
})
