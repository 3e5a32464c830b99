import { sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'

import type { PassTables } from './pass-store.ts'
import type { NightKey, NightTables } from './store.ts'

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

/** The latest vote of a night. */
export async function findVote(db: AnyDb, { watchlistId, id }: NightKey): Promise<VoteRow | undefined> {
  return await tables(db)
    .selectFrom('night_vote')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .orderBy('draw_number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertVote(db: AnyDb, vote: VoteRow): Promise<void> {
  await tables(db).insertInto('night_vote').values(vote).execute()
}

/** Saves the result, unless there is one. */
export async function saveResult(db: AnyDb, vote: VoteRow, closed_at: string, result: string): Promise<void> {
  await tables(db)
    .updateTable('night_vote')
    .set({ closed_at, result })
    .where('watchlist_id', '=', vote.watchlist_id)
    .where('night_id', '=', vote.night_id)
    .where('draw_number', '=', vote.draw_number)
    .where('closed_at', 'is', null)
    .execute()
}

/** The members and guests who are at the night. Members vote for the guests whom they added on their own device. */
export async function listPresent(
  db: AnyDb,
  { watchlistId, id }: NightKey,
): Promise<{ userId: string; device: string }[]> {
  return await tables(db)
    .selectFrom('night_presence')
    .select(['user_id as userId', 'username as device'])
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .where('left_at', 'is', null)
    .unionAll((eb) =>
      eb
        .selectFrom('night_pass')
        .select((guest) => ['id as userId', guest.fn.coalesce('created_by', 'id').as('device')])
        .where('watchlist_id', '=', watchlistId)
        .where('night_id', '=', id)
        .where('kind', '=', 'guest')
        .where('ended_at', 'is', null),
    )
    .execute()
}

export async function listAbsentees(db: AnyDb, vote: VoteKey): Promise<{ userId: string; isRemoved: boolean }[]> {
  const rows = await tables(db)
    .selectFrom('night_absentee')
    .select(['user_id', 'is_removed'])
    .where('watchlist_id', '=', vote.watchlist_id)
    .where('night_id', '=', vote.night_id)
    .where('draw_number', '=', vote.draw_number)
    .execute()
  return rows.map(({ user_id: userId, is_removed }) => ({ userId, isRemoved: is_removed === 1 }))
}

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

/** Deletes who has left during a vote, and the ballots that belong to no one any more. */
export async function deleteFormer(db: AnyDb, vote: VoteKey): Promise<void> {
  await tables(db)
    .deleteFrom('night_absentee')
    .where('watchlist_id', '=', vote.watchlist_id)
    .where('night_id', '=', vote.night_id)
    .where('draw_number', '=', vote.draw_number)
    .execute()
  await tables(db)
    .deleteFrom('night_ballot')
    .where('watchlist_id', '=', vote.watchlist_id)
    .where('night_id', '=', vote.night_id)
    .where('draw_number', '=', vote.draw_number)
    .where('user_id', '>=', FORMER)
    .where('user_id', '<', `${FORMER}~`)
    .execute()
}

export async function listBallots(db: AnyDb, vote: VoteKey): Promise<BallotRow[]> {
  return await tables(db)
    .selectFrom('night_ballot')
    .selectAll()
    .where('watchlist_id', '=', vote.watchlist_id)
    .where('night_id', '=', vote.night_id)
    .where('draw_number', '=', vote.draw_number)
    .execute()
}

export async function saveBallot(db: AnyDb, ballot: BallotRow): Promise<void> {
  const { scores, veto, voted_at } = ballot
  await tables(db)
    .insertInto('night_ballot')
    .values(ballot)
    .onConflict((conflict) =>
      conflict.columns(['watchlist_id', 'night_id', 'draw_number', 'user_id']).doUpdateSet({ scores, veto, voted_at }),
    )
    .execute()
}

/** The ballots of a user since a time, oldest first. */
export async function listBallotsOf(
  db: AnyDb,
  watchlistId: string,
  { userId, since }: { userId: string; since: string },
): Promise<BallotRow[]> {
  return await tables(db)
    .selectFrom('night_ballot')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .where('voted_at', '>=', since)
    .orderBy('voted_at')
    .execute()
}

export async function insertVeto(db: AnyDb, veto: VetoRow): Promise<void> {
  await tables(db).insertInto('night_veto').values(veto).execute()
}

/** The vetoes of a user on revealed cards since a time, oldest first. */
export async function listVetoesOf(
  db: AnyDb,
  watchlistId: string,
  { userId, since }: { userId: string; since: string },
): Promise<VetoRow[]> {
  return await tables(db)
    .selectFrom('night_veto')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('user_id', '=', userId)
    .where('vetoed_at', '>=', since)
    .orderBy('vetoed_at')
    .execute()
}

/** When the last veto on a revealed card of the night was used. */
export async function findLastVetoTime(db: AnyDb, { watchlistId, id }: NightKey): Promise<string | undefined> {
  const row = await tables(db)
    .selectFrom('night_veto')
    .select('vetoed_at')
    .where('watchlist_id', '=', watchlistId)
    .where('night_id', '=', id)
    .orderBy('vetoed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.vetoed_at
}

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

export async function findVetoBudget(db: AnyDb, watchlistId: string): Promise<number | undefined> {
  const row = await tables(db)
    .selectFrom('night_setting')
    .select('veto_budget')
    .where('watchlist_id', '=', watchlistId)
    .executeTakeFirst()
  return row?.veto_budget
}

export async function saveVetoBudget(db: AnyDb, setting: VoteTables['night_setting']): Promise<void> {
  await tables(db)
    .insertInto('night_setting')
    .values(setting)
    .onConflict((conflict) => conflict.column('watchlist_id').doUpdateSet({ veto_budget: setting.veto_budget }))
    .execute()
}
