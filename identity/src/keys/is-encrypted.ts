import type { Database } from '@marquee/platform/database/database'

import type { IdentityTables } from '../tables.ts'
import { listSigningKeys } from '../tokens/signing-key-store.ts'
import { listLastingKeys } from './lasting-key-store.ts'

/** Whether the database holds something that a master key was used for, so that no new one may be made for it. */
export async function isEncrypted(database: Database<unknown>): Promise<boolean> {
  const { read } = database.withTables<IdentityTables>()
  return (await listLastingKeys(read)).length > 0 || (await listSigningKeys(read)).length > 0
}
