import { prepared } from '@marquee/platform/database/prepared'

import { type Db, identityTables, type SecurityEventRow } from '../tables.ts'

const insertEvent = prepared<SecurityEventRow, unknown>((db, value) =>
  identityTables(db)
    .insertInto('identity_security_event')
    .values({
      sub: value('sub'),
      id: value('id'),
      kind: value('kind'),
      client: value('client'),
      at: value('at'),
    }),
)

export async function addEvent(trx: Db, event: SecurityEventRow): Promise<void> {
  await insertEvent(trx, event)
}

/** A user's events, newest first, from before the one of the given id. */
export async function listEvents(
  db: Db,
  sub: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<SecurityEventRow[]> {
  return await db
    .selectFrom('identity_security_event')
    .selectAll()
    .where('sub', '=', sub)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
