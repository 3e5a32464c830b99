import { Problem, PROBLEMS } from '@marquee/contract/problems'
import { WRONG_NIGHT_CODES } from '@marquee/contract/rate-limits'
import { HttpProblem } from '@marquee/platform/http/problem'
import { neighbourhoodOf, networksOf } from '@marquee/platform/limits/by-address'
import type { Counter, RateLimiter, Refusal } from '@marquee/platform/limits/rate-limiter'

/**
 * Refuses an address that tried too many wrong codes. A right code does not count. Wrong ones of a network refuse only those
 * of its addresses that have tried a few wrong ones themselves, so no neighbour can shut out a guest who has the right code.
 * @throws {HttpProblem} 429.
 */
export async function limitWrongCodes<T>(limiter: RateLimiter, address: string, join: () => Promise<T>): Promise<T> {
  const taken = await takeWrong(limiter, address)
  const giveBack = async () => {
    for (const counter of taken) await limiter.giveBack(...counter)
  }
  try {
    const joined = await join()
    await giveBack()
    return joined
  } catch (error) {
    if (!(error instanceof Problem && error.key === 'NOT_FOUND')) await giveBack()
    throw error
  }
}

/** Counts a code as wrong before it is looked up, so that many at once do not pass. Returns what counted it. */
async function takeWrong(limiter: RateLimiter, address: string): Promise<Counter[]> {
  const { client } = networksOf(address)
  const { byAddress, byNetwork, inRefusedNetwork } = WRONG_NIGHT_CODES
  const own: Counter = ['wrong night codes', client, byAddress]
  const network: Counter = ['wrong night codes by network', neighbourhoodOf(address), byNetwork]
  const few: Counter = ['wrong night codes in a refused network', client, inRefusedNetwork]
  const refusal = await limiter.take(...own)
  if (refusal) throw tooMany(refusal)
  if (!(await limiter.take(...network))) return [own, network]
  const last = await limiter.take(...few)
  if (!last) return [own, few]
  await limiter.giveBack(...own)
  throw tooMany(last)
}

function tooMany({ retryAfterSeconds }: Refusal): HttpProblem {
  const { status, message } = PROBLEMS.TOO_MANY_REQUESTS
  const headers = { 'retry-after': String(retryAfterSeconds) }
  return new HttpProblem({ status, type: 'TOO_MANY_REQUESTS', message, headers })
}
