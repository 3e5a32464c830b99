import type { FastifyInstance } from 'fastify'

/**
 * Logs every request at level info once it has been answered, under the id that its errors are logged with. The address
 * is named by its template alone: what is filled in may be a secret, and who asked is nobody's business.
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
