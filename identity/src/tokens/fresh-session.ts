import { epochSeconds } from '@marquee/platform/runtime/clock'

import type { SessionRow } from '../tables.ts'
import type { Pool } from '../base/ports.ts'

const FRESH_SECONDS = 15 * 60

/** Whether whoever holds this session proved who they are just now: it was begun within a quarter of an hour. */
export function isFreshSession(pool: Pick<Pool, 'clock'>, { auth_time }: Pick<SessionRow, 'auth_time'>): boolean {
  return auth_time >= epochSeconds(pool.clock) - FRESH_SECONDS
}
