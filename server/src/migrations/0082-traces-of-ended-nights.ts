import { sql } from 'kysely'

import { withTables } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

const BATCH = 200

type Key = { watchlist_id: string; id: string }

/**
 * Removes from where guests joined, who has left the vote, and the ballots of deleted accounts, for nights that an earlier
 * version stored as ended when another night opened. Running a batch again removes nothing more.
 */
export const tracesOfEndedNights: Migration = {
  up: async () => undefined,
  backfill: async (connection, place) => {
    const db = withTables<unknown>(connection)
    const [watchlistId, id] = place === undefined ? ['', ''] : (JSON.parse(place) as [string, string])
    const { rows } = await sql<Key>`select watchlist_id, id from night
      where (watchlist_id, id) > (${watchlistId}, ${id}) and state = 'ended'
      order by watchlist_id, id limit ${BATCH}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return { rows: 0, place: undefined }
    const ended = (table: string) => sql`(watchlist_id, night_id) > (${watchlistId}, ${id})
      and (watchlist_id, night_id) <= (${last.watchlist_id}, ${last.id})
      and exists (select 1 from night where night.watchlist_id = ${sql.ref(`${table}.watchlist_id`)}
        and night.id = ${sql.ref(`${table}.night_id`)} and night.state = 'ended')`
    await sql`update night_pass set device_hash = null, address_hash = null
      where (device_hash is not null or address_hash is not null) and ${ended('night_pass')}`.execute(db)
    await sql`delete from night_absentee where ${ended('night_absentee')}`.execute(db)
    await sql`delete from night_ballot
      where user_id >= 'former-' and user_id < 'former-~' and ${ended('night_ballot')}`.execute(db)
    return { rows: rows.length, place: JSON.stringify([last.watchlist_id, last.id]) }
  },
}
