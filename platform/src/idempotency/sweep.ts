import type { Database } from '../database/database.ts'
import { type Clock, inFuture } from '../runtime/clock.ts'
import { KEPT_MS } from './repeatable.ts'
import { removeReplies } from './store.ts'

type SweepPorts = { readonly database: Database<unknown>; readonly clock: Clock }

/** Removes expired replies. */
export async function sweepReplies({ database, clock }: SweepPorts): Promise<void> {
  const cutoff = inFuture(clock, -KEPT_MS).toISOString()
  await database.transaction(async (trx) => await removeReplies(trx, cutoff))
}
