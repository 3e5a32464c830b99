import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { MAX_MEDIA_REPORT_BYTES, MAX_MEDIA_REPORT_WITH_PICTURE_BYTES } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { MEDIA_REPORTS, READS_BY_ADDRESS } from '@marquee/contract/rate-limits'
import { readTextUpTo } from '@marquee/platform/http/json-bodies'
import { HttpProblem } from '@marquee/platform/http/problem'
import { whenClosed } from '@marquee/platform/http/when-closed'
import { takeByAddress } from '@marquee/platform/limits/by-address'
import type { RateLimiter, Refusal } from '@marquee/platform/limits/rate-limiter'
import { createSeats } from '@marquee/platform/limits/seats'

import { problemFor } from './openapi/problem-replies.ts'
import type { Ports } from './ports.ts'
import { isMediaHook, type Outcome, takeReport } from './rooms/movies/media-links/reports.ts'
import type { MediaLinkPorts } from './rooms/movies/media-links/service.ts'

type Params = { watchlistId: string; serverId: string; secret: string }
type Request = FastifyRequest<{ Params: Params }>

/** Bodies that are in memory at once: of this process, and of one server. */
const SEATS = { total: 8, perOwner: 2 }
const ID = /^[\w-]{1,64}$/u
const SECRET = /^[\w-]{43}$/u

/**
 * The addresses to which media servers report what was played. They send JSON as text, or as a part of a form. A wrong secret is
 * answered before the body is read, and takes nothing that a right one needs.
 */
export async function mediaReports(
  app: FastifyInstance,
  {
    mediaServers,
    limiter,
    metrics,
    ...ports
  }: MediaLinkPorts & { readonly limiter: RateLimiter } & Pick<Ports, 'metrics'>,
): Promise<void> {
  if (!mediaServers) return
  const seats = createSeats(SEATS)
  const count = metrics?.addCounter('media_reports_total', 'Reports of media servers by what became of them', 'outcome')
  const tell = (outcome: Outcome | 'refused'): void => count?.(outcome)

  const admit = async ({ ip, params }: Request, reply: FastifyReply): Promise<void> => {
    requireRoom(await takeByAddress(limiter, 'media reports by address', ip, READS_BY_ADDRESS))
    const isPlace = ID.test(params.watchlistId) && ID.test(params.serverId) && SECRET.test(params.secret)
    if (!isPlace || !(await isMediaHook(ports.database.read, params, params.secret))) {
      tell('refused')
      throw new Problem('NOT_FOUND')
    }
    requireRoom(await limiter.take('media reports', `${params.watchlistId} ${params.serverId}`, MEDIA_REPORTS))
    const free = seats.take(params.serverId)
    if (!free) throw new Problem('SERVICE_UNAVAILABLE')
    whenClosed(reply, free)
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', async ({ headers }: FastifyRequest, payload: NodeJS.ReadableStream) => {
      const hasPicture = /^multipart\//iu.test(headers['content-type'] ?? '')
      const bodyLimit = hasPicture ? MAX_MEDIA_REPORT_WITH_PICTURE_BYTES : MAX_MEDIA_REPORT_BYTES
      return await readTextUpTo(bodyLimit, { headers }, payload)
    })
    scope.post<{ Params: Params }>(
      '/api/media-reports/:watchlistId/:serverId/:secret',
      { bodyLimit: MAX_MEDIA_REPORT_WITH_PICTURE_BYTES, onRequest: admit },
      async (request, reply) => {
        const { watchlistId, serverId } = request.params
        const raw = {
          contentType: request.headers['content-type'] ?? '',
          body: typeof request.body === 'string' ? request.body : '',
        }
        const outcome = await takeReport({ ...ports, mediaServers }, { watchlistId, serverId }, raw)
        tell(outcome)
        if (outcome === 'unreadable') throw new Problem('BAD_REQUEST', 'This is not a report of a media server')
        return await reply.header('cache-control', 'no-store').status(204).send()
      },
    )
  })
}

function requireRoom(refusal: Refusal | undefined): void {
  if (!refusal) return
  const headers = { 'retry-after': String(refusal.retryAfterSeconds) }
  throw new HttpProblem({ status: 429, ...problemFor(429), headers })
}
