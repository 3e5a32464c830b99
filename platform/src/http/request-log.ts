import type { FastifyInstance } from 'fastify'

/**
 * Logs every request at level info after its reply, with the request id that its errors have. The URL is logged as its
 * route template, because parameters may be secret. The user is not logged, for privacy.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'a request was answered',
    )
  })
}
