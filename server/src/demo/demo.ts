import { createHash } from 'node:crypto'

import type { Card } from '@marquee/contract/entities/card'
import type { AnyDb } from '@marquee/platform/database/database'
import { DAY_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import {
  addToBox,
  type CardPorts,
  findInFeed,
  moveCard,
  type MovePorts,
  onlyInFeed,
} from '../rooms/movies/cards/service.ts'
import { addComment } from '../rooms/movies/comments/service.ts'
import { prepareDraw, revealRandomCard } from '../rooms/draws/service.ts'
import {
  arriveAtNight,
  attendance,
  drawNights,
  endNight,
  type NightPorts,
  openNight,
} from '../rooms/nights/nights/service.ts'
import { castBallot, openVote } from '../rooms/nights/nights/vote/votes.ts'
import { deleteNotifications } from '../rooms/news/notifications/service.ts'
import type { User } from '../rooms/club/people/service.ts'
import { saveViewing, type ViewingPorts } from '../rooms/movies/viewings/service.ts'
import { deleteWatchlist } from '../rooms/club/watchlists/ownership.ts'
import { removeNow } from '../rooms/club/watchlists/removal.ts'
import type { MemberPorts } from '../rooms/club/watchlists/members.ts'
import { addMember, changeWatchlist, createFilled, findWatchlistNames } from '../rooms/club/watchlists/service.ts'
import { DEMO_FILMS, type DemoFilm } from './films.ts'

type Ports = CardPorts & NightPorts

export const DEMO_NAME = 'Friday film club (demo)'
/** No user has such a name: a no-break space is not allowed in one. */
const NAMES = ['Mia\u00A0(demo)', 'Tom\u00A0(demo)', 'Noor\u00A0(demo)']
/** What became of the film of each evening, and the stars of each person. */
const EVENINGS = [
  { to: 'WATCHED', stars: [4, 5, 3, 4.5] },
  { to: 'REJECTED', stars: [] },
  { to: 'WATCHED', stars: [2, 4.5, 5, 1.5] },
] as const
const STARS_OF_NIGHT = [5, 4.5, 5, 4]
const SCORES_OF = [2, 1, 0] as const

/** The same for each run, so that a later run finds what an interrupted one left. */
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

/** The demo while it is filled. `at` is the time of its clock. */
type Demo = {
  readonly ports: Ports & MovePorts & ViewingPorts
  readonly user: User
  /** The user and the members. */
  readonly people: readonly User[]
  readonly watchlistId: string
  at: number
}

/**
 * Fills a demo watchlist of a user: a box, three evenings and a movie night in the past weeks, comments, ratings, and a card
 * to decide about. The user makes the decisions, so that few notifications reach them.
 */
export async function fillDemo(given: Ports, user: User): Promise<void> {
  const start = given.clock.now().getTime() - 35 * DAY_MS
  const now = () => {
    demo.at += MINUTE_MS
    return new Date(demo.at)
  }
  const demo: Demo = {
    ports: { ...given, clock: { now }, cards: { findInFeed, onlyInFeed }, nights: attendance },
    user,
    people: [user, ...membersOf(user)],
    watchlistId: watchlistIdOf(user),
    at: start,
  }
  await addWatchlist(demo)
  await fillBox(demo)
  for (const [week, evening] of EVENINGS.entries()) {
    demo.at = start + (week + 1) * 7 * DAY_MS
    await spendEvening(demo, evening)
  }
  demo.at = start + 28 * DAY_MS
  await spendNight(demo)
  demo.at = start + 34 * DAY_MS
  await discuss(demo, await revealRandomCard(demo.ports, user, demo.watchlistId))
  given.posters.wake()
}

async function addWatchlist({ ports, user, people, watchlistId }: Demo): Promise<void> {
  const about = { name: DEMO_NAME, description: 'A place to try things out.', isPrivate: true }
  await createFilled(ports, user, { id: watchlistId, ...about }, async (trx) => {
    for (const member of people.slice(1)) {
      await addMember(trx, { watchlistId, user: member, at: ports.clock.now().toISOString() })
    }
  })
}

async function fillBox({ ports, people, watchlistId }: Demo): Promise<void> {
  for (const [index, person] of people.entries()) {
    const films = DEMO_FILMS.filter((_, nth) => nth % people.length === index)
    await changeWatchlist(ports, person, 'card.add', { watchlistId }, async ({ trx, at, happened }) => {
      const added = films.map((film) => ({ id: ports.random.orderedId(), title: film.title, movie: movieOf(film) }))
      await addToBox(trx, person, watchlistId, added, at)
      const ids = added.map(({ id }) => id)
      await ports.posters.requestPictures(trx, { watchlistId, userId: person.userId }, ids)
      happened('box.changed')
    })
  }
}

async function spendEvening(demo: Demo, { to, stars }: (typeof EVENINGS)[number]): Promise<void> {
  const { ports, user, watchlistId } = demo
  const card = await revealRandomCard(ports, user, watchlistId)
  await discuss(demo, card)
  await rate(demo, card.id, stars)
  await moveCard(ports, user, { watchlistId, cardId: card.id, to })
}

async function spendNight(demo: Demo): Promise<void> {
  const { ports, user, people, watchlistId } = demo
  const { id: nightId } = await openNight(ports, user, watchlistId)
  for (const member of people.slice(1)) await arriveAtNight(ports, member, nightId)
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
    await rate(demo, winner, STARS_OF_NIGHT)
    await moveCard(ports, user, { watchlistId, cardId: winner, to: 'WATCHED' })
  }
  demo.at += 150 * MINUTE_MS
  await endNight(ports, user, nightId)
}

async function discuss(
  { ports, user, people, watchlistId }: Demo,
  { id: cardId, title }: Pick<Card, 'id' | 'title'>,
): Promise<void> {
  const lines = DEMO_FILMS.find((film) => film.title === title)?.talk ?? []
  for (const [nth, content] of lines.entries()) {
    await addComment(ports, people[nth + 1] ?? user, { watchlistId, cardId, content })
  }
}

async function rate({ ports, people, watchlistId }: Demo, cardId: string, stars: readonly number[]): Promise<void> {
  for (const [nth, given] of stars.entries()) {
    const person = people[nth]
    if (!person) return
    const seenOn = ports.clock.now().toISOString().slice(0, 10)
    await saveViewing(ports, person, { watchlistId, cardId }, { seenOn, stars: given, note: null })
  }
}

/** Removes the demo watchlist of a user and its members; false if there is none. Other members of it lose it, too. */
export async function removeDemo(
  ports: MemberPorts,
  user: User,
  removePerson: (trx: AnyDb, userId: string) => Promise<unknown>,
): Promise<boolean> {
  const isThere = await hasDemo(ports, user)
  if (isThere) {
    const removals = { wake: () => undefined }
    await deleteWatchlist({ ...ports, removals }, user, watchlistIdOf(user))
    // The next one gets the same id.
    await removeNow(ports, watchlistIdOf(user))
  }
  await ports.database.transaction(async (trx) => {
    for (const { userId } of membersOf(user)) await removePerson(trx, userId)
    await deleteNotifications(trx, user.userId, watchlistIdOf(user))
  })
  return isThere
}

function movieOf({ title: _title, talk: _talk, imdb, ...facts }: DemoFilm) {
  return { ...facts, originalTitle: null, language: null, source: null, ids: { imdb } }
}
