import { given, prepared } from '@marquee/platform/database/prepared'
import { DAY_MS } from '@marquee/platform/runtime/durations'

import { type Cleanup, type Db, identityTables, type SecurityEventRow } from '../tables.ts'

type LoneEvent = Omit<SecurityEventRow, 'times' | 'run'>

// Events without a run have no conflict.
const insertEvent = prepared<LoneEvent & { run: string | null }, unknown>((db, value) =>
  identityTables(db)
    .insertInto('identity_security_event')
    .values({ ...given(['sub', 'id', 'kind', 'client', 'at', 'run'], value), times: 1 })
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

export async function addEvent(trx: Db, event: LoneEvent): Promise<void> {
  await insertEvent(trx, { ...event, run: null })
}

/**
 * Counts an event in its run, which takes the time of this event. The run names a client only if all its events have the
 * same one.
 */
export async function countInRun(trx: Db, event: LoneEvent & { run: string }): Promise<void> {
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

export const securityEventCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    await trx.deleteFrom('identity_security_event').where('sub', 'in', subs).execute()
  },
  removeExpired: async (trx, ago) => {
    await trx
      .deleteFrom('identity_security_event')
      .where('at', '<', ago(365 * DAY_MS))
      .execute()
    // Guesses at unknown names are removed after an hour. The search ends a month ago: older ones, which remain after
    // an outage, are removed after a year.
    await trx
      .deleteFrom('identity_security_event')
      .where('run', 'is not', null)
      .where('at', '>=', ago(30 * DAY_MS))
      .where('at', '<', ago(3600_000))
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
  },
}
