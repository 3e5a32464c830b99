import { sql } from 'kysely'

import { clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/** What The Movie Database has answered: where a movie can be watched in a country, and which services a country has. */
export const availability: Migration = {
  up: async (db: AnyDb) => {
    const key = keyText(db)
    await clustered(db, db.schema.createTable('availability'))
      .addColumn('country', key, (column) => column.notNull())
      .addColumn('tmdb_id', key, (column) => column.notNull())
      .addColumn('offers', 'text', (column) => column.notNull())
      .addColumn('asked_at', key, (column) => column.notNull())
      .addPrimaryKeyConstraint('availability_pk', ['country', 'tmdb_id'])
      .execute()
    await sql`create index availability_age on availability (asked_at)`.execute(db)
    await clustered(db, db.schema.createTable('service_list'))
      .addColumn('country', key, (column) => column.primaryKey())
      .addColumn('services', 'text', (column) => column.notNull())
      .addColumn('asked_at', key, (column) => column.notNull())
      .execute()
  },
}
