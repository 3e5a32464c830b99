import type { DataExport } from '@marquee/contract/entities/account'
import type { CardViewings, Viewing } from '@marquee/contract/entities/viewing'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Sent } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'
import { DAY_MS } from '@marquee/platform/runtime/durations'

import type { User } from '../../club/people/service.ts'
import { changeWatchlist, type WatchlistPorts } from '../../club/watchlists/service.ts'
import {
  deleteOfNight,
  deleteViewingRow,
  forgetNight,
  forgetRated,
  insertAtNight,
  insertBrought,
  insertFromServer,
  keepRated,
  listOwnViewings,
  listViewingsOf,
  readViewings,
  saveMarkRow,
  saveViewingRow,
  type ViewingRow,
} from './store.ts'

export { isUnratedBy, ratingsOf, seenConditions, type SeenFilter } from './library-store.ts'
export {
  deleteViewingsOf as forgetViewings,
  listSeenBy,
  listUnratedAtNight,
  listUnratedOf,
  moveViewings,
  type RatingSum,
  sumRatings,
  takeBackBrought as takeBackViewings,
} from './store.ts'

export type ViewingPorts = Pick<WatchlistPorts, 'database' | 'clock' | 'random' | 'facts'> & {
  readonly cards: {
    /** The card, if it is in the feed. */
    findInFeed: (db: AnyDb, card: CardPlace) => Promise<{ authorId: string } | undefined>
    /** Those of the cards that are in the feed, in any order. */
    onlyInFeed: (db: AnyDb, watchlistId: string, cardIds: readonly string[]) => Promise<string[]>
  }
  readonly nights: {
    /** The movie nights in which cards were accepted, by card. */
    findNights: (
      db: AnyDb,
      watchlistId: string,
      cardIds: readonly string[],
    ) => Promise<ReadonlyMap<string, NightOfCard>>
    findNight: (db: AnyDb, card: CardPlace) => Promise<NightOfCard | null>
    /** Removes a member from those who watched the movie in a night. */
    removeViewer: (trx: AnyDb, card: CardPlace & { userId: string }) => Sent<unknown>
  }
  /** Missing while media servers are switched off. */
  readonly marks?: ServerMarks | undefined
}

type Viewer = CardPlace & { readonly userId: string }

/** Tells the media servers where a user has linked their own what they have seen. */
export type ServerMarks = {
  readonly seen: (trx: AnyDb, viewer: Viewer, now: number) => Sent<unknown>
  readonly unseen: (trx: AnyDb, viewer: Viewer, now: number) => Sent<unknown>
  /** Called after the commit. */
  readonly wake: () => void
}

type NightOfCard = NonNullable<CardViewings['night']>

type CardPlace = { readonly watchlistId: string; readonly cardId: string }
type Given = {
  readonly seenOn?: string | null | undefined
  readonly stars?: number | null | undefined
  readonly note: string | null
}

/** Who has seen the movies of cards. Cards in the box, and cards that do not exist, are left out. */
export async function listViewings(
  { cards, nights, database: { read } }: ViewingPorts,
  user: User,
  watchlistId: string,
  cardIds: readonly string[],
): Promise<{ cards: CardViewings[] }> {
  const shown = await cards.onlyInFeed(read, watchlistId, cardIds)
  const rows = await listViewingsOf(read, watchlistId, shown)
  const nightOf = await nights.findNights(read, watchlistId, shown)
  return {
    cards: shown.map((cardId) =>
      present(
        cardId,
        user,
        rows.filter((row) => row.card_id === cardId),
        nightOf.get(cardId) ?? null,
      ),
    ),
  }
}

/**
 * Marks a movie as seen by the user, in place of an earlier mark. Without a day, stars and note, what the user has said stays.
 * @throws {Problem} NOT_FOUND, also if the card is in the box; FORBIDDEN; BAD_REQUEST if the date is in the future.
 */
export async function saveViewing(
  ports: ViewingPorts,
  user: User,
  { watchlistId, cardId }: CardPlace,
  given: Given,
): Promise<CardViewings> {
  const { seenOn = null, stars = null, note } = given
  // A device that could not read the user's rating does not know that there is one.
  const isOnlyMark = given.seenOn === undefined && given.stars === undefined && note === null
  // Where the user is, it may be tomorrow already.
  if (seenOn !== null && Date.parse(seenOn) > ports.clock.now().getTime() + DAY_MS) {
    throw new Problem('BAD_REQUEST', 'seenOn: This day has not come yet')
  }
  const place = viewable(ports, { watchlistId, cardId })
  const { marks } = ports
  const saved = await changeWatchlist(
    ports,
    user,
    'viewing.change',
    place,
    async ({ trx, item, now, at, happened }) => {
      const row = (isOnlyMark ? saveMarkRow : saveViewingRow).send(trx, {
        watchlist_id: watchlistId,
        card_id: cardId,
        user_id: user.userId,
        username: user.username,
        seen_on: seenOn,
        half_stars: stars === null ? null : stars * 2,
        note,
        changed_at: at,
        import_id: null,
        night_id: null,
        server_id: null,
      })
      const viewer = { watchlistId, cardId, userId: user.userId }
      const sent = marks ? [marks.seen(trx, viewer, now.getTime())] : []
      sent.push((isOnlyMark ? keepRated : forgetRated).send(trx, viewer))
      happened('viewing.changed', { cardId })
      return readViewings(trx, { watchlistId, cardId })
        .with(row, ...sent)
        .map((rows) => present(cardId, user, rows, item.night))
    },
  )
  marks?.wake()
  return saved
}

/** Removes the user's mark, if there is one: they were not at the night either. @throws {Problem} NOT_FOUND, also if the card is in the box; FORBIDDEN. */
export async function deleteViewing(ports: ViewingPorts, user: User, card: CardPlace): Promise<void> {
  const { marks } = ports
  await changeWatchlist(ports, user, 'viewing.change', viewable(ports, card), async ({ trx, now, happened }) => {
    const viewer = { watchlistId: card.watchlistId, cardId: card.cardId, userId: user.userId }
    const sent = marks ? [marks.unseen(trx, viewer, now.getTime())] : []
    happened('viewing.changed', { cardId: card.cardId })
    return deleteViewingRow.send(trx, viewer).with(ports.nights.removeViewer(trx, viewer), ...sent)
  })
  marks?.wake()
}

/** A card of the feed, with the night in which it was accepted. */
function viewable({ cards, nights }: ViewingPorts, { watchlistId, cardId }: CardPlace) {
  const item = async (db: AnyDb) => {
    const place = { watchlistId, cardId }
    const [card, night] = await together(cards.findInFeed(db, place), nights.findNight(db, place))
    return card && { ...card, night }
  }
  return { watchlistId, item }
}

/** The viewings of one card as the user may see them: ratings of others only once the user has rated it or declined to. */
function present(
  cardId: string,
  { userId }: User,
  rows: readonly ViewingRow[],
  night: NightOfCard | null,
): CardViewings {
  const own = rows.find((row) => row.user_id === userId)
  return {
    cardId,
    seenBy: rows.map(({ username }) => username),
    own: own === undefined ? null : presentViewing(own),
    ratings: own === undefined || isMadeByOther(own) ? null : presentRatings(userId, rows),
    night,
    markedBy: own?.server_id ?? null,
  }
}

/** A mark that the user has neither made nor changed, so they have not declined to rate the movie. */
function isMadeByOther({ night_id: nightId, server_id: serverId }: ViewingRow): boolean {
  return nightId !== null || serverId !== null
}

function presentRatings(userId: string, rows: readonly ViewingRow[]): NonNullable<CardViewings['ratings']> {
  const halfStars = rows.flatMap(({ half_stars: given }) => given ?? [])
  const sum = halfStars.reduce((total, given) => total + given, 0)
  return {
    average: halfStars.length === 0 ? null : Math.round((sum / 2 / halfStars.length) * 10) / 10,
    count: halfStars.length,
    others: rows.filter((row) => row.user_id !== userId).map(presentViewing),
  }
}

function presentViewing({ username, seen_on, half_stars, note, changed_at }: ViewingRow): Viewing {
  return {
    username,
    seenOn: seen_on,
    stars: half_stars === null ? null : half_stars / 2,
    note,
    changedAt: changed_at,
  }
}

/** Marks a movie as seen by members who watched it in a night. Marks that exist stay as they are. */
export function markSeenAtNight(
  trx: AnyDb,
  { watchlistId, cardId, nightId, at }: CardPlace & { nightId: string; at: string },
  people: readonly Pick<User, 'userId' | 'username'>[],
): Sent<unknown>[] {
  const common = { watchlist_id: watchlistId, card_id: cardId, night_id: nightId, changed_at: at }
  return people.map(({ userId, username }) => insertAtNight.send(trx, { ...common, user_id: userId, username }))
}

/** Marks the movies of a night as seen by a member who was a guest there. Marks that exist stay as they are. */
export async function markSeenAsGuest(
  trx: AnyDb,
  { userId, username }: Pick<User, 'userId' | 'username'>,
  {
    watchlistId,
    nightId,
    cardIds,
    at,
  }: { watchlistId: string; nightId: string; cardIds: readonly string[]; at: string },
): Promise<void> {
  const common = { watchlist_id: watchlistId, night_id: nightId, changed_at: at, user_id: userId, username }
  for (const cardId of cardIds) await insertAtNight(trx, { ...common, card_id: cardId })
}

/** Removes the marks that a night made, unless their members have changed them. */
export function takeBackNightMarks(trx: AnyDb, card: CardPlace): Sent<unknown> {
  return deleteOfNight.send(trx, card).with(forgetNight.send(trx, card))
}

/** Marks a movie as seen by a member who played it at a media server. A mark that exists stays as it is; false if there is one. */
export async function markSeenAtServer(
  trx: AnyDb,
  { watchlistId, cardId, serverId, at }: CardPlace & { serverId: string; at: string },
  { userId, username }: Pick<User, 'userId' | 'username'>,
): Promise<boolean> {
  const unknown = { seen_on: null, half_stars: null, note: null, import_id: null, night_id: null }
  const place = { watchlist_id: watchlistId, card_id: cardId, user_id: userId, username }
  return await insertFromServer(trx, { ...place, ...unknown, server_id: serverId, changed_at: at })
}

/** What a file says of a movie that its member has seen. */
export type BroughtMark = {
  readonly cardId: string
  readonly seenOn: string | null
  readonly halfStars: number | null
}

/**
 * Marks cards as seen by the member of an import, in a transaction that holds the watchlist. Marks that exist stay as they are, but
 * a rating goes to one without a rating that the member has not made or changed.
 */
export async function bringViewings(
  trx: AnyDb,
  { userId, username }: Pick<User, 'userId' | 'username'>,
  { watchlistId, importId, at }: { watchlistId: string; importId: string; at: string },
  marks: readonly BroughtMark[],
): Promise<void> {
  await insertBrought(
    trx,
    marks.map(({ cardId, seenOn, halfStars }) => ({
      watchlist_id: watchlistId,
      card_id: cardId,
      user_id: userId,
      username,
      seen_on: seenOn,
      half_stars: halfStars,
      note: null,
      changed_at: at,
      import_id: importId,
      night_id: null,
      server_id: null,
    })),
  )
}

/** The viewings of a user in a watchlist, for the export of their data. Those of cards in the box stay secret. */
export async function* exportViewings(
  { database: { read }, cards }: Pick<ViewingPorts, 'database'> & { readonly cards: ExportedFrom },
  watchlistId: string,
  { userId }: User,
): AsyncGenerator<DataExport['watchlists'][number]['viewings'][number]> {
  for await (const range of cards.keyRanges(read, watchlistId)) {
    const rows = await listOwnViewings(read, { watchlistId, userId }, range)
    const cardIds = rows.map((row) => row.card_id)
    const shown = new Set(await cards.onlyInFeed(read, watchlistId, cardIds))
    for (const row of rows) {
      if (!shown.has(row.card_id)) continue
      const { username: _username, ...viewing } = presentViewing(row)
      yield { cardId: row.card_id, ...viewing }
    }
  }
}

type ExportedFrom = Pick<ViewingPorts['cards'], 'onlyInFeed'> & {
  /** All cards of a watchlist in ranges of their keys, each in a turn of its own. */
  readonly keyRanges: (db: AnyDb, watchlistId: string) => AsyncIterable<{ after: string; until: string }>
}
