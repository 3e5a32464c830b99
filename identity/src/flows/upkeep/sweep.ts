import type { FastifyInstance } from 'fastify'

import type { Pool } from '../../base/ports.ts'
import { keepSigningKeys, rotateEncryption } from './keys.ts'
import { removeAbandonedUsers, removeOutdated } from './sweep-store.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'logger' | 'random' | 'signingKeys'>

/** Often enough to load a new signing key of another process long before it signs. */
const EVERY_MS = 10 * 60_000
const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/** How long a name waits for its sign-up to be confirmed. */
const UNCONFIRMED_MS = 7 * DAY_MS

/** Removes abandoned sign-ups and whatever has expired, and keeps the keys fresh. */
async function sweep(pool: Ports): Promise<void> {
  const now = pool.clock.now().getTime()
  const ago = (ms: number) => new Date(now - ms).toISOString()
  await pool.database.transaction(async (trx) => {
    await removeAbandonedUsers(trx, ago(UNCONFIRMED_MS))
    await removeOutdated(trx, {
      now: ago(0),
      hourAgo: ago(HOUR_MS),
      dayAgo: ago(DAY_MS),
      monthAgo: ago(30 * DAY_MS),
      yearAgo: ago(365 * DAY_MS),
    })
  })
  await keepSigningKeys(pool)
}

/**
 * Sweeps when the server is ready and every ten minutes until it closes. Re-encryption runs in the background: after a
 * change of the master key it may affect millions of rows.
 */
export function sweepRegularly(app: FastifyInstance, pool: Ports): void {
  let timer: NodeJS.Timeout | undefined
  let sweeping: Promise<void> | undefined
  let resealing: Promise<void> | undefined
  const closing = new AbortController()
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      pool.logger.error({ message: error instanceof Error ? error.message : '' }, 'the user pool could not be swept')
    }
  }
  const run = async (): Promise<void> => {
    sweeping = attempt(async () => {
      await sweep(pool)
    })
    await sweeping
    resealing ??= attempt(async () => await rotateEncryption(pool, closing.signal)).finally(() => {
      resealing = undefined
    })
  }
  app.addHook('onReady', async () => {
    timer = setInterval(() => void run(), EVERY_MS)
    timer.unref()
    await run()
  })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    closing.abort()
    await sweeping
    await resealing
  })
}
