import type { FastifyReply, FastifyRequest } from 'fastify'

import { Problem } from '@marquee/contract/problems'
import { RATE_LIMITS, READS_BY_ADDRESS } from '@marquee/contract/rate-limits'
import { isDataUrl } from '@marquee/contract/rules/image'
import { createByteBudget } from '@marquee/platform/http/body-bytes'
import type { LargeBodies } from '@marquee/platform/http/json-bodies'
import { wasRefused } from '@marquee/platform/http/kernel'
import type { Entry, Gate } from '@marquee/platform/http/mount'
import { HttpProblem } from '@marquee/platform/http/problem'
import { whenClosed } from '@marquee/platform/http/when-closed'
import { countersByAddress, networksOf } from '@marquee/platform/limits/by-address'
import type { Counter, RateLimit, RateLimiter } from '@marquee/platform/limits/rate-limiter'

import type { Principal } from './rooms/club/people/service.ts'
import { problemFor } from './openapi/problem-replies.ts'

const LIMITS: ReadonlyMap<string, RateLimit> = new Map(Object.entries(RATE_LIMITS))

const MB = 1024 * 1024
/** The bytes of large bodies that may be in memory at once. The largest body has 16 MB. */
const LARGE_BODIES = { total: 48 * MB, perOwner: 17 * MB }

/**
 * Counts calls under the limit of their endpoint, per user, or per address if signed out. Reads also count per address.
 * Limits the bytes of large bodies that are in memory at once. A call that is refused because of it counts; one that meets
 * an outage does not.
 * @throws {HttpProblem} 429 with `Retry-After` in seconds.
 */
export function limitBy(
  limiter: RateLimiter,
): Required<Pick<Gate<Principal>, 'admit' | 'admitBody'>> & { largeBodies: LargeBodies } {
  const budget = createByteBudget(LARGE_BODIES)
  const replies = new WeakMap<FastifyRequest, { owner: string; reply: FastifyReply }>()

  async function count(name: string, entry: Entry<Principal>): Promise<void> {
    const counters = countersOf(name, entry)
    for (const counter of counters) {
      const refusal = await limiter.take(...counter)
      if (!refusal) continue
      const headers = { 'retry-after': String(refusal.retryAfterSeconds) }
      throw new HttpProblem({ status: 429, ...problemFor(429), headers })
    }
    const { request, reply } = entry
    reply.raw.once('close', () => {
      if (reply.statusCode !== 503 || wasRefused(request)) return
      Promise.all(counters.map(async (counter) => await limiter.giveBack(...counter))).catch((error: unknown) => {
        request.log.error({ err: error }, 'a call that met an outage could not be taken off its limit')
      })
    })
  }

  return {
    largeBodies: {
      open: (request, refuse) => {
        const { owner = networksOf(request.ip).client, reply } = replies.get(request) ?? {}
        const bytes = budget.open(owner, refuse)
        if (reply) whenClosed(reply, bytes.free)
        return bytes
      },
      noRoom: () => new Problem('SERVICE_UNAVAILABLE'),
    },
    admit: async (entry) => {
      const { request, reply, user } = entry
      replies.set(request, { owner: user ? keyOf(user) : networksOf(request.ip).client, reply })
      await count(entry.endpoint.limit ?? 'read', entry)
    },
    admitBody: async (entry) => {
      const { takesImage = '', limit } = entry.endpoint
      const image = (entry.request.body as Readonly<Record<string, unknown>>)[takesImage]
      // Pure uploads were counted before their body was read.
      if (limit !== 'upload' && typeof image === 'string' && isDataUrl(image)) await count('upload', entry)
    },
  }
}

function countersOf(name: string, { request: { ip }, user }: Entry<Principal>): Counter[] {
  const limit = LIMITS.get(name)
  if (limit === undefined) throw new Error(`There is no limit called ${name}`)
  const byUser: Counter[] = user ? [[name, keyOf(user), limit]] : []
  if (name === 'read') return [...byUser, ...countersByAddress('read by address', ip, READS_BY_ADDRESS)]
  // Neighbours count together for wrong codes only: a right one always passes.
  if (name === 'joinNight') return [[name, networksOf(ip).client, limit]]
  return user ? byUser : countersByAddress(name, ip, limit)
}

function keyOf({ userId }: Principal): string {
  return `user ${userId}`
}
