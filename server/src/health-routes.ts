import type { FastifyInstance } from 'fastify'

import { Problem } from '@marquee/contract/problems'

import type { Ports } from './ports.ts'
import { askDatabase } from './readiness-store.ts'

/** `/healthz`: the process runs. `/readyz`: it can serve, so a load balancer may send people here. */
export function healthRoutes(
  app: FastifyInstance,
  { database, logger, leaving }: Pick<Ports, 'database' | 'leaving' | 'logger'>,
): void {
  app.get('/healthz', async (_request, reply) => await reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  app.get('/readyz', async (_request, reply) => {
    if (isClosing || leaving?.aborted === true) throw new Problem('SERVICE_UNAVAILABLE')
    try {
      await askDatabase(database)
    } catch (error) {
      logger.error({ err: error }, 'the database does not answer')
      throw new Problem('SERVICE_UNAVAILABLE')
    }
    return await reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
