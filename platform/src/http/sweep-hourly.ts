import type { FastifyInstance } from 'fastify'

import { HOUR_MS } from '../runtime/durations.ts'
import type { Logger } from '../runtime/logger.ts'

/** Sweeps when the server is ready and every hour after that, until it closes. `what` is swept, for the log of failures. */
export function sweepHourly(app: FastifyInstance, logger: Logger, what: string, sweep: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const run = () => {
    running = sweep().catch((error: unknown) => {
      logger.error({ err: error }, `${what} could not be swept`)
    })
  }
  app.addHook('onReady', async () => {
    run()
    timer = setInterval(run, HOUR_MS)
    timer.unref()
    await running
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await running
  })
}
