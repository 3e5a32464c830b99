import { sql } from 'kysely'

import type { Database } from '@marquee/platform/database/database'

/** Rejects if the database does not answer. */
export async function askDatabase(database: Database<unknown>): Promise<void> {
  await sql`select 1`.execute(database.read)
}
