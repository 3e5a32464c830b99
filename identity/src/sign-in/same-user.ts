import { resolveAccount } from '../users/account.ts'
import type { Pool } from '../base/ports.ts'

/** Clients name the user as they were told to, or as the person typed it; the sealed state alone is trusted. */
export async function isSameUser(
  pool: Pick<Pool, 'database' | 'id' | 'keyring'>,
  named: string,
  sub: string,
): Promise<boolean> {
  return named === sub || (await resolveAccount(pool, named)).sub === sub
}
