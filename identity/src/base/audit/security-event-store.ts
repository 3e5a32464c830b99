import { prepared } from '@marquee/platform/database/prepared'

import { type Db, identityTables, type SecurityEventRow } from '../tables.ts'

type LoneEvent = Omit<SecurityEventRow, 'times' | 'run'>

const insertEvent = prepared<LoneEvent, unknown>((db, value) =>
  identityTables(db)
    .insertInto('identity_security_event')
    .values({
      sub: value('sub'),
      id: value('id'),
      kind: value('kind'),
      client: value('client'),
      at: value('at'),
      times: 1,
      run: null,
    }),
)

export async function addEvent(trx: Db, event: LoneEvent): Promise<void> {
  await insertEvent(trx, event)
}

const addToRun = prepared<LoneEvent & { run: string }, unknown>((db, value) =>
  identityTables(db)
    .insertInto('identity_security_event')
    .values({
      sub: value('sub'),
      id: value('id'),
      kind: value('kind'),
      client: value('client'),
      at: value('at'),
      times: 1,
      run: value('run'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['sub', 'run'])
        .where('run', 'is not', null)
        .doUpdateSet((eb) => ({
          id: eb.ref('excluded.id'),
          at: eb.ref('excluded.at'),
          times: eb('identity_security_event.times', '+', 1),
          client: eb
            .case()
            .when('identity_security_event.client', '=', eb.ref('excluded.client'))
            .then(eb.ref('excluded.client'))
            .else('')
            .end(),
        })),
    ),
)

/** Counts an event in its run, which gets the time of this one. A run of several clients names none. */
export async function countInRun(trx: Db, event: LoneEvent & { run: string }): Promise<void> {
  await addToRun(trx, event)
}

/** Removes the attempts at unknown names that were last counted between two times. */
export async function removeUnknownRuns(trx: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await trx
    .deleteFrom('identity_security_event')
    .where('run', 'is not', null)
    .where('at', '>=', from)
    .where('at', '<', to)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('identity_user')
            .select('identity_user.sub')
            .whereRef('identity_user.sub', '=', 'identity_security_event.sub'),
        ),
      ),
    )
    .execute()
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
