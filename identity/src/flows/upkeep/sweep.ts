import type { FastifyInstance } from 'fastify'

import { DAY_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import type { Pool } from '../../base/ports.ts'
import { removeAbandonedRows } from '../../parts/users/user-store.ts'
import { CLEANUPS, removeRowsOf } from '../account/remove-user.ts'
import { keepSigningKeys, rotateEncryption } from './keys.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'logger' | 'random' | 'signingKeys'>

/** Often enough to load a new signing key of another process long before it signs. */
const EVERY_MS = 10 * MINUTE_MS

/** How long a name waits for its sign-up to be confirmed. */
const UNCONFIRMED_MS = 7 * DAY_MS
const USERS_PER_SWEEP = 500

/** Removes abandoned sign-ups and expired rows, and rotates the signing keys when it is time. */
async function sweep(pool: Ports): Promise<void> {
  const now = pool.clock.now().getTime()
  const ago = (ms: number) => new Date(now - ms).toISOString()
  await pool.database.transaction(async (trx) => {
    await removeRowsOf(trx, await removeAbandonedRows(trx, ago(UNCONFIRMED_MS), USERS_PER_SWEEP))
    for (const { removeExpired } of CLEANUPS) await removeExpired?.(trx, ago)
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
    sweeping = attempt(async () => await sweep(pool))
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
