import type { Card } from '@marquee/contract/entities/card'
import type { NightMovie, NightVote, NightVoteState, TonightsCard } from '@marquee/contract/entities/vote'
import { DEFAULT_VETO_BUDGET, GUEST_VETO_BUDGET } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { type CardPorts, listCardsOfFeed, listFeed, presentCard } from '../../movies/cards/service.ts'
import { listDrawn } from '../../draws/service.ts'
import type { User } from '../../club/people/service.ts'
import { type Found, requireNight } from './change.ts'
import { ballotOf } from './count-votes.ts'
import { authorizeNightRead } from './passes.ts'
import { nightKeyOf, stateOf } from './present.ts'
import type { NightKey } from './store.ts'
import {
  findLastVetoTime,
  findVetoBudget,
  findVote,
  listBallots,
  listAbsentees,
  listBallotsOf,
  listPresent,
  listVetoesOf,
  type VoteRow,
} from './vote-store.ts'
import { discloseVote, type OpenVotes, openVotes } from './vote-disclosure.ts'

type OneNight = Pick<Found, 'row' | 'now'>
type FeedRow = Awaited<ReturnType<typeof listFeed>>[number]
type Images = CardPorts['images']

const ISO_MONTH_LENGTH = 'yyyy-mm'.length
/** More than an evening needs. */
const LATEST_CARDS = 20

/** The latest vote of a night, as one member, guest or screen may see it. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getVote(
  { database: { read }, clock, images }: Pick<CardPorts, 'database' | 'clock' | 'images'>,
  user: User,
  nightId: string,
): Promise<NightVoteState> {
  const key = nightKeyOf(nightId)
  await authorizeNightRead(read, user, 'night.follow', key)
  const row = await requireNight(read, key)
  return await readVote(read, user, { row, now: clock.now().toISOString(), images })
}

/** @throws {Problem} BAD_REQUEST unless the user is there. */
export async function requirePresence(trx: AnyDb, key: NightKey, { userId }: User): Promise<void> {
  if (!(await isPresent(trx, key, userId))) throw new Problem('BAD_REQUEST', 'Say that you are here first')
}

export async function isPresent(db: AnyDb, key: NightKey, userId: string): Promise<boolean> {
  return (await listPresent(db, key)).some((person) => person.userId === userId)
}

export async function readOpenVotes(db: AnyDb, key: NightKey, vote: VoteRow): Promise<OpenVotes> {
  const roll = { present: await listPresent(db, key), absentees: await listAbsentees(db, vote) }
  return openVotes(roll, await listBallots(db, vote))
}

export async function readVote(db: AnyDb, user: User, night: OneNight & { images: Images }): Promise<NightVoteState> {
  const key = keyOf(night)
  const row = await findVote(db, key)
  const { revealed, accepted, wasVetoed } = await readTonight(db, night)
  const present = (cards: FeedRow[]): TonightsCard[] =>
    cards.map((card) => ({
      cardId: card.id,
      title: card.title,
      film: filmOf(presentCard(card, night.images.posterOf)),
    }))
  return {
    vote: row ? await presentVote(db, user, { key, row, images: night.images }) : null,
    revealed: present(revealed),
    accepted: present(accepted),
    wasVetoed,
    ...(await readVetoes(db, user, key, { now: night.now })),
  }
}

type Tonight = { revealed: FeedRow[]; accepted: FeedRow[]; wasVetoed: boolean }

/** The cards of an open night that can be vetoed, those that were accepted, and whether a veto was the last that happened. */
export async function readTonight(db: AnyDb, night: OneNight): Promise<Tonight> {
  const { row, now } = night
  const key = keyOf(night)
  const since = row.started_at
  if (since === null || stateOf(row, now) !== 'open') return { revealed: [], accepted: [], wasVetoed: false }
  const latest = await listFeed(db, key.watchlistId, { after: undefined, limit: LATEST_CARDS })
  const tonight = latest.filter((card) => card.status_changed_at >= since)
  const vote = await findVote(db, key)
  const voted = vote?.closed_at === null ? await listDrawn(db, key.watchlistId, vote.draw_number) : []
  const vetoedAt = (await findLastVetoTime(db, key)) ?? ''
  return {
    revealed: tonight.filter(({ id, status }) => status === 'REVEALED' && !voted.includes(id)),
    accepted: tonight.filter(({ status }) => status === 'WATCHED'),
    wasVetoed: vetoedAt > (tonight[0]?.status_changed_at ?? '') && vetoedAt > (vote?.opened_at ?? ''),
  }
}

async function disclose(db: AnyDb, key: NightKey, row: VoteRow) {
  return discloseVote(row, row.result === null ? await readOpenVotes(db, key, row) : undefined)
}

/** The latest vote without its ballots: how many have voted, and what won. */
export async function readOutcome(db: AnyDb, key: NightKey) {
  const row = await findVote(db, key)
  if (!row) return undefined
  const { cards: _cards, ...disclosed } = await disclose(db, key, row)
  return { drawNumber: row.draw_number, closedAt: row.closed_at, ...disclosed }
}

function filmOf({ imageUrl, posterState, movie, description, status, statusChangedAt }: Card): NightMovie {
  const facts = { ...(posterState && { posterState }), ...(movie && { movie }) }
  return { imageUrl, ...facts, description, status, statusChangedAt }
}

type FoundVote = { key: NightKey; row: VoteRow; images: Images }

async function presentVote(db: AnyDb, user: User, { key, row, images }: FoundVote): Promise<NightVote> {
  const drawn = await listDrawn(db, key.watchlistId, row.draw_number)
  // A card of the box is not among them.
  const rows = await listCardsOfFeed(db, key.watchlistId, drawn)
  const shown = new Map(rows.map((card) => [card.id, presentCard(card, images.posterOf)]))
  const { cards, ...disclosed } = await disclose(db, key, row)
  const own = (await listBallots(db, row)).find(({ user_id: userId }) => userId === user.userId)
  return {
    drawNumber: row.draw_number,
    openedAt: row.opened_at,
    closedAt: row.closed_at,
    ...disclosed,
    ballot: own ? ballotOf(own) : null,
    cards: drawn.map((cardId) => {
      const { total = null, isVetoed = null } = cards.find((card) => card.cardId === cardId) ?? {}
      const card = shown.get(cardId)
      return { cardId, title: card?.title ?? null, film: card ? filmOf(card) : null, total, isVetoed }
    }),
  }
}

/**
 * The vetoes of a member in a calendar month, in UTC, or of a guest, all of whose votes are from one night. The one in the
 * ballot that is replaced does not count.
 */
export async function readVetoes(
  db: AnyDb,
  { userId, pass }: User,
  { watchlistId }: NightKey,
  { now, except }: { now: string; except?: VoteRow },
): Promise<Pick<NightVoteState, 'vetoBudget' | 'vetoesLeft'>> {
  if (pass?.role === 'screen') return { vetoBudget: 0, vetoesLeft: 0 }
  const vetoBudget = pass ? GUEST_VETO_BUDGET : ((await findVetoBudget(db, watchlistId)) ?? DEFAULT_VETO_BUDGET)
  const since = pass ? '' : now.slice(0, ISO_MONTH_LENGTH)
  const ballots = await listBallotsOf(db, watchlistId, { userId, since })
  const used = ballots.filter(
    (ballot) =>
      ballot.veto !== null && !(ballot.night_id === except?.night_id && ballot.draw_number === except.draw_number),
  )
  const onRevealed = await listVetoesOf(db, watchlistId, { userId, since })
  return { vetoBudget, vetoesLeft: Math.max(0, vetoBudget - used.length - onRevealed.length) }
}

function keyOf({ row }: OneNight): NightKey {
  return { watchlistId: row.watchlist_id, id: row.id }
}
