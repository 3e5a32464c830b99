import type { FastifyInstance } from 'fastify'

const EXPOSED = 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date'
const ALLOWED = [
  'content-type',
  'x-amz-target',
  'x-amz-user-agent',
  'cache-control',
  'amz-sdk-invocation-id',
  'amz-sdk-request',
  'authorization',
  'x-amz-date',
  'x-amz-security-token',
].join(', ')

/**
 * Lets pages of any origin call the pool, as they may call Amazon's: no cookie is involved, so there is nothing to
 * protect by origin (identity.md 1.3). Errors carry the headers too.
 */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
  })
  app.options('/', async (request, reply) => {
    const asked = request.headers['access-control-request-headers']
    return await reply
      .status(204)
      .header('access-control-allow-methods', 'POST, OPTIONS')
      .header('access-control-allow-headers', asked ?? ALLOWED)
      .header('access-control-max-age', '172800')
      .header('vary', 'access-control-request-headers')
      .send()
  })
}
