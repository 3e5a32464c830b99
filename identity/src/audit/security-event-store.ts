import type { Db, SecurityEventRow } from '../tables.ts'

export async function addEvent(trx: Db, event: SecurityEventRow): Promise<void> {
  await trx.insertInto('identity_security_event').values(event).execute()
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
