import { type Expression, sql } from 'kysely'

import { DRAW_RESTS, type DrawRest, type DrawRule, type DrawStatus } from '@marquee/contract/entities/draw'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf, rowsOfJson } from '@marquee/platform/database/json'
import { given, prepared, preparedFirst } from '@marquee/platform/database/prepared'
import type { Sent } from '@marquee/platform/database/sent'

import { idInSlot } from '../movies/cards/service.ts'

export type DrawTables = {
  draw_state: { watchlist_id: string; rule: DrawRule; rest: DrawRest; draw_count: number }
  draw: {
    watchlist_id: string
    draw_number: number
    status: DrawStatus
    rule: DrawRule
    /** JSON, as it was sent. */
    filter: string | null
    picks: number
    eligible: number
    /** The people of the table, as JSON in the shape of the contract. Null without a table. */
    people: string | null
    /** What finds the cards of the tickets while the draw is prepared: a JSON array of `Candidate`. */
    candidates: string | null
    server_seed: string | null
    commitment: string | null
    /** A JSON array. */
    seeds: string
    prepared_at: string
    revealed_at: string | null
    username: string
    /** As the API names it. */
    night_id: string | null
    /** A JSON array, once the hashes are closed. */
    hashes: string | null
    hashes_closed_at: string | null
    /** A JSON array in the shape of the contract, of a draw that was revealed with hashes or ended because of absent devices. */
    absent: string | null
  }
  draw_pick: {
    watchlist_id: string
    draw_number: number
    place: number
    card_id: string
    ticket: string | null
    secret: string | null
    /** A decimal number. */
    odds: string | null
  }
  /** Tickets are new for every draw now. Processes of earlier versions keep their secrets here. */
  draw_secret: { watchlist_id: string; card_id: string; change_count: number; secret: string }
  /** The seeds of a prepared draw. Those of a revealed one are in `draw`. */
  draw_seed: { watchlist_id: string; draw_number: number; seed: string; person_id: string }
  /** The hashes of a prepared draw, and the seeds of those that are open. */
  draw_seed_hash: {
    watchlist_id: string
    draw_number: number
    hash: string
    person_id: string
    /** The username or nickname of the person, then. */
    name: string
    seed: string | null
    /** 1 for a person who did not open a seed of the draw before and takes no part. Their id is in place of a hash. */
    sits_out: 0 | 1
  }
}

export type DrawRow = DrawTables['draw']
export type PickRow = DrawTables['draw_pick']
export type SeedHashRow = DrawTables['draw_seed_hash']
export type DrawKey = { watchlistId: string; drawNumber: number }

const HASH_COLUMNS = [
  'watchlist_id',
  'draw_number',
  'hash',
  'person_id',
  'name',
  'seed',
  'sits_out',
] as const satisfies (keyof SeedHashRow)[]

const tables = withTables<DrawTables>

const FIRST = { rule: 'cards', rest: 0 } as const
// Literal, not bound: the index covers only these.
const IS_PREPARED = sql<boolean>`status = 'prepared'`

const stateAfterNext = prepared<{ watchlistId: string }, Omit<DrawTables['draw_state'], 'watchlist_id'>>((db, value) =>
  tables(db)
    .insertInto('draw_state')
    .values({
      watchlist_id: value('watchlistId'),
      rule: sql.lit(FIRST.rule),
      rest: sql.lit(FIRST.rest),
      draw_count: sql.lit(1),
    })
    .onConflict((conflict) =>
      conflict.column('watchlist_id').doUpdateSet((eb) => ({ draw_count: eb('draw_state.draw_count', '+', 1) })),
    )
    .returning(['rule', 'rest', 'draw_count']),
)

/** Counts one more draw, in a transaction that holds the watchlist. `draw_count` is its number. */
export async function countDraw(
  db: AnyDb,
  watchlistId: string,
): Promise<Omit<DrawTables['draw_state'], 'watchlist_id'>> {
  const [row] = await stateAfterNext(db, { watchlistId })
  if (!row) throw new Error('A counted draw has a number')
  return row
}

const stateOfDraws = prepared<{ watchlistId: string }, Pick<DrawTables['draw_state'], 'rule' | 'rest'>>((db, value) =>
  tables(db).selectFrom('draw_state').select(['rule', 'rest']).where('watchlist_id', '=', value('watchlistId')),
)

export async function findState(
  db: AnyDb,
  watchlistId: string,
): Promise<Pick<DrawTables['draw_state'], 'rule' | 'rest'>> {
  const [row] = await stateOfDraws(db, { watchlistId })
  return row ?? FIRST
}

export async function saveRule(
  db: AnyDb,
  watchlistId: string,
  rule: Pick<DrawTables['draw_state'], 'rule' | 'rest'>,
): Promise<void> {
  await tables(db)
    .insertInto('draw_state')
    .values({ watchlist_id: watchlistId, draw_count: 0, ...rule })
    .onConflict((conflict) => conflict.column('watchlist_id').doUpdateSet(rule))
    .execute()
}

type OneCall = {
  watchlistId: string
  drawNumber: number
  eligible: number
  odds: string
  slot: number
  username: string
  at: string
}

const oneCallDraw = prepared<OneCall, unknown>((db, value) =>
  tables(db)
    .insertInto('draw')
    .values({
      watchlist_id: value('watchlistId'),
      draw_number: value('drawNumber'),
      status: sql.lit('revealed'),
      rule: sql.lit('cards'),
      picks: sql.lit(1),
      eligible: value('eligible'),
      seeds: sql.lit('[]'),
      prepared_at: value('at'),
      revealed_at: value('at'),
      username: value('username'),
    }),
)

const oneCallPick = prepared<OneCall, unknown>((db, value) =>
  tables(db)
    .insertInto('draw_pick')
    .values({
      watchlist_id: value('watchlistId'),
      draw_number: value('drawNumber'),
      place: sql.lit(0),
      card_id: idInSlot(db, { watchlistId: value('watchlistId'), slot: value('slot') }),
      odds: value('odds'),
    }),
)

/** Records a draw made in one call, without seeds. Sent before the card leaves its slot. */
export function recordOneCall(db: AnyDb, draw: OneCall): Sent<unknown> {
  const recorded = oneCallDraw.send(db, draw)
  return oneCallPick.send(db, draw).with(recorded)
}

const DRAW_COLUMNS = [
  'watchlist_id',
  'draw_number',
  'status',
  'rule',
  'filter',
  'picks',
  'eligible',
  'people',
  'candidates',
  'server_seed',
  'commitment',
  'seeds',
  'prepared_at',
  'revealed_at',
  'username',
  'night_id',
  'hashes',
  'hashes_closed_at',
  'absent',
] as const satisfies (keyof DrawRow)[]

export const insertDraw = prepared<DrawRow, unknown>((db, value) =>
  tables(db).insertInto('draw').values(given(DRAW_COLUMNS, value)),
)

export type PreparedRow = Pick<DrawRow, 'draw_number' | 'status' | 'prepared_at' | 'night_id' | 'hashes'>

/** The prepared draws of a watchlist, oldest first. */
export const listPrepared = prepared<{ watchlistId: string }, PreparedRow>((db, value) =>
  tables(db)
    .selectFrom('draw')
    .select(['draw_number', 'status', 'prepared_at', 'night_id', 'hashes'])
    .where('watchlist_id', '=', value('watchlistId'))
    .where(IS_PREPARED)
    .orderBy('draw_number'),
)

const endOfDraw = prepared<DrawKey & { status: DrawStatus; absent: string | null }, unknown>((db, value) =>
  tables(db)
    .updateTable('draw')
    .set({ status: value('status'), people: null, candidates: null, server_seed: null, absent: value('absent') })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('draw_number', '=', value('drawNumber')),
)

/** Ends a draw without a reveal, among the last statements of a transaction. Its table is of no use any more. */
export function endDraw(
  db: AnyDb,
  key: DrawKey,
  status: 'abandoned' | 'replaced',
  absent: string | null = null,
): Sent<unknown>[] {
  return [endOfDraw.send(db, { ...key, status, absent }), ...deleteSeeds(db, key)]
}

type Reveal = Pick<DrawRow, 'seeds' | 'revealed_at' | 'username' | 'absent'>

const revealOfDraw = prepared<DrawKey & Reveal, unknown>((db, value) =>
  tables(db)
    .updateTable('draw')
    .set({
      ...given(['seeds', 'revealed_at', 'username', 'absent'], value),
      status: sql.lit('revealed'),
      candidates: null,
    })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('draw_number', '=', value('drawNumber')),
)

const PICK_COLUMNS = [
  'watchlist_id',
  'draw_number',
  'place',
  'card_id',
  'ticket',
  'secret',
  'odds',
] as const satisfies (keyof PickRow)[]

const insertPicks = prepared<{ json: string }, unknown>((db, value) =>
  tables(db)
    .insertInto('draw_pick')
    .columns(PICK_COLUMNS)
    .expression(rowsOfJson<PickRow>(db, { table: 'draw_pick', columns: PICK_COLUMNS, json: value('json') })),
)

/** Saves the result of a draw, among the last statements of a transaction. */
export function saveReveal(db: AnyDb, key: DrawKey, reveal: Reveal, picks: readonly PickRow[]): Sent<unknown>[] {
  return [
    revealOfDraw.send(db, { ...key, ...reveal }),
    insertPicks.send(db, { json: JSON.stringify(picks) }),
    ...deleteSeeds(db, key),
  ]
}

/** The hashes that devices have sent for a prepared draw, with the seeds that are open, and who sits it out. */
export const listHashes = prepared<DrawKey, SeedHashRow>((db, value) =>
  tables(db)
    .selectFrom('draw_seed_hash')
    .select(HASH_COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('draw_number', '=', value('drawNumber')),
)

const hashRows = prepared<{ json: string }, unknown>((db, value) =>
  tables(db)
    .insertInto('draw_seed_hash')
    .columns(HASH_COLUMNS)
    .expression(rowsOfJson<SeedHashRow>(db, { table: 'draw_seed_hash', columns: HASH_COLUMNS, json: value('json') })),
)

/** Inserts hashes, among the last statements of a transaction. */
export function insertHashes(db: AnyDb, rows: readonly SeedHashRow[]): Sent<unknown>[] {
  return rows.length === 0 ? [] : [hashRows.send(db, { json: JSON.stringify(rows) })]
}

export const closeHashes = prepared<DrawKey & { hashes: string; at: string }, unknown>((db, value) =>
  tables(db)
    .updateTable('draw')
    .set({ hashes: value('hashes'), hashes_closed_at: value('at') })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('draw_number', '=', value('drawNumber')),
)

export const openSeed = prepared<DrawKey & { hash: string; seed: string }, unknown>((db, value) =>
  tables(db)
    .updateTable('draw_seed_hash')
    .set({ seed: value('seed') })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('draw_number', '=', value('drawNumber'))
    .where('hash', '=', value('hash')),
)

/** The seeds that a process of the previous version has taken for a prepared draw. */
export const listSeeds = prepared<DrawKey, Pick<DrawTables['draw_seed'], 'seed'>>((db, value) =>
  tables(db)
    .selectFrom('draw_seed')
    .select('seed')
    .where('watchlist_id', '=', value('watchlistId'))
    .where('draw_number', '=', value('drawNumber')),
)

const SEED_TABLES = ['draw_seed', 'draw_seed_hash'] as const

const deleteSeedsIn = prepared<DrawKey, unknown, (typeof SEED_TABLES)[number]>((db, value, table) =>
  tables(db)
    .deleteFrom(table)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('draw_number', '=', value('drawNumber')),
)

function deleteSeeds(db: AnyDb, key: DrawKey): Sent<unknown>[] {
  return SEED_TABLES.map((table) => deleteSeedsIn.send(db, key, table))
}

/** Deletes the seeds of people who have left the watchlist. */
export async function deleteSeedsOf(db: AnyDb, watchlistId: string, personIds: readonly string[]): Promise<void> {
  for (const table of ['draw_seed', 'draw_seed_hash'] as const) {
    await tables(db)
      .deleteFrom(table)
      .where('watchlist_id', '=', watchlistId)
      .where(isOneOf(db, sql.ref('person_id'), personIds))
      .execute()
  }
}

export const findDraw = preparedFirst<DrawKey, DrawRow>((db, value) =>
  tables(db)
    .selectFrom('draw')
    .select(DRAW_COLUMNS)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('draw_number', '=', value('drawNumber')),
)

/** Draws without their tables, newest first. */
export async function listDrawRows(
  db: AnyDb,
  watchlistId: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Omit<DrawRow, 'people' | 'candidates' | 'server_seed'>[]> {
  return await tables(db)
    .selectFrom('draw')
    .select(['watchlist_id', 'draw_number', 'status', 'rule', 'filter', 'picks', 'eligible'])
    .select(['commitment', 'seeds', 'prepared_at', 'revealed_at', 'username', 'night_id'])
    .select(['hashes', 'hashes_closed_at', 'absent'])
    .where('watchlist_id', '=', watchlistId)
    .$if(before !== undefined, (query) => query.where('draw_number', '<', before ?? 0))
    .orderBy('draw_number', 'desc')
    .limit(limit)
    .execute()
}

/** The cards of a draw in the order drawn, as a statement for `prepared`. */
export function cardsOfDraw(
  db: AnyDb,
  { watchlistId, drawNumber }: { watchlistId: string; drawNumber: Expression<unknown> },
) {
  return tables(db)
    .selectFrom('draw_pick')
    .select('draw_pick.card_id as cardId')
    .where('draw_pick.watchlist_id', '=', watchlistId)
    .where('draw_pick.draw_number', '=', sql<number>`${drawNumber}`)
    .orderBy('draw_pick.place')
}

/** The picks of the draws from `first` to `last`, in order. */
export async function listPicks(
  db: AnyDb,
  watchlistId: string,
  { first, last }: { first: number; last: number },
): Promise<PickRow[]> {
  return await tables(db)
    .selectFrom('draw_pick')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('draw_number', '>=', first)
    .where('draw_number', '<=', last)
    .orderBy('draw_number')
    .orderBy('place')
    .execute()
}

/** When the last draws were revealed for which a card can rest, and by whom, latest first. */
export const listRevealTimes = prepared<{ watchlistId: string }, Pick<DrawRow, 'revealed_at' | 'username'>>(
  (db, value) =>
    tables(db)
      .selectFrom('draw')
      .select(['revealed_at', 'username'])
      .where('watchlist_id', '=', value('watchlistId'))
      .where(sql<boolean>`status = 'revealed'`)
      // A draw that found no movie changes nothing.
      .where(sql<boolean>`eligible > 0`)
      .orderBy('draw_number', 'desc')
      .limit(sql.lit(Math.max(...DRAW_RESTS))),
)
