import { type RawBuilder, sql } from 'kysely'

import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { isOneOf } from '@marquee/platform/database/json'
import { prepared } from '@marquee/platform/database/prepared'
import type { Sent } from '@marquee/platform/database/sent'
import { LONGEST_PAUSE_MS } from '@marquee/platform/queue/deliveries'
import type { DueTable } from '@marquee/platform/queue/store'

import type { LinkKey, LinkRow, MarkRow, MediaLinkTables, ServerKey } from './store.ts'

type CardOfUser = { readonly watchlistId: string; readonly userId: string; readonly cardId: string }
export type MarkKey = LinkKey & { readonly cardId: string }

const tables = withTables<MediaLinkTables>

/** All marks for one linked user share a lane. A film that the server cannot mark does not hold up the others. */
export const WAITING_MARKS: DueTable<MarkRow> = {
  name: 'media_mark',
  key: ['watchlist_id', 'server_id', 'user_id', 'card_id'],
  lane: 3,
  thenBy: 'card_id',
  attempts: 'attempts',
  fewestFirst: true,
}

/** A mark that is made while a link has ended or waits is sent once the same user is linked. */
const isHeld = sql<boolean>`exists (
  select 1 from media_link where media_link.watchlist_id = media_mark.watchlist_id
    and media_link.server_id = media_mark.server_id and media_link.user_id = media_mark.user_id
    and media_link.state <> 'linked')`

const insertWanted = prepared<CardOfUser & { now: number; latest: number; except: string }, unknown>((db, value) =>
  tables(db)
    .insertInto('media_mark')
    .columns(['watchlist_id', 'server_id', 'user_id', 'card_id', 'known', 'wanted', 'version', 'due_at', 'attempts'])
    .expression((eb) =>
      eb
        .selectFrom('media_link')
        .select([
          'media_link.watchlist_id',
          'media_link.server_id',
          'media_link.user_id',
          sql<string>`cast(${value('cardId')} as text)`.as('card_id'),
          sql<null>`cast(null as integer)`.as('known'),
          sql<number>`1`.as('wanted'),
          sql<number>`0`.as('version'),
          // A pause that was written by a clock ahead of time does not count.
          sql<number | null>`case when media_link.state <> 'linked' then cast(null as bigint)
            when media_link.retry_at > ${value('now')} and media_link.retry_at <= ${value('latest')}
            then media_link.retry_at else cast(${value('now')} as bigint) end`.as('due_at'),
          sql<number>`0`.as('attempts'),
        ])
        .where('media_link.watchlist_id', '=', value('watchlistId'))
        .where('media_link.user_id', '=', value('userId'))
        .where('media_link.server_id', '<>', value('except'))
        .where('media_link.is_sent', '=', 1),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['watchlist_id', 'server_id', 'user_id', 'card_id'])
        .doUpdateSet({
          wanted: 1,
          version: sql`media_mark.version + 1`,
          due_at: sql`coalesce(media_mark.due_at, excluded.due_at)`,
        })
        .where(sql<boolean>`coalesce(media_mark.wanted, media_mark.known, 0) = 0`),
    ),
)

/**
 * Has servers notified that a user has seen a film, except those that know it already, and the one that has just reported
 * it. A mark that waits for its turn, or is on its way, keeps its time.
 */
export function wantSeen(
  db: AnyDb,
  { watchlistId, userId, cardId }: CardOfUser,
  now: number,
  except = '',
): Sent<unknown> {
  return insertWanted.send(db, { watchlistId, userId, cardId, now, latest: now + LONGEST_PAUSE_MS, except })
}

/** Has servers notified that a user has not seen a film, if they have it as seen or were to be notified of that. */
export const wantUnseen = prepared<CardOfUser & { now: number }, unknown>((db, value) =>
  tables(db)
    .updateTable('media_mark')
    .set({
      wanted: 0,
      version: sql`version + 1`,
      due_at: sql`case when ${isHeld} then cast(null as bigint) else coalesce(due_at, ${value('now')}) end`,
    })
    .where('watchlist_id', '=', value('watchlistId'))
    .where('server_id', 'in', (eb) =>
      eb
        .selectFrom('media_link')
        .select('media_link.server_id')
        .where('media_link.watchlist_id', '=', value('watchlistId'))
        .where('media_link.user_id', '=', value('userId'))
        .where('media_link.is_sent', '=', 1),
    )
    .where('user_id', '=', value('userId'))
    .where('card_id', '=', value('cardId'))
    .where(sql<boolean>`coalesce(wanted, known) = 1`),
)

export async function findMark(db: AnyDb, key: MarkKey): Promise<MarkRow | undefined> {
  return await tables(db)
    .selectFrom('media_mark')
    .selectAll()
    .where('watchlist_id', '=', key.watchlistId)
    .where('server_id', '=', key.serverId)
    .where('user_id', '=', key.userId)
    .where('card_id', '=', key.cardId)
    .executeTakeFirst()
}

/**
 * Notes that a film was played at the server, which knows it, so nothing needs to be sent. If another mark may be on its
 * way, the right one follows it.
 */
export async function savePlayed(db: AnyDb, key: MarkKey, playedAt: number): Promise<void> {
  const { watchlistId, serverId, userId, cardId } = key
  const row = { watchlist_id: watchlistId, server_id: serverId, user_id: userId, card_id: cardId }
  await tables(db)
    .insertInto('media_mark')
    .values({ ...row, known: 1, wanted: null, version: 0, played_at: playedAt, due_at: null, attempts: 0 })
    .onConflict((conflict) =>
      conflict.columns(['watchlist_id', 'server_id', 'user_id', 'card_id']).doUpdateSet({
        known: 1,
        played_at: playedAt,
        wanted: sql`case when media_mark.due_at is null then null else 1 end`,
        version: sql`media_mark.version + 1`,
      }),
    )
    .execute()
}

/** The server knows now what was sent. False if another mark was made meanwhile, which is due now. */
export async function settleMark(db: AnyDb, mark: MarkRow, known: number | null, now: number): Promise<boolean> {
  const { numUpdatedRows } = await ofRow(db, mark)
    .set({ known, wanted: null, due_at: null, attempts: 0 })
    .where('version', '=', mark.version)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 1n) return true
  await ofRow(db, mark).set({ known, due_at: now }).where('wanted', 'is not', null).execute()
  return false
}

/**
 * A film that the server does not have waits, without a time, for a list that has it. If another mark was made meanwhile,
 * it is due now.
 */
export async function awaitFilm(db: AnyDb, mark: MarkRow, now: number): Promise<void> {
  const { numUpdatedRows } = await ofRow(db, mark)
    .set({ due_at: null, attempts: 0 })
    .where('version', '=', mark.version)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) await ofRow(db, mark).set({ due_at: now }).where('wanted', 'is not', null).execute()
}

/** The cards whose films wait until a server has them, for users whose link works. */
export async function listAwaited(db: AnyDb, key: ServerKey): Promise<string[]> {
  const rows = await tables(db).selectFrom('media_mark').select('card_id').distinct().where(isAwaited(key)).execute()
  return rows.map(({ card_id: cardId }) => cardId)
}

/** Makes marks due that wait for one of these films. */
export async function releaseAwaited(
  db: AnyDb,
  key: ServerKey,
  cardIds: readonly string[],
  now: number,
): Promise<void> {
  await tables(db)
    .updateTable('media_mark')
    .set({ due_at: now })
    .where(isAwaited(key))
    .where(isOneOf(db, sql.ref('card_id'), cardIds))
    .execute()
}

function isAwaited({ watchlistId, serverId }: ServerKey): RawBuilder<boolean> {
  return sql<boolean>`media_mark.watchlist_id = ${watchlistId} and media_mark.server_id = ${serverId}
    and media_mark.wanted = 1 and media_mark.due_at is null and exists (
      select 1 from media_link where media_link.watchlist_id = media_mark.watchlist_id
        and media_link.server_id = media_mark.server_id and media_link.user_id = media_mark.user_id
        and media_link.state = 'linked' and media_link.is_sent = 1)`
}

function ofRow(db: AnyDb, mark: MarkRow) {
  return tables(db)
    .updateTable('media_mark')
    .where('watchlist_id', '=', mark.watchlist_id)
    .where('server_id', '=', mark.server_id)
    .where('user_id', '=', mark.user_id)
    .where('card_id', '=', mark.card_id)
}

/** Holds the unsent marks of a link until its user is linked again. */
export async function holdMarks(db: AnyDb, link: LinkRow): Promise<void> {
  await ofLink(db, link).set({ due_at: null }).where('due_at', 'is not', null).execute()
}

/** Makes the unsent marks of a link due. */
export async function resumeMarks(db: AnyDb, link: LinkRow, now: number): Promise<void> {
  await ofLink(db, link).set({ due_at: now, attempts: 0 }).where('wanted', 'is not', null).execute()
}

/** Forgets the marks of a link: another user knows other films. */
export async function forgetMarks(db: AnyDb, link: LinkRow): Promise<void> {
  await tables(db)
    .deleteFrom('media_mark')
    .where('watchlist_id', '=', link.watchlist_id)
    .where('server_id', '=', link.server_id)
    .where('user_id', '=', link.user_id)
    .execute()
}

function ofLink(db: AnyDb, link: LinkRow) {
  return tables(db)
    .updateTable('media_mark')
    .where('watchlist_id', '=', link.watchlist_id)
    .where('server_id', '=', link.server_id)
    .where('user_id', '=', link.user_id)
}
