import { keyText } from '@marquee/platform/database/columns'
import type { Migration } from '@marquee/platform/database/migrate'

const EVENTS = 'identity_security_event'

/** Events that an attacker can repeat are one row per day with a count, named by its `run`. */
export const runsOfEvents: Migration = {
  changes: [EVENTS],
  up: async (db) => {
    await db.schema
      .alterTable(EVENTS)
      .addColumn('times', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema.alterTable(EVENTS).addColumn('run', keyText(db)).execute()
  },
  indexes: [
    { name: 'identity_security_event_run', isUnique: true, on: `${EVENTS} (sub, run) where run is not null` },
    { name: 'identity_security_event_run_age', on: `${EVENTS} (at) where run is not null` },
  ],
}
