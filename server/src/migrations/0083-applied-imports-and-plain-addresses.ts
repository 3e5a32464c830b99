import { sql } from 'kysely'

import { keyText } from '@marquee/platform/database/columns'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

const BATCH = 200

type Row = { watchlist_id: string; id: string; open_url: string | null }

/**
 * When an import was applied: from then on it can be undone for some days. Null for those of earlier versions, whose days began
 * with the file.
 *
 * Also removes what follows the path of the addresses at which members open media servers: an address that was copied from a
 * browser or a log may have a key there. Running a batch again removes nothing more.
 */
export const appliedImportsAndPlainAddresses: Migration = {
  changes: ['movie_import'],
  up: async (db: AnyDb) => {
    await db.schema.alterTable('movie_import').addColumn('applied_at', keyText(db)).execute()
  },
  backfill: async (connection, place) => {
    const db = withTables<{ media_server: Row }>(connection)
    const [watchlistId, id] = place === undefined ? ['', ''] : (JSON.parse(place) as [string, string])
    const { rows } = await sql<Row>`select watchlist_id, id, open_url from media_server
      where (watchlist_id, id) > (${watchlistId}, ${id}) order by watchlist_id, id limit ${BATCH}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return { rows: 0, place: undefined }
    for (const row of rows) {
      const plain = row.open_url?.replace(/[?#].*$/su, '')
      if (plain === undefined || plain === row.open_url) continue
      await db
        .updateTable('media_server')
        .set({ open_url: plain })
        .where('watchlist_id', '=', row.watchlist_id)
        .where('id', '=', row.id)
        .where('open_url', '=', row.open_url)
        .execute()
    }
    return { rows: rows.length, place: JSON.stringify([last.watchlist_id, last.id]) }
  },
}
