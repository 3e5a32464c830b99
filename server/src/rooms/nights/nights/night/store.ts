import { sql } from 'kysely'

import type { NightAnswer, NightState } from '@marquee/contract/entities/night'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf, jsonArray, jsonColumns } from '@marquee/platform/database/json'
import { prepared, preparedFirst } from '@marquee/platform/database/prepared'

export type NightTables = {
  night: {
    watchlist_id: string
    id: string
    state: NightState
    /** A JSON array of ISO times, soonest first. */
    times: string
    time_zone: string | null
    place: string | null
    note: string | null
    max_runtime_minutes: number | null
    revision: number
    current_until: string
    created_by: string
    created_at: string
    updated_at: string
    started_at: string | null
    ended_at: string | null
    /** The code with which guests join, once a member lets guests in. */
    join_code: string | null
    /** 1 if more than a few guests may join from one address. */
    many_guests: number
  }
  night_answer: {
    watchlist_id: string
    night_id: string
    starts_at: string
    user_id: string
    username: string
    answer: NightAnswer
  }
  night_presence: {
    watchlist_id: string
    night_id: string
    user_id: string
    username: string
    since: string
    left_at: string | null
  }
}

export type NightKey = { readonly watchlistId: string; readonly id: string }

/**
 * `answers` is a JSON array of `{startsAt, username, answer}`, `present` of `{username, since}`, `guests` of
 * `{guestId, nickname, since}`.
 */
export type NightRow = NightTables['night'] & { answers: string; present: string; guests: string }

const tables = withTables<NightTables>

/** The night leaves the list of current ones at this time; `ended` and `cancelled` ones have left it. */
type NightChange = Partial<Omit<NightTables['night'], 'watchlist_id' | 'id' | 'created_by' | 'created_at' | 'revision'>>

const COLUMNS = [
  'night.watchlist_id',
  'night.id',
  'night.state',
  'night.times',
  'night.time_zone',
  'night.place',
  'night.note',
  'night.max_runtime_minutes',
  'night.revision',
  'night.current_until',
  'night.created_by',
  'night.created_at',
  'night.updated_at',
  'night.started_at',
  'night.ended_at',
  'night.join_code',
  'night.many_guests',
] as const satisfies `night.${keyof NightTables['night']}`[]

/** Nights with their answers and who is present, in one statement. */
function nightsWithPeople(db: AnyDb, watchlistId: string) {
  const answers = jsonArray(
    db,
    jsonColumns<NightTables['night_answer']>('a', { startsAt: 'starts_at', username: 'username', answer: 'answer' }),
    {
      orderBy: sql`a.username`,
      from: sql`from night_answer as a where a.watchlist_id = night.watchlist_id and a.night_id = night.id`,
    },
  )
  const present = jsonArray(
    db,
    jsonColumns<NightTables['night_presence']>('p', { username: 'username', since: 'since' }),
    {
      orderBy: sql`p.since, p.user_id`,
      from: sql`from night_presence as p
        where p.watchlist_id = night.watchlist_id and p.night_id = night.id and p.left_at is null`,
    },
  )
  const guests = jsonArray(
    db,
    jsonColumns<{ id: string; name: string; created_at: string }>('g', {
      guestId: 'id',
      nickname: 'name',
      since: 'created_at',
    }),
    {
      orderBy: sql`g.created_at, g.id`,
      from: sql`from night_pass as g where g.watchlist_id = night.watchlist_id and g.night_id = night.id
        and g.kind = 'guest' and g.ended_at is null`,
    },
  )
  return tables(db)
    .selectFrom('night')
    .select(COLUMNS)
    .select([answers.as('answers'), present.as('present'), guests.as('guests')])
    .where('night.watchlist_id', '=', watchlistId)
}

export const findNight = preparedFirst<NightKey, NightRow>((db, value) =>
  nightsWithPeople(db, value('watchlistId')).where('night.id', '=', value('id')),
)

/** The members who are or were at a night, and when they left. */
export const listAttendees = prepared<NightKey, { username: string; leftAt: string | null }>((db, value) =>
  tables(db)
    .selectFrom('night_presence')
    .select(['username', 'left_at as leftAt'])
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id')),
)

/** Who is at a night, in the order they arrived. */
export const listPeople = prepared<NightKey, { userId: string; username: string }>((db, value) =>
  tables(db)
    .selectFrom('night_presence')
    .select(['user_id as userId', 'username'])
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id'))
    .where('left_at', 'is', null)
    .orderBy('since')
    .orderBy('user_id'),
)

/** The nights that were current after a time, in no order: by default the open one and the planned ones. */
export async function listCurrent(
  db: AnyDb,
  watchlistId: string,
  after: string,
  states: readonly NightState[] = ['planned', 'open'],
): Promise<NightRow[]> {
  return await nightsWithPeople(db, watchlistId)
    .where('night.current_until', '>', after)
    .where('night.state', 'in', states)
    .execute()
}

/** The nights that a user planned, answered or attended, oldest first. */
export async function listNightsOf(
  db: AnyDb,
  watchlistId: string,
  { userId, username }: { userId: string; username: string },
): Promise<NightRow[]> {
  return await nightsWithPeople(db, watchlistId)
    .where((eb) =>
      eb.or([
        eb('night.created_by', '=', username),
        ...(['night_answer', 'night_presence'] as const).map((table) =>
          eb.exists(
            eb
              .selectFrom(table)
              .select('user_id')
              .where('watchlist_id', '=', watchlistId)
              .whereRef('night_id', '=', 'night.id')
              .where('user_id', '=', userId),
          ),
        ),
      ]),
    )
    .orderBy('night.id')
    .execute()
}

/** False if the watchlist has an open night and this would be another. */
export async function insertNight(db: AnyDb, night: NightTables['night']): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tables(db)
    .insertInto('night')
    .values(night)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Changes a night. `isRevised` if its calendar entry changes. */
export async function saveNight(
  db: AnyDb,
  { watchlistId, id }: NightKey,
  change: NightChange,
  isRevised: boolean,
): Promise<void> {
  await tables(db)
    .updateTable('night')
    .set(change)
    .set((eb) => ({ revision: eb('revision', '+', isRevised ? 1 : 0) }))
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', id)
    .execute()
}

/** Ends the open night of a watchlist if it was forgotten, and returns it. */
export async function saveForgottenEnd(
  db: AnyDb,
  watchlistId: string,
  now: string,
): Promise<Pick<NightTables['night'], 'id' | 'current_until' | 'join_code'> | undefined> {
  return await tables(db)
    .updateTable('night')
    .set((eb) => ({ state: 'ended', ended_at: eb.ref('current_until') }))
    .where('watchlist_id', '=', watchlistId)
    .where('state', '=', 'open')
    .where('current_until', '<=', now)
    .returning(['id', 'current_until', 'join_code'])
    .executeTakeFirst()
}

/** The next watchlists whose open night was forgotten, after the watchlist `after`. It walks the index of the open nights. */
export async function listForgotten(
  db: AnyDb,
  { now, after, limit }: { now: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('night')
    .select('watchlist_id')
    .where(sql<boolean>`state = 'open'`)
    .where('watchlist_id', '>', after)
    .where('current_until', '<=', now)
    .orderBy('watchlist_id')
    .limit(limit)
    .execute()
  return rows.map(({ watchlist_id: watchlistId }) => watchlistId)
}

/** Saves an answer, or removes it. */
export async function saveAnswer(
  db: AnyDb,
  { answer, ...key }: Omit<NightTables['night_answer'], 'answer'> & { answer: NightAnswer | null },
): Promise<void> {
  if (answer !== null) {
    await tables(db)
      .insertInto('night_answer')
      .values({ ...key, answer })
      .onConflict((conflict) =>
        conflict.columns(['watchlist_id', 'night_id', 'starts_at', 'user_id']).doUpdateSet({ answer }),
      )
      .execute()
    return
  }
  await tables(db)
    .deleteFrom('night_answer')
    .where('watchlist_id', '=', key.watchlist_id)
    .where('night_id', '=', key.night_id)
    .where('starts_at', '=', key.starts_at)
    .where('user_id', '=', key.user_id)
    .execute()
}

/** Deletes the answers to times that are no longer proposed. */
export async function deleteOtherAnswers(
  db: AnyDb,
  { watchlistId, id }: NightKey,
  times: readonly string[],
): Promise<void> {
  await tables(db)
    .deleteFrom('night_answer')
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .where('starts_at', 'not in', times)
    .execute()
}

/** A member who comes back is present again, since the time of coming back. */
export async function savePresence(db: AnyDb, presence: Omit<NightTables['night_presence'], 'left_at'>): Promise<void> {
  await tables(db)
    .insertInto('night_presence')
    .values({ ...presence, left_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(['watchlist_id', 'night_id', 'user_id'])
        .doUpdateSet({ since: presence.since, left_at: null })
        .where('night_presence.left_at', 'is not', null),
    )
    .execute()
}

export async function endPresence(
  db: AnyDb,
  { watchlistId, id }: NightKey,
  { userId, at }: { userId: string; at: string },
): Promise<void> {
  await tables(db)
    .updateTable('night_presence')
    .set({ left_at: at })
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .where('user_id', '=', userId)
    .where('left_at', 'is', null)
    .execute()
}

/** Deletes the answers of former members. */
export async function deleteAnswers(db: AnyDb, watchlistId: string, userIds: readonly string[]): Promise<void> {
  await tables(db)
    .deleteFrom('night_answer')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .execute()
}
