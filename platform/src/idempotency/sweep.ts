import type { FastifyInstance } from 'fastify'

import type { Database } from '../database/database.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import { KEPT_MS } from './repeatable.ts'
import { removeReplies } from './store.ts'

const HOUR_MS = 60 * 60_000

type SweepPorts = { readonly database: Database<unknown>; readonly clock: Clock; readonly logger: Logger }

/** Removes expired replies. */
export async function sweepReplies({ database, clock }: SweepPorts): Promise<void> {
  const cutoff = new Date(clock.now().getTime() - KEPT_MS).toISOString()
  await database.transaction(async (trx) => {
    await removeReplies(trx, cutoff)
  })
}

/** Sweeps when the server is ready and every hour after that, until it closes. */
export function sweepRepliesRegularly(app: FastifyInstance, ports: SweepPorts): void {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const run = () => {
    running = sweepReplies(ports).catch((error: unknown) => {
      ports.logger.error({ err: error }, 'old replies could not be swept')
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
