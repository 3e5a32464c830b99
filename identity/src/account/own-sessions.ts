import { listSessions } from '../tokens/session-store.ts'
import type { Pool } from '../base/ports.ts'

/** A sign-in as its owner sees it: `client` is coarse, empty where it is not known. Times are ISO texts. */
export type OwnSession = { sessionId: string; client: string; signedInAt: string; usedAt: string }

/** The sign-ins that still hold, newest first. */
export async function ownSessions(pool: Pick<Pool, 'clock' | 'database'>, sub: string): Promise<OwnSession[]> {
  const rows = await listSessions(pool.database.read, sub, pool.clock.now().toISOString())
  return rows.map((row) => {
    const signedInAt = new Date(row.auth_time * 1000).toISOString()
    return { sessionId: row.origin_jti, client: row.client ?? '', signedInAt, usedAt: row.used_at ?? signedInAt }
  })
}
