import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What is logged of a request after its reply. */
export type Answered = {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
}

/** The URL is its route template, because parameters may be secret. The user is left out, for privacy. */
export function answeredOf(request: FastifyRequest, reply: FastifyReply): Answered {
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status: reply.statusCode,
  }
}

/** Logs every request at level info after its reply, with the request id that its errors have. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    logAnswered(request.log, answeredOf(request, reply), reply.elapsedTime)
  })
}

export function logAnswered(log: FastifyBaseLogger, answered: Answered, ms: number): void {
  log.info({ ...answered, ms: Math.round(ms) }, 'a request was answered')
}
