import { createHash } from 'node:crypto'

import type { Card } from '@marquee/contract/entities/card'
import type { AnyDb } from '@marquee/platform/database/database'

import { addToBox, type CardPorts, findInFeed, moveCard, type MovePorts, onlyInFeed } from '../modules/cards/service.ts'
import { addComment } from '../modules/comments/service.ts'
import { prepareDraw, revealRandomCard } from '../modules/draws/service.ts'
import {
  arriveAtNight,
  attendance,
  drawNights,
  endNight,
  type NightPorts,
  openNight,
} from '../modules/nights/service.ts'
import { castBallot, openVote } from '../modules/nights/votes.ts'
import { deleteNotifications } from '../modules/notifications/service.ts'
import type { User } from '../modules/profiles/service.ts'
import { saveViewing } from '../modules/viewings/service.ts'
import { deleteWatchlist } from '../modules/watchlists/ownership.ts'
import type { MemberPorts } from '../modules/watchlists/members.ts'
import { addMember, findWatchlistNames, lockWatchlist, openWatchlist } from '../modules/watchlists/service.ts'
import { DEMO_FILMS, type DemoFilm } from './films.ts'

type Ports = CardPorts & NightPorts

export const DEMO_NAME = 'Friday film club (demo)'
/** No user has such a name: a no-break space is not allowed in one. */
const NAMES = ['Mia\u00A0(demo)', 'Tom\u00A0(demo)', 'Noor\u00A0(demo)']
const DAY_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000
/** What each gives to the first, second and third film. */
const STARS = [
  [4, 5, 3, 4.5],
  [2, 4.5, 5, 1.5],
  [5, 4.5, 5, 4],
]
const SCORES_OF = [2, 1, 0] as const

/** The ids follow from the user, so that what a run left that was cut off is found again. */
function idOf(user: Pick<User, 'userId'>, what: string): string {
  const hex = createHash('sha256').update(`demo ${what} of ${user.userId}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

function watchlistIdOf(user: User): string {
  return idOf(user, 'watchlist')
}

function membersOf(user: User): User[] {
  return NAMES.map((username) => ({ userId: idOf(user, username), username }))
}

export async function hasDemo({ database }: Pick<Ports, 'database'>, user: User): Promise<boolean> {
  return (await findWatchlistNames(database.read, [watchlistIdOf(user)])).size > 0
}

/**
 * Fills a demo watchlist of a user: a box, three evenings and a movie night in the past weeks, comments, ratings, and a card
 * to decide about. The user makes the decisions, so that few notifications reach them.
 */
export async function fillDemo(given: Ports, user: User): Promise<void> {
  const start = given.clock.now().getTime() - 35 * DAY_MS
  let at = start
  const ports: Ports & MovePorts = {
    ...given,
    nights: attendance,
    clock: {
      now: () => {
        at += MINUTE_MS
        return new Date(at)
      },
    },
  }
  const members = membersOf(user)
  const people = [user, ...members]
  const watchlistId = watchlistIdOf(user)
  const cards = { findInFeed, onlyInFeed }
  const now = () => ports.clock.now().toISOString()

  await ports.database.transaction(async (trx) => {
    const opened = now()
    const about = { name: DEMO_NAME, description: 'A place to try things out.', isPrivate: true }
    await openWatchlist(trx, user, {
      id: watchlistId,
      ...about,
      createdAt: opened,
      updatedAt: opened,
      joinedAt: opened,
    })
    for (const member of members) await addMember(trx, { watchlistId, user: member, at: now() })
  })
  for (const [index, person] of people.entries()) {
    const films = DEMO_FILMS.filter((_, nth) => nth % people.length === index)
    await ports.database.transaction(async (trx) => {
      await lockWatchlist(trx, watchlistId)
      const added = films.map((film) => ({ id: ports.random.orderedId(), title: film.title, movie: movieOf(film) }))
      await addToBox(trx, person, watchlistId, added, now())
      const ids = added.map(({ id }) => id)
      await ports.posters.requestPictures(trx, { watchlistId, userId: person.userId }, ids)
    })
  }

  const talk = async ({ id: cardId, title }: Pick<Card, 'id' | 'title'>) => {
    const lines = DEMO_FILMS.find((film) => film.title === title)?.talk ?? []
    for (const [nth, content] of lines.entries()) {
      await addComment({ ...ports, cards }, people[nth + 1] ?? user, { watchlistId, cardId, content })
    }
  }
  let rated = 0
  const rate = async (cardId: string) => {
    const given = STARS[rated] ?? []
    rated += 1
    for (const [nth, person] of people.entries()) {
      const stars = given[nth] ?? null
      const seen = { seenOn: now().slice(0, 10), stars, note: null }
      await saveViewing({ ...ports, cards, nights: attendance }, person, { watchlistId, cardId }, seen)
    }
  }

  for (const [evening, to] of (['WATCHED', 'REJECTED', 'WATCHED'] as const).entries()) {
    at = start + (evening + 1) * 7 * DAY_MS
    const card = await revealRandomCard(ports, user, watchlistId)
    await talk(card)
    if (to === 'WATCHED') await rate(card.id)
    await moveCard(ports, user, { watchlistId, cardId: card.id, to })
  }

  at = start + 28 * DAY_MS
  const { id: nightId } = await openNight(ports, user, watchlistId)
  for (const member of members) await arriveAtNight(ports, member, nightId)
  const draw = { filter: null, picks: 3, nightId }
  const { drawNumber } = await prepareDraw({ ...ports, nights: drawNights }, user, watchlistId, draw)
  const seeds = [ports.random.bytes(32).toString('hex')]
  const { vote } = await openVote(ports, user, nightId, { drawNumber, seeds })
  const shortlist = vote?.cards.map(({ cardId }) => cardId) ?? []
  let winner: string | null | undefined
  for (const [nth, person] of people.entries()) {
    const scores = Object.fromEntries(shortlist.map((cardId, place) => [cardId, SCORES_OF[(nth + place) % 3] ?? 0]))
    const ballot = { drawNumber, scores, veto: null }
    winner = (await castBallot(ports, person, nightId, ballot)).vote?.winner
  }
  if (typeof winner === 'string') {
    // Rated before it is accepted, so that no one gets a reminder.
    await rate(winner)
    await moveCard(ports, user, { watchlistId, cardId: winner, to: 'WATCHED' })
  }
  at += 150 * MINUTE_MS
  await endNight(ports, user, nightId)

  at = start + 34 * DAY_MS
  await talk(await revealRandomCard(ports, user, watchlistId))
  ports.posters.wake()
}

/** Removes the demo watchlist of a user and its members; false if there is none. Other members of it lose it, too. */
export async function removeDemo(
  ports: MemberPorts,
  user: User,
  removePerson: (trx: AnyDb, userId: string) => Promise<void>,
): Promise<boolean> {
  const isThere = await hasDemo(ports, user)
  if (isThere) await deleteWatchlist(ports, user, watchlistIdOf(user))
  await ports.database.transaction(async (trx) => {
    for (const { userId } of membersOf(user)) await removePerson(trx, userId)
    await deleteNotifications(trx, user.userId, watchlistIdOf(user))
  })
  return isThere
}

function movieOf({ title: _title, talk: _talk, imdb, ...facts }: DemoFilm) {
  return { ...facts, originalTitle: null, language: null, source: null, ids: { imdb } }
}
