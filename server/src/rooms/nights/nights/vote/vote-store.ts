import { sql } from 'kysely'

import { GUEST_VETO_BUDGET } from '@marquee/contract/limits'
import { type AnyDb, dialectOf, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { given, prepared, preparedFirst } from '@marquee/platform/database/prepared'
import type { Sent } from '@marquee/platform/database/sent'

import { cardsOfDraw } from '../../../draws/service.ts'
import type { PassTables } from '../night/pass-store.ts'
import type { NightKey, NightTables } from '../night/store.ts'

export type VoteTables = {
  night_vote: {
    watchlist_id: string
    night_id: string
    draw_number: number
    opened_by: string
    opened_at: string
    closed_at: string | null
    /** JSON in the shape of `VoteResult`, once the vote is closed. */
    result: string | null
  }
  night_ballot: {
    watchlist_id: string
    night_id: string
    draw_number: number
    /** The id of the user, or of the guest's pass. */
    user_id: string
    /** A JSON object: the score of each card. */
    scores: string
    veto: string | null
    voted_at: string
  }
  night_veto: {
    watchlist_id: string
    night_id: string
    card_id: string
    /** The status change that put the card back. */
    seq: number
    /** The id of the user, or of the guest's pass. Null once they have left. */
    user_id: string | null
    /** How many people were there. */
    present: number
    vetoed_at: string
  }
  night_setting: { watchlist_id: string; veto_budget: number }
  /** Who has left the night during an open vote, until it closes. They stay on its roll. */
  night_absentee: {
    watchlist_id: string
    night_id: string
    draw_number: number
    user_id: string
    /** 1 if others removed them, 0 if they left by themselves. */
    is_removed: 0 | 1
  }
}

export type VoteRow = VoteTables['night_vote']
export type BallotRow = VoteTables['night_ballot']
type VetoRow = VoteTables['night_veto']
type VoteKey = Pick<VoteRow, 'watchlist_id' | 'night_id' | 'draw_number'>

/** The begin of the id of a person who has left the watchlist or has no account any more. */
export const FORMER = 'former-'

const tables = withTables<VoteTables & Pick<NightTables, 'night_presence'> & Pick<PassTables, 'night_pass'>>

const VOTE_COLUMNS = [
  'watchlist_id',
  'night_id',
  'draw_number',
  'opened_by',
  'opened_at',
  'closed_at',
  'result',
] as const satisfies (keyof VoteRow)[]

const BALLOT_COLUMNS = [
  'watchlist_id',
  'night_id',
  'draw_number',
  'user_id',
  'scores',
  'veto',
  'voted_at',
] as const satisfies (keyof BallotRow)[]

/** The latest vote of a night. */
export const findVote = preparedFirst<NightKey, VoteRow>((db, value) =>
  tables(db)
    .selectFrom('night_vote')
    .select(VOTE_COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id'))
    .orderBy('draw_number', 'desc')
    .limit(sql.lit(1)),
)

type ValueOf = <K extends keyof NightKey>(name: K) => NightKey[K]

/** The draw of the latest vote of a night, as part of another statement. */
function latestDraw(db: AnyDb, value: ValueOf) {
  return tables(db)
    .selectFrom('night_vote')
    .select((eb) => eb.fn.max('draw_number').as('latest'))
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id'))
}

/** The cards of the latest shortlist of a night, in the order drawn. */
export const listShortlist = prepared<NightKey, { cardId: string }>((db, value) =>
  cardsOfDraw(db, { watchlistId: value('watchlistId'), drawNumber: latestDraw(db, value) }),
)

/** The ballots of the latest vote of a night. */
export const listBallots = prepared<NightKey, BallotRow>((db, value) =>
  tables(db)
    .selectFrom('night_ballot')
    .select(BALLOT_COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id'))
    .where('draw_number', '=', latestDraw(db, value)),
)

/** Who has left during the latest vote of a night. */
export const listAbsentees = prepared<NightKey, { userId: string; isRemoved: 0 | 1 }>((db, value) =>
  tables(db)
    .selectFrom('night_absentee')
    .select(['user_id as userId', 'is_removed as isRemoved'])
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id'))
    .where('draw_number', '=', latestDraw(db, value)),
)

export const insertVote = prepared<VoteRow, unknown>((db, value) =>
  tables(db).insertInto('night_vote').values(given(VOTE_COLUMNS, value)),
)

/** Saves the result, unless there is one. */
export const saveResult = prepared<VoteKey & { closed_at: string; result: string }, unknown>((db, value) =>
  tables(db)
    .updateTable('night_vote')
    .set({ closed_at: value('closed_at'), result: value('result') })
    .where('watchlist_id', '=', value('watchlist_id'))
    .where('night_id', '=', value('night_id'))
    .where('draw_number', '=', value('draw_number'))
    .where('closed_at', 'is', null),
)

/** The members and guests who are at the night. Members vote for the guests whom they added on their own device. */
export const listPresent = prepared<NightKey, { userId: string; device: string }>((db, value) =>
  tables(db)
    .selectFrom('night_presence')
    .select(['user_id as userId', 'username as device'])
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id'))
    .where('left_at', 'is', null)
    .unionAll((eb) =>
      eb
        .selectFrom('night_pass')
        .select((guest) => ['id as userId', guest.fn.coalesce('created_by', 'id').as('device')])
        .where('watchlist_id', '=', value('watchlistId'))
        .where('night_id', '=', value('id'))
        .where('kind', '=', sql.lit('guest'))
        .where('ended_at', 'is', null),
    ),
)

export async function saveAbsentee(db: AnyDb, absentee: VoteTables['night_absentee']): Promise<void> {
  await tables(db)
    .insertInto('night_absentee')
    .values(absentee)
    .onConflict((conflict) =>
      conflict
        .columns(['watchlist_id', 'night_id', 'draw_number', 'user_id'])
        .doUpdateSet({ is_removed: absentee.is_removed }),
    )
    .execute()
}

/** Replaces the id of a person on the roll of a vote and in its ballots. */
export async function renameVoter(db: AnyDb, vote: VoteKey, user_id: string, renamed: string): Promise<void> {
  for (const table of ['night_absentee', 'night_ballot'] as const) {
    await tables(db)
      .updateTable(table)
      .set({ user_id: renamed })
      .where('watchlist_id', '=', vote.watchlist_id)
      .where('night_id', '=', vote.night_id)
      .where('draw_number', '=', vote.draw_number)
      .where('user_id', '=', user_id)
      .execute()
  }
}

const deleteAbsentees = prepared<VoteKey, unknown>((db, value) =>
  tables(db)
    .deleteFrom('night_absentee')
    .where('watchlist_id', '=', value('watchlist_id'))
    .where('night_id', '=', value('night_id'))
    .where('draw_number', '=', value('draw_number')),
)

const deleteFormerBallots = prepared<VoteKey, unknown>((db, value) =>
  tables(db)
    .deleteFrom('night_ballot')
    .where('watchlist_id', '=', value('watchlist_id'))
    .where('night_id', '=', value('night_id'))
    .where('draw_number', '=', value('draw_number'))
    .where('user_id', '>=', sql.lit(FORMER))
    .where('user_id', '<', sql.lit(`${FORMER}~`)),
)

/** Deletes who has left during a vote, and the ballots that belong to no one any more. */
export function deleteFormer(db: AnyDb, vote: VoteKey): Sent<unknown>[] {
  return [deleteAbsentees.send(db, vote), deleteFormerBallots.send(db, vote)]
}

export const saveBallot = prepared<BallotRow, unknown>((db, value) =>
  tables(db)
    .insertInto('night_ballot')
    .values(given(BALLOT_COLUMNS, value))
    .onConflict((conflict) =>
      conflict
        .columns(['watchlist_id', 'night_id', 'draw_number', 'user_id'])
        .doUpdateSet({ scores: value('scores'), veto: value('veto'), voted_at: value('voted_at') }),
    ),
)

type UserSince = { watchlistId: string; userId: string; since: string }

/** The ballots of a user since a time, oldest first. */
export const listBallotsOf = prepared<UserSince, BallotRow>((db, value) =>
  tables(db)
    .selectFrom('night_ballot')
    .select(BALLOT_COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('user_id', '=', value('userId'))
    .where('voted_at', '>=', value('since'))
    .orderBy('voted_at'),
)

const VETO_COLUMNS = [
  'watchlist_id',
  'night_id',
  'card_id',
  'seq',
  'user_id',
  'present',
  'vetoed_at',
] as const satisfies (keyof VetoRow)[]

export const insertVeto = prepared<VetoRow, unknown>((db, value) =>
  tables(db).insertInto('night_veto').values(given(VETO_COLUMNS, value)),
)

/** The vetoes of a user on revealed cards since a time, oldest first. */
export const listVetoesOf = prepared<UserSince, VetoRow>((db, value) =>
  tables(db)
    .selectFrom('night_veto')
    .select(VETO_COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('user_id', '=', value('userId'))
    .where('vetoed_at', '>=', value('since'))
    .orderBy('vetoed_at'),
)

type GuestKey = { watchlistId: string; nightId: string; passId: string }

/**
 * The passes with which the guest of a pass is or was at the night, as in `admit`: of the same device or, if one of the two has no
 * name, of the same address. Who is still there from that address is another person.
 */
function passesOfGuest(db: AnyDb, value: <K extends keyof GuestKey>(name: K) => GuestKey[K]) {
  return tables(db)
    .selectFrom('night_pass as own')
    .innerJoin('night_pass as joined', (join) =>
      join.onRef('joined.watchlist_id', '=', 'own.watchlist_id').onRef('joined.night_id', '=', 'own.night_id'),
    )
    .select(['joined.id', 'joined.ended_at'])
    .where('own.watchlist_id', '=', value('watchlistId'))
    .where('own.night_id', '=', value('nightId'))
    .where('own.id', '=', value('passId'))
    .where('joined.watchlist_id', '=', value('watchlistId'))
    .where('joined.night_id', '=', value('nightId'))
    .where(
      sql<boolean>`(joined.id = own.id or case when joined.device_hash is null or own.device_hash is null
        then joined.address_hash = own.address_hash and joined.ended_at is not null
        else joined.device_hash = own.device_hash end)`,
    )
}

/** The ballots of a guest, also of earlier passes, unless their guest had left when the vote was closed: they do not count then. */
export const listGuestBallots = prepared<GuestKey, BallotRow>((db, value) =>
  tables(db)
    .selectFrom(passesOfGuest(db, value).as('pass'))
    .innerJoin('night_ballot', 'night_ballot.user_id', 'pass.id')
    .innerJoin('night_vote', 'night_vote.draw_number', 'night_ballot.draw_number')
    .select(BALLOT_COLUMNS.map((name) => `night_ballot.${name}` as const))
    .where('night_ballot.watchlist_id', '=', value('watchlistId'))
    .where('night_ballot.night_id', '=', value('nightId'))
    .where('night_vote.watchlist_id', '=', value('watchlistId'))
    .where('night_vote.night_id', '=', value('nightId'))
    .where(sql<boolean>`(pass.ended_at is null or pass.ended_at > night_vote.closed_at)`),
)

/** The vetoes of a guest on revealed cards, also of earlier passes. Each pass has as many as its budget. */
export const listGuestVetoes = prepared<GuestKey, VetoRow>((db, value) => {
  const watchlistId = value('watchlistId')
  // PostgreSQL would compare all vetoes of the watchlist.
  const onePass = sql`lateral (select * from night_veto where watchlist_id = ${watchlistId} and user_id = pass.id
    order by vetoed_at limit ${sql.lit(GUEST_VETO_BUDGET)})`
  const veto = sql<VetoRow>`${dialectOf(db) === 'sqlite' ? sql`night_veto` : onePass}`
  return tables(db)
    .selectFrom(passesOfGuest(db, value).as('pass'))
    .crossJoin(veto.as('veto'))
    .select(VETO_COLUMNS.map((name) => `veto.${name}` as const))
    .where('veto.watchlist_id', '=', watchlistId)
    .whereRef('veto.user_id', '=', 'pass.id')
})

/** When the last veto on a revealed card of the night was used. */
export const listLastVetoTime = prepared<NightKey, { vetoed_at: string }>((db, value) =>
  tables(db)
    .selectFrom('night_veto')
    .select('vetoed_at')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('night_id', '=', value('id'))
    .orderBy('vetoed_at', 'desc')
    .limit(sql.lit(1)),
)

/** Gives the ballots and vetoes of a guest to a user. Of two ballots in one vote, the user's own stays. */
export async function moveBallots(
  db: AnyDb,
  { user_id, watchlist_id, night_id, pass_id }: PassTables['night_claim'],
  { except }: { except: number | undefined },
): Promise<void> {
  const own = tables(db)
    .selectFrom('night_ballot')
    .select('draw_number')
    .where('watchlist_id', '=', watchlist_id)
    .where('night_id', '=', night_id)
    .where('user_id', '=', user_id)
  await tables(db)
    .updateTable('night_ballot')
    .set({ user_id })
    .where('watchlist_id', '=', watchlist_id)
    .where('night_id', '=', night_id)
    .where('user_id', '=', pass_id)
    .where('draw_number', 'not in', own)
    .$if(except !== undefined, (query) => query.where('draw_number', '!=', except ?? 0))
    .execute()
  await tables(db)
    .updateTable('night_veto')
    .set({ user_id })
    .where('watchlist_id', '=', watchlist_id)
    .where('night_id', '=', night_id)
    .where('user_id', '=', pass_id)
    .execute()
}

/** Deletes the ballots of users who have left, and forgets which vetoes were theirs. */
export async function deleteBallots(db: AnyDb, watchlistId: string, userIds: readonly string[]): Promise<void> {
  await tables(db)
    .updateTable('night_veto')
    .set({ user_id: null })
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .execute()
  await tables(db)
    .deleteFrom('night_ballot')
    .where('watchlist_id', '=', watchlistId)
    .where(isOneOf(db, sql.ref('user_id'), userIds))
    .execute()
}

const budget = preparedFirst<{ watchlistId: string }, { veto_budget: number }>((db, value) =>
  tables(db).selectFrom('night_setting').select('veto_budget').where('watchlist_id', '=', value('watchlistId')),
)

export async function findVetoBudget(db: AnyDb, watchlistId: string): Promise<number | undefined> {
  return (await budget(db, { watchlistId }))?.veto_budget
}

export async function saveVetoBudget(db: AnyDb, setting: VoteTables['night_setting']): Promise<void> {
  await tables(db)
    .insertInto('night_setting')
    .values(setting)
    .onConflict((conflict) => conflict.column('watchlist_id').doUpdateSet({ veto_budget: setting.veto_budget }))
    .execute()
}
