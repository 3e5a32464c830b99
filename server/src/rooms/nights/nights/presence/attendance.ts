import type { NightFilm } from '@marquee/contract/entities/night'
import { MAX_NIGHT_FILMS, MAX_UNRATED_FILMS, RATE_NIGHT_AFTER_HOURS } from '@marquee/contract/limits'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Sent } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'
import { HOUR_MS } from '@marquee/platform/runtime/durations'

import { type CardPorts, findTitles, listCardsOfFeed } from '../../../movies/cards/service.ts'
import type { User } from '../../../club/people/service.ts'
import { listUnratedOf, markSeenAtNight, takeBackNightMarks } from '../../../movies/viewings/service.ts'
import type { Access } from '../../../club/watchlists/service.ts'
import {
  deleteFilm,
  deleteViewer,
  type FilmKey,
  filmOfCard,
  type FilmRow,
  findOpenGuests,
  findOpenNight,
  insertFilm,
  insertViewer,
  listFilmsOf,
  listLatestFilms,
} from './film-store.ts'
import { nightIdOf } from '../night/present.ts'
import { addReminder } from '../plan/reminder-store.ts'

type Person = { userId: string; username: string }
type OpenNight = { nightId: string; members: Person[]; guests: Person[] }

/**
 * What cards and viewings need of nights: an accepted card becomes the film of the open night, and the members who are
 * present have seen it. Guests are only named.
 */
export const attendance = {
  findOpen: async (db: AnyDb, watchlistId: string, now: string, nightId?: string): Promise<OpenNight | undefined> => {
    const open = { watchlistId, now }
    const [rows, guestRows] = await together(findOpenNight(db, open), findOpenGuests(db, open))
    const [first] = rows
    const isMeant =
      nightId === undefined || (first && nightIdOf({ watchlist_id: watchlistId, id: first.nightId }) === nightId)
    if (!first || !isMeant) return undefined
    const members = rows.flatMap(({ userId, username }) =>
      userId === null || username === null ? [] : [{ userId, username }],
    )
    const guests = guestRows.map(({ userId, username }) => ({ userId, username: username ?? '' }))
    return { nightId: first.nightId, members, guests }
  },
  record: (
    trx: AnyDb,
    { watchlistId, cardId }: FilmKey,
    { nightId, members, guests }: OpenNight,
    at: string,
  ): Sent<unknown>[] => {
    const key = { watchlist_id: watchlistId, card_id: cardId }
    return [
      insertFilm.send(trx, { ...key, night_id: nightId, accepted_at: at }),
      addReminder.send(trx, {
        watchlist_id: watchlistId,
        night_id: nightId,
        due_at: later(at, RATE_NIGHT_AFTER_HOURS),
      }),
      ...[...members, ...guests].map(({ userId, username }) =>
        insertViewer.send(trx, { ...key, user_id: userId, username }),
      ),
      ...markSeenAtNight(trx, { watchlistId, cardId, nightId, at }, members),
    ]
  },
  takeBack: (trx: AnyDb, card: FilmKey): Sent<unknown> =>
    deleteFilm.send(trx, card).with(takeBackNightMarks(trx, card)),
  removeViewer: deleteViewer.send,
  findNight: async (db: AnyDb, card: FilmKey) => {
    const film = await filmOfCard(db, card)
    return film ? presentFilm(film) : null
  },
  findNights: async (db: AnyDb, watchlistId: string, cardIds: readonly string[]) =>
    new Map((await listFilmsOf(db, watchlistId, cardIds)).map((film) => [film.card_id, presentFilm(film)])),
}

/** The films of the latest nights, newest first. */
export async function listNightFilms(
  { database: { read }, images }: Pick<CardPorts, 'database' | 'images'>,
  { watchlistId }: Access,
): Promise<NightFilm[]> {
  const rows = await listLatestFilms(read, watchlistId, MAX_NIGHT_FILMS)
  const cards = await listCardsOfFeed(
    read,
    watchlistId,
    rows.map(({ card_id: cardId }) => cardId),
  )
  const cardOf = new Map(cards.map((card) => [card.id, card]))
  return rows.flatMap((row) => {
    const { card_id: cardId, night_id: id } = row
    const card = cardOf.get(cardId)
    if (card === undefined) return []
    const nightId = nightIdOf({ watchlist_id: watchlistId, id })
    return [{ nightId, cardId, title: card.title, poster: images.posterOf(card), ...presentFilm(row) }]
  })
}

/** The movies that a user watched in nights, and has neither rated nor declined to rate, from the next day on. */
export async function listUnrated(
  { database: { read }, clock }: Pick<CardPorts, 'database' | 'clock'>,
  { userId }: User,
  { watchlistId }: Access,
): Promise<Pick<NightFilm, 'cardId' | 'title'>[]> {
  const until = later(clock.now().toISOString(), -RATE_NIGHT_AFTER_HOURS)
  const cardIds = await listUnratedOf(read, watchlistId, { userId, until, limit: MAX_UNRATED_FILMS })
  if (cardIds.length === 0) return []
  const titles = await findTitles(read, watchlistId, cardIds)
  return cardIds.flatMap((cardId) => {
    const title = titles.get(cardId)
    return title === undefined ? [] : [{ cardId, title }]
  })
}

function later(time: string, hours: number): string {
  return new Date(Date.parse(time) + hours * HOUR_MS).toISOString()
}

function presentFilm({ accepted_at: acceptedAt, viewers }: FilmRow): Pick<NightFilm, 'acceptedAt' | 'watchedBy'> {
  const people = JSON.parse(viewers) as { username: string }[]
  return { acceptedAt, watchedBy: people.map(({ username }) => username) }
}
