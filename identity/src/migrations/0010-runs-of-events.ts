import { sql, type SqlBool } from 'kysely'
import type { Migration } from 'kysely/migration'

import { keyText } from '@marquee/platform/database/columns'

const EVENTS = 'identity_security_event'

/** Events that an attacker can repeat are one row per day with a count, named by its `run`. */
export const runsOfEvents: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable(EVENTS)
      .addColumn('times', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema.alterTable(EVENTS).addColumn('run', keyText(db)).execute()
    const index = (name: string) =>
      db.schema
        .createIndex(name)
        .on(EVENTS)
        .where(sql<SqlBool>`run is not null`)
    await index('identity_security_event_run').unique().columns(['sub', 'run']).execute()
    await index('identity_security_event_run_age').column('at').execute()
  },
}
