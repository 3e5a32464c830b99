import { listPasskeys } from '../passkeys/passkey-store.ts'
import type { PasskeyRow } from '../tables.ts'
import type { Pool } from '../base/ports.ts'

/** A passkey as its owner sees it. Times are ISO texts. */
export type OwnPasskey = { passkeyId: string; name: string; createdAt: string; usedAt: string | null }

/** Oldest first. */
export async function ownPasskeys(pool: Pick<Pool, 'database'>, sub: string): Promise<OwnPasskey[]> {
  const rows = await listPasskeys(pool.database.read, sub)
  return rows.map(ownPasskey).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
}

export function ownPasskey(row: PasskeyRow): OwnPasskey {
  return { passkeyId: row.credential_id, name: row.name, createdAt: row.created_at, usedAt: row.used_at }
}
