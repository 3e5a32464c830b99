import type { Card } from '@marquee/contract/entities/card'
import type { NightMovie, NightVote, NightVoteState, TonightsCard } from '@marquee/contract/entities/vote'
import { DEFAULT_VETO_BUDGET, GUEST_VETO_BUDGET } from '@marquee/contract/limits'
import { isSameUser } from '@marquee/contract/rules/account'
import type { AnyDb } from '@marquee/platform/database/database'
import { askTogether, together } from '@marquee/platform/database/statement-runner'

import { type CardPorts, listCardsOfFeed, listFeed, presentCard } from '../../../movies/cards/service.ts'
import { listRevealTimes } from '../../../draws/service.ts'
import type { Principal } from '../../../club/people/service.ts'
import { type Found, requireNight } from '../night/change.ts'
import { ballotOf } from './count-votes.ts'
import { type LatestVote, readLatestVote } from './latest-vote.ts'
import { authorizeNightRead } from '../night/passes.ts'
import { nightKeyOf, stateOf } from '../night/present.ts'
import { listAttendees, type NightKey } from '../night/store.ts'
import {
  type BallotRow,
  findVetoBudget,
  listBallotsOf,
  listGuestBallots,
  listGuestVetoes,
  listLastVetoTime,
  listVetoesOf,
  type VoteRow,
} from './vote-store.ts'
import { discloseVote, openVotes } from './vote-disclosure.ts'

type OneNight = Pick<Found, 'row' | 'now'>
type FeedRow = Awaited<ReturnType<typeof listFeed>>[number]
type Images = CardPorts['images']

const ISO_MONTH_LENGTH = 'yyyy-mm'.length
/** More than an evening needs. */
const LATEST_CARDS = 20

/**
 * What an evening is made of: the latest vote, the latest cards, who was there, and when a revealed card was vetoed and one drawn
 * last, or ''.
 */
export type Evening = {
  readonly vote: LatestVote
  readonly feed: readonly FeedRow[]
  readonly attendees: readonly Attendee[]
  readonly vetoedAt: string
  readonly drawnAt: string
}

type Attendee = Awaited<ReturnType<typeof listAttendees>>[number]

/** An evening as a user sees it, with their vetoes. */
export type OwnEvening = Evening & { readonly vetoes: UsedVetoes }

/** One message. */
export async function readEvening(db: AnyDb, key: NightKey): Promise<Evening> {
  const [vote, feed, attendees, [last], reveals] = await together(
    readLatestVote(db, key),
    listFeed(db, key.watchlistId, { after: undefined, limit: LATEST_CARDS }),
    listAttendees(db, key),
    listLastVetoTime(db, key),
    listRevealTimes(db, { watchlistId: key.watchlistId }),
  )
  const draws = reveals.map(({ username, revealed_at: at }) => ({ changedBy: username, changedAt: at ?? '' }))
  const drawnAt = draws.find((draw) => isByAttendee(draw, attendees))?.changedAt ?? ''
  return { vote, feed, attendees, vetoedAt: last?.vetoed_at ?? '', drawnAt }
}

/** One message. */
export async function readOwnEvening(db: AnyDb, user: Principal, key: NightKey, now: string): Promise<OwnEvening> {
  const [evening, vetoes] = await together(readEvening(db, key), readUsedVetoes(db, user, key, now))
  return { ...evening, vetoes }
}

/** The latest vote of a night, as one member, guest or screen may see it. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getVote(
  { database: { read }, clock, images }: Pick<CardPorts, 'database' | 'clock' | 'images'>,
  user: Principal,
  nightId: string,
): Promise<NightVoteState> {
  const key = nightKeyOf(nightId)
  const now = clock.now().toISOString()
  return await askTogether(read, async (db) => {
    const [, row, evening] = await together(
      authorizeNightRead(db, user, 'night.follow', key),
      requireNight(db, key),
      readOwnEvening(db, user, key, now),
    )
    return await presentEvening(db, user, { row, now, images }, evening)
  })
}

/** An evening as it is now. */
export async function readVote(
  db: AnyDb,
  user: Principal,
  night: OneNight & { images: Images },
): Promise<NightVoteState> {
  const { row, now } = night
  const key = { watchlistId: row.watchlist_id, id: row.id }
  return await presentEvening(db, user, night, await readOwnEvening(db, user, key, now))
}

/** One message, for the cards of the shortlist. */
export async function presentEvening(
  db: AnyDb,
  user: Principal,
  night: OneNight & { images: Images },
  evening: OwnEvening,
): Promise<NightVoteState> {
  const { vote, vetoes } = evening
  const { revealed, accepted, wasVetoed } = tonightOf(evening, night)
  const present = (cards: FeedRow[]): TonightsCard[] =>
    cards.map((card) => ({
      cardId: card.id,
      title: card.title,
      film: filmOf(presentCard(card, night.images.posterOf)),
    }))
  // A card of the box is not among them.
  const rows = vote.row ? await listCardsOfFeed(db, vote.row.watchlist_id, vote.shortlist) : []
  const shown = new Map(rows.map((card) => [card.id, presentCard(card, night.images.posterOf)]))
  return {
    vote: vote.row ? presentVote(user, { ...vote, row: vote.row }, shown) : null,
    revealed: present(revealed),
    accepted: present(accepted),
    wasVetoed,
    ...vetoesOf(user, vetoes),
  }
}

type Tonight = { revealed: FeedRow[]; accepted: FeedRow[]; wasVetoed: boolean }

/** The cards of an open night that can be vetoed, those that were accepted, and whether a veto was the last that happened. */
export function tonightOf(evening: Evening, { row, now }: OneNight): Tonight {
  const { vote: latest, vetoedAt, drawnAt } = evening
  const { row: vote, shortlist } = latest
  const since = row.started_at
  if (since === null || stateOf(row, now) !== 'open') return { revealed: [], accepted: [], wasVetoed: false }
  const tonight = cardsOfNight(evening, since)
  const voted = vote?.closed_at === null ? shortlist : []
  return {
    revealed: tonight.filter(({ id, status }) => status === 'REVEALED' && !voted.includes(id)),
    accepted: tonight.filter(({ status }) => status === 'WATCHED'),
    // The card that was drawn last may be in the box again.
    wasVetoed: [drawnAt, tonight[0]?.status_changed_at ?? '', vote?.opened_at ?? ''].every((at) => vetoedAt > at),
  }
}

/** The cards that were accepted since a night began, and those that someone there revealed, newest first. */
export function cardsOfNight({ feed, attendees }: Evening, since: string): FeedRow[] {
  return feed.filter((card) => {
    if (card.status_changed_at < since) return false
    if (card.status === 'WATCHED') return true
    const changes = JSON.parse(card.status_changes) as Card['statusChanges']
    const revealed = changes.findLast(({ status }) => status === 'REVEALED')
    return revealed !== undefined && revealed.changedAt >= since && isByAttendee(revealed, attendees)
  })
}

/** Whether a member made a change who is or was at the night, and had not left before. One who comes back has a new arrival. */
export function isByAttendee(
  { changedBy, changedAt }: Pick<Card['statusChanges'][number], 'changedBy' | 'changedAt'>,
  attendees: readonly Attendee[],
): boolean {
  return attendees.some(
    ({ username, leftAt }) => isSameUser(username, changedBy) && (leftAt === null || changedAt <= leftAt),
  )
}

type FoundVote = LatestVote & { readonly row: VoteRow }

function disclose({ row, roll, ballots }: FoundVote) {
  return discloseVote(row, row.result === null ? openVotes(roll, ballots) : undefined)
}

/** The latest vote without its ballots: how many have voted, and what won. */
export function outcomeOf({ row, ...vote }: LatestVote) {
  if (!row) return undefined
  const { cards: _cards, ...disclosed } = disclose({ ...vote, row })
  return { drawNumber: row.draw_number, closedAt: row.closed_at, ...disclosed }
}

function filmOf({ imageUrl, posterState, movie, description, status, statusChangedAt }: Card): NightMovie {
  const facts = { ...(posterState && { posterState }), ...(movie && { movie }) }
  return { imageUrl, ...facts, description, status, statusChangedAt }
}

function presentVote(user: Principal, vote: FoundVote, shown: ReadonlyMap<string, Card>): NightVote {
  const { row, ballots, shortlist } = vote
  const { cards, ...disclosed } = disclose(vote)
  const own = ballots.find(({ user_id: userId }) => userId === user.userId)
  return {
    drawNumber: row.draw_number,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    ...disclosed,
    ballot: own ? ballotOf(own) : null,
    cards: shortlist.map((cardId) => {
      const { total = null, isVetoed = null } = cards.find((card) => card.cardId === cardId) ?? {}
      const card = shown.get(cardId)
      return { cardId, title: card?.title ?? null, film: card ? filmOf(card) : null, total, isVetoed }
    }),
  }
}

/** The veto budget of a watchlist, and the ballots and vetoes of a user that count against it. */
export type UsedVetoes = {
  readonly budget: number | undefined
  readonly ballots: readonly BallotRow[]
  readonly onRevealed: number
}

/** The vetoes of a member in a calendar month, in UTC, or of a guest in the night, who may have left and come back. */
async function readUsedVetoes(
  db: AnyDb,
  { userId, pass }: Principal,
  { watchlistId, id: nightId }: NightKey,
  now: string,
): Promise<UsedVetoes> {
  const own = { watchlistId, userId, since: now.slice(0, ISO_MONTH_LENGTH) }
  const guest = { watchlistId, nightId, passId: userId }
  const [budget, ballots, vetoes] = await together(
    findVetoBudget(db, watchlistId),
    pass ? listGuestBallots(db, guest) : listBallotsOf(db, own),
    pass ? listGuestVetoes(db, guest) : listVetoesOf(db, own),
  )
  return { budget, ballots, onRevealed: vetoes.length }
}

/** The budget of a user, and what is left of it. The veto in the ballot that is replaced, of the vote `except`, does not count. */
export function vetoesOf(
  { userId, pass }: Principal,
  { budget, ballots, onRevealed }: UsedVetoes,
  except?: VoteRow,
): Pick<NightVoteState, 'vetoBudget' | 'vetoesLeft'> {
  if (pass?.role === 'screen') return { vetoBudget: 0, vetoesLeft: 0 }
  const vetoBudget = pass ? GUEST_VETO_BUDGET : (budget ?? DEFAULT_VETO_BUDGET)
  const isReplaced = (ballot: BallotRow) =>
    ballot.user_id === userId && ballot.night_id === except?.night_id && ballot.draw_number === except.draw_number
  const used = ballots.filter((ballot) => ballot.veto !== null && !isReplaced(ballot))
  return { vetoBudget, vetoesLeft: Math.max(0, vetoBudget - used.length - onRevealed) }
}
