import { setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

import { Problem } from '@marquee/contract/problems'

import type { Ports } from './ports.ts'
import { askDatabase } from './readiness-store.ts'

/** The reply is sent within this time, even if the database is slow. */
const ANSWERS_WITHIN_MS = 900

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve, so a load balancer may send it requests; otherwise the message
 * is the reason in one word.
 */
export function healthRoutes(
  app: FastifyInstance,
  { database, logger, leaving }: Pick<Ports, 'database' | 'leaving' | 'logger'>,
): void {
  app.get('/healthz', async (_request, reply) => await reply.header('cache-control', 'no-store').send({ status: 'ok' }))

  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  // One query at a time for all callers, because the database may be overloaded.
  let asking: Promise<'unreachable' | undefined> | undefined
  async function ask(): Promise<'unreachable' | undefined> {
    try {
      await askDatabase(database)
      return undefined
    } catch (error) {
      logger.error({ err: error }, 'the database does not answer')
      return 'unreachable'
    } finally {
      asking = undefined
    }
  }

  app.get('/readyz', async (_request, reply) => {
    if (isClosing || leaving?.aborted === true) throw new Problem('SERVICE_UNAVAILABLE', 'closing')
    if (database.isDamaged()) throw new Problem('SERVICE_UNAVAILABLE', 'damaged')
    asking ??= ask()
    const reason = await Promise.race([asking, pause(ANSWERS_WITHIN_MS, 'silent' as const, { ref: false })])
    if (reason !== undefined) throw new Problem('SERVICE_UNAVAILABLE', reason)
    return await reply.header('cache-control', 'no-store').send({ status: 'ready' })
  })
}
