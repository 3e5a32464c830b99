import type { FastifyRequest } from 'fastify'

import { MAX_BODY_BYTES } from '@marquee/contract/endpoints'
import { Problem } from '@marquee/contract/problems'
import { RATE_LIMITS, READS_BY_ADDRESS } from '@marquee/contract/rate-limits'
import { isDataUrl } from '@marquee/contract/rules/image'
import { wasRefused } from '@marquee/platform/http/kernel'
import type { Entry, Gate } from '@marquee/platform/http/mount'
import { HttpProblem } from '@marquee/platform/http/problem'
import { countersByAddress, networksOf } from '@marquee/platform/limits/by-address'
import type { Counter, RateLimit, RateLimiter } from '@marquee/platform/limits/rate-limiter'
import { createSeats } from '@marquee/platform/limits/seats'

import type { User } from './modules/profiles/service.ts'
import { problemFor } from './problem-replies.ts'

const LIMITS: ReadonlyMap<string, RateLimit> = new Map(Object.entries(RATE_LIMITS))

/** How many bodies with images may be in memory at once. */
const IMAGE_BODIES = { total: 16, perOwner: 3 }

/**
 * Counts calls under the limit of their endpoint, per user, or per address if signed out. Reads also count per address.
 * Limits how many images are received at once. A call that is refused because of it counts; one that meets an outage does
 * not.
 * @throws {HttpProblem} 429 with `Retry-After` in seconds.
 * @throws {Problem} SERVICE_UNAVAILABLE if too many images are being received.
 */
export function limitBy(limiter: RateLimiter): Required<Pick<Gate<User>, 'admit' | 'admitBody'>> {
  const imageBodies = createSeats(IMAGE_BODIES)

  async function count(name: string, entry: Entry<User>): Promise<void> {
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
    admit: async (entry) => {
      await count(entry.endpoint.limit ?? 'read', entry)
      if (isLarge(entry)) {
        const { request, user } = entry
        const leave = imageBodies.take(user ? keyOf(user) : networksOf(request.ip).client)
        if (!leave) throw new Problem('SERVICE_UNAVAILABLE')
        entry.reply.raw.once('close', leave)
      }
    },
    admitBody: async (entry) => {
      const { takesImage = '', limit } = entry.endpoint
      const image = (entry.request.body as Readonly<Record<string, unknown>>)[takesImage]
      // Pure uploads were counted before their body was read.
      if (limit !== 'upload' && typeof image === 'string' && isDataUrl(image)) await count('upload', entry)
    },
  }
}

function countersOf(name: string, { request: { ip }, user }: Entry<User>): Counter[] {
  const limit = LIMITS.get(name)
  if (limit === undefined) throw new Error(`There is no limit called ${name}`)
  const byUser: Counter[] = user ? [[name, keyOf(user), limit]] : []
  if (name === 'read') return [...byUser, ...countersByAddress('read by address', ip, READS_BY_ADDRESS)]
  // Neighbours count together for wrong codes only: a right one always passes.
  if (name === 'joinNight') return [[name, networksOf(ip).client, limit]]
  return user ? byUser : countersByAddress(name, ip, limit)
}

function keyOf({ userId }: User): string {
  return `user ${userId}`
}

/** Whether the body is declared as larger than a body without an image can be, or its length is not declared. */
function isLarge({ request: { headers }, endpoint }: { request: FastifyRequest; endpoint: Entry<User>['endpoint'] }) {
  if (endpoint.takesImage === undefined) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES
}
