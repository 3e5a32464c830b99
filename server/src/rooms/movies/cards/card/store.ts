import { sql } from 'kysely'

import type { CardStatus, StatusChange } from '@marquee/contract/entities/card'
import type { ContentField, WrittenContent } from '@marquee/contract/entities/card-content'
import type { Movie } from '@marquee/contract/entities/movie'
import { type AnyDb, withTables } from '@marquee/platform/database/database'
import { jsonArray, jsonColumns } from '@marquee/platform/database/json'
import { given, prepared, preparedFirst } from '@marquee/platform/database/prepared'
import type { Sent } from '@marquee/platform/database/sent'

import { NO_POSTER } from '../../images/service.ts'
import { lastCommentsOfCard } from '../../comments/service.ts'
import { movieKeys, titleKey } from '../../same-movie/service.ts'
import { libraryKeys } from './library-keys.ts'

export type CardTables = {
  card: {
    watchlist_id: string
    id: string
    title: string
    description: string | null
    /** JSON in the shape of the contract. */
    movie: string | null
    /** What finds the cards of a movie: see `box-store.ts`. */
    movie_key: string | null
    title_key: string | null
    /** Made of title and movie, to search, filter and sort by. See `library-keys.ts`. */
    folded_title: string
    folded_people: string
    folded_genres: string
    year: number
    runtime_minutes: number
    image_url: string | null
    image_hash: string | null
    /** The name of our copy of `image_url`, and whether the creator is to see that there is none. */
    copy_hash: string | null
    copy_failed: number
    status: CardStatus
    creator_id: string
    creator_username: string
    created_at: string
    updated_at: string
    status_changed_at: string
    status_change_count: number
    selection_index: number | null
  }
  /** Kept in step by triggers. */
  card_words: { watchlist_id: string; word: string; card_id: string }
  status_change: {
    watchlist_id: string
    card_id: string
    seq: number
    status: CardStatus
    changed_by: string
    changed_at: string
  }
  card_wants: {
    watchlist_id: string
    card_id: string
    user_id: string
    created_at: string
    id: string
    username: string
    title: string
    /** JSON in the shape of the contract. */
    movie: string | null
  }
}

/** The facts of a column `movie`. */
export function readMovie(movie: string | null): Movie | null {
  return movie === null ? null : (JSON.parse(movie) as Movie)
}

/** A row with the facts of its column `movie`. */
export function withMovie<Row extends { readonly movie: string | null }>(
  row: Row,
): Omit<Row, 'movie'> & { movie: Movie | null } {
  return { ...row, movie: readMovie(row.movie) }
}

export type CardMovie = { cardId: string; title: string; movie: Movie | null }

/** The columns that each field decides: the field itself, and what finds and sorts the card. */
const COLUMNS_OF = {
  title: ['title', 'title_key', 'folded_title'],
  description: ['description'],
  movie: ['movie', 'movie_key', 'folded_people', 'folded_genres', 'year', 'runtime_minutes'],
} as const satisfies Record<ContentField, readonly (keyof CardTables['card'])[]>

type ContentColumns = Pick<CardTables['card'], (typeof COLUMNS_OF)[ContentField][number]>

export function contentColumns({ title, description, movie }: WrittenContent): ContentColumns {
  return {
    title,
    description,
    movie: movie ? JSON.stringify(movie) : null,
    movie_key: (movie && movieKeys(movie.ids)[0]) ?? null,
    title_key: titleKey(title) || null,
    ...libraryKeys(title, movie),
  }
}

/** What all new cards have. The times are those of a card that nothing has happened to. */
export function newCardColumns(
  { watchlistId, cardId }: CardKey,
  content: WrittenContent,
  creator: { readonly userId: string; readonly username: string },
  at: string,
) {
  return {
    watchlist_id: watchlistId,
    id: cardId,
    ...contentColumns(content),
    copy_hash: null,
    copy_failed: 0,
    creator_id: creator.userId,
    creator_username: creator.username,
    created_at: at,
    updated_at: at,
    status_changed_at: at,
  }
}

const COLUMNS = [
  'card.watchlist_id',
  'card.id',
  'card.title',
  'card.description',
  'card.movie',
  'card.image_url',
  'card.image_hash',
  'card.copy_hash',
  'card.copy_failed',
  'card.status',
  'card.creator_username',
  'card.created_at',
  'card.updated_at',
  'card.status_changed_at',
  'card.selection_index',
] as const

type ColumnName<Column> = Column extends `card.${infer Name extends keyof CardTables['card']}` ? Name : never

/**
 * `status_changes` and `last_comments` are JSON arrays in the shapes of the contract, `wants` one of `{username}`, without the
 * creator.
 */
export type CardRow = Pick<CardTables['card'], ColumnName<(typeof COLUMNS)[number]>> & {
  status_changes: string
  last_comments: string
  wants: string
}

const STATUS_CHANGE_JSON = {
  status: 'status',
  changedBy: 'changed_by',
  changedAt: 'changed_at',
} as const satisfies Record<keyof StatusChange, keyof CardTables['status_change']>

const tables = withTables<CardTables>

// Literal, not bound: the indexes cover only the cards in the feed, or only those in the box.
export const IS_IN_FEED = sql<boolean>`card.status <> 'SUGGESTED'`
export const IS_IN_BOX = sql<boolean>`card.status = 'SUGGESTED'`

/** A card with its history, last comments and who wants it, also behind a change of it. */
export function cardColumns(db: AnyDb) {
  const statusChanges = jsonArray(db, jsonColumns<CardTables['status_change']>('s', STATUS_CHANGE_JSON), {
    orderBy: sql`s.seq`,
    from: sql`from status_change as s where s.watchlist_id = card.watchlist_id and s.card_id = card.id`,
  })
  const wants = jsonArray(db, jsonColumns<CardTables['card_wants']>('w', { username: 'username' }), {
    orderBy: sql`w.created_at, w.user_id`,
    from: sql`from card_wants as w where w.watchlist_id = card.watchlist_id and w.card_id = card.id`,
  })
  return [
    ...COLUMNS,
    statusChanges.as('status_changes'),
    lastCommentsOfCard(db).as('last_comments'),
    wants.as('wants'),
  ] as const
}

/** One statement, however many cards. */
export function selectCards(db: AnyDb) {
  return tables(db).selectFrom('card').select(cardColumns(db))
}

export type CardKey = { watchlistId: string; cardId: string }

type KnownKey = CardKey & { userId: string }

const knownCard = prepared<KnownKey, CardRow>((db, value) =>
  selectCards(db)
    .where('card.watchlist_id', '=', value('watchlistId'))
    .where('card.id', '=', value('cardId'))
    .where((eb) => eb.or([IS_IN_FEED, eb('card.creator_id', '=', value('userId'))])),
)

/** A card that the user may know of, as `findKnown`. */
export async function findKnownCard(
  db: AnyDb,
  { userId }: { userId: string },
  card: CardKey,
): Promise<CardRow | undefined> {
  const [row] = await knownCard(db, { ...card, userId })
  return row
}

/** `findKnownCard` for a card that the transaction has written, among its last statements. */
export function findWritten(db: AnyDb, { userId }: { userId: string }, card: CardKey): Sent<CardRow> {
  return theCard(knownCard.send(db, { ...card, userId }))
}

/** What decides who may do what with a card, and where it may move. */
type CardState = { status: CardStatus; authorId: string; changeCount: number; slot: number | null }

const STATE = [
  'status',
  'creator_id as authorId',
  'status_change_count as changeCount',
  'selection_index as slot',
] as const

/** A card of the feed. Not even its creator may change the status of a card in the box. */
export const findInFeed = preparedFirst<CardKey, CardState>((db, value) =>
  tables(db)
    .selectFrom('card')
    .select(STATE)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('id', '=', value('cardId'))
    .where(IS_IN_FEED),
)

const stateOfKnown = preparedFirst<KnownKey, CardState>((db, value) =>
  tables(db)
    .selectFrom('card')
    .select(STATE)
    .where('watchlist_id', '=', value('watchlistId'))
    .where('id', '=', value('cardId'))
    .where((eb) => eb.or([IS_IN_FEED, eb('creator_id', '=', value('userId'))])),
)

/** A card that the user may know of: one in the box is secret to all but its creator. */
export async function findKnown(
  db: AnyDb,
  { userId }: { userId: string },
  card: CardKey,
): Promise<CardState | undefined> {
  return await stateOfKnown(db, { ...card, userId })
}

type Own = { watchlistId: string; creatorId: string }

/** Keys after one up to another. */
export type KeyRange = { readonly after: string; readonly until: string }

/** The cards in the feed and those of one creator in the box, by id. */
export async function listKnownCards(
  db: AnyDb,
  { watchlistId, creatorId }: Own,
  { after, until }: KeyRange,
): Promise<CardRow[]> {
  return await selectCards(db)
    .where('card.watchlist_id', '=', watchlistId)
    .where('card.id', '>', after)
    .where('card.id', '<=', until)
    .where((eb) => eb.or([IS_IN_FEED, eb('card.creator_id', '=', creatorId)]))
    .orderBy('card.id')
    .execute()
}

/** The last key of the next `limit` cards after a key; undefined if there are none. */
export async function lastKeyAfter(
  db: AnyDb,
  watchlistId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select max(id) as id from (
    select id from card where watchlist_id = ${watchlistId} and id > ${after} order by id limit ${sql.lit(limit)}
  ) as next_cards`.execute(db)
  return rows[0]?.id ?? undefined
}

const CARD_COLUMNS = [
  'watchlist_id',
  'id',
  'title',
  'description',
  'movie',
  'movie_key',
  'title_key',
  'folded_title',
  'folded_people',
  'folded_genres',
  'year',
  'runtime_minutes',
  'image_url',
  'image_hash',
  'copy_hash',
  'copy_failed',
  'status',
  'creator_id',
  'creator_username',
  'created_at',
  'updated_at',
  'status_changed_at',
  'status_change_count',
  'selection_index',
] as const satisfies (keyof CardTables['card'])[]

export const insertCard = prepared<CardTables['card'], unknown>((db, value) =>
  tables(db).insertInto('card').values(given(CARD_COLUMNS, value)),
)

type NewContent = CardKey & ContentColumns & { at: string; image_url: string | null; image_hash: string | null }

/** Saves the given fields of a card, and its image if there is a new one. Returns the card. */
export const saveContent = prepared<NewContent, CardRow, { fields: readonly ContentField[]; hasImage: boolean }>(
  (db, value, { fields, hasImage }) =>
    tables(db)
      .updateTable('card')
      .set({ updated_at: value('at') })
      .set(Object.fromEntries(fields.flatMap((field) => COLUMNS_OF[field].map((name) => [name, value(name)]))))
      .$if(hasImage, (query) =>
        query.set({
          ...given(['image_url', 'image_hash'], value),
          copy_hash: null,
          copy_failed: 0,
        }),
      )
      .where('watchlist_id', '=', value('watchlistId'))
      .where('id', '=', value('cardId'))
      .returning(cardColumns(db)),
)

/**
 * Saves the name of a copied poster, or that there is no copy. Returns the status of the card; undefined if nothing changed,
 * the card is gone, or it has another poster by now.
 */
export async function savePosterCopy(
  db: AnyDb,
  { watchlistId, cardId, url }: { watchlistId: string; cardId: string; url: string },
  hash: string | undefined,
): Promise<CardStatus | undefined> {
  const row = await tables(db)
    .updateTable('card')
    .set(hash === undefined ? { copy_failed: 1 } : { copy_hash: hash })
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', cardId)
    .where('image_url', '=', url)
    .where('copy_hash', 'is', null)
    .$if(hash === undefined, (query) => query.where('copy_failed', '=', 0))
    .returning('status')
    .executeTakeFirst()
  return row?.status
}

/** Saves the poster of a card that has none. Returns the status of the card; undefined if nothing changed. */
export async function savePicture(
  db: AnyDb,
  { watchlistId, cardId }: CardKey,
  hash: string | undefined,
): Promise<CardStatus | undefined> {
  if (hash === undefined) return undefined
  const row = await tables(db)
    .updateTable('card')
    .set({ image_hash: hash })
    .where('watchlist_id', '=', watchlistId)
    .where('id', '=', cardId)
    .where('image_hash', '=', NO_POSTER)
    .where('image_url', 'is', null)
    .returning('status')
    .executeTakeFirst()
  return row?.status
}

/** Deletes a card with its history and comments. */
export const deleteCardRow = prepared<CardKey, unknown>((db, value) =>
  tables(db).deleteFrom('card').where('watchlist_id', '=', value('watchlistId')).where('id', '=', value('cardId')),
)

/** The one card of a statement. The transaction holds the watchlist, so the card is as it was read. */
export function theCard(rows: Sent<CardRow[]>): Sent<CardRow> {
  return rows.map(([row]) => {
    if (!row) throw new Error('A card changed in a watchlist that was locked')
    return row
  })
}

/** The cards of a creator in a watchlist that are not in the box, oldest first. */
export async function listOwnCards(
  db: AnyDb,
  { watchlistId, creatorId }: Own,
  { after, until }: KeyRange,
): Promise<CardTables['card'][]> {
  return await tables(db)
    .selectFrom('card')
    .selectAll()
    .where('watchlist_id', '=', watchlistId)
    .where('id', '>', after)
    .where('id', '<=', until)
    .where('creator_id', '=', creatorId)
    .where(IS_IN_FEED)
    .orderBy('id')
    .execute()
}
