import type { DrawReceipt } from '@marquee/contract/entities/draw'
import type { Ballot, NightVoteState, OwnBallot } from '@marquee/contract/entities/vote'
import { SHORTLIST_SIZES } from '@marquee/contract/entities/vote'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { arrival, Sent, valueWith } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'

import { type CardPorts, onlyRevealed, putBackCards, type RevealedCard } from '../../../movies/cards/service.ts'
import type { WatchOptions } from '../../../movies/availability/service.ts'
import { readForReveal, recordReveal, type Reveal, revealedOrConflict, revealLocked } from '../../../draws/service.ts'
import type { Principal, User } from '../../../club/people/service.ts'
import { changeBehindLock, type Found } from '../night/change.ts'
import { ballotOf } from './count-votes.ts'
import { drawNights } from '../presence/draw-nights.ts'
import { isPresent, readLatestVote, requireAmong } from './latest-vote.ts'
import { nightIdOf } from '../night/present.ts'
import { type OwnEvening, presentEvening, readOwnEvening, readVote } from './read-vote.ts'
import type { NightKey } from '../night/store.ts'
import {
  deleteFormer,
  findVote,
  FORMER,
  insertVote,
  listBallotsOf,
  renameVoter,
  saveAbsentee,
  saveBallot,
  saveResult,
  type VoteRow,
} from './vote-store.ts'
import { openVotes, type OpenVotes } from './vote-disclosure.ts'
import { requireVeto } from './vetoes.ts'

/** What the close of a vote needs to know, and where its facts go. */
export type Closing = Pick<Found, 'now' | 'boxCount' | 'random' | 'happened'>

/**
 * Reveals a prepared draw as the shortlist of the night. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the night is not open, the caller is not there or a vote is open;
 * CONFLICT as `revealDraw`.
 */
export async function openVote(
  ports: CardPorts & WatchOptions,
  user: User,
  nightId: string,
  { drawNumber, seeds }: { drawNumber: number; seeds: readonly string[] },
): Promise<NightVoteState> {
  const read = async (db: AnyDb, key: NightKey) => {
    const [evening, draw] = await together(
      ownEvening(ports, user)(db, key),
      readForReveal(db, { watchlistId: key.watchlistId, drawNumber }),
    )
    return { evening, draw }
  }
  type Read = Awaited<ReturnType<typeof read>>
  const open = async (trx: AnyDb, key: NightKey, found: Found & { read: Read }) => {
    const { evening, draw } = found.read
    const { row: latest, roll } = evening.vote
    found.requireState('open')
    requireAmong(roll.present, user)
    const night = { ...found, images: ports.images }
    const isRepeated = latest?.draw_number === drawNumber
    if (isRepeated) return { conflict: undefined, state: await presentEvening(trx, user, night, evening) }
    if (latest && latest.closed_at === null) throw new Problem('BAD_REQUEST', 'Voting is still open: end it first')
    if (!draw) throw new Problem('NOT_FOUND')
    const require = (facts: Pick<DrawReceipt, 'nightId' | 'picks'>) => {
      requireShortlist(facts, key)
    }
    const reveal = await revealLocked(trx, { ...ports, nights: drawNights }, user, draw, {
      boxCount: found.boxCount,
      seeds,
      require,
    })
    recordReveal(found.happened, reveal, 'card.shortlisted')
    const [saved, conflict] =
      'saved' in reveal ? [reveal.saved, reveal] : [openWith(trx, key, user, { drawNumber, reveal, found }), undefined]
    return valueWith({ conflict, state: await readVote(trx, user, night) }, saved)
  }
  const { state, conflict } = await changeBehindLock(ports, user, 'night.shortlist', nightId, open, read)
  if (conflict) revealedOrConflict(conflict)
  return state
}

type Opening = { drawNumber: number; reveal: Extract<Reveal, { receipt: unknown }>; found: Closing }

/** Opens a vote on the cards that a draw has just revealed. @throws {Problem} BAD_REQUEST; CONFLICT. */
function openWith(
  trx: AnyDb,
  key: NightKey,
  { username }: User,
  { drawNumber, reveal: { receipt, cardIds, outcome }, found }: Opening,
): Sent<unknown>[] {
  requireShortlist(receipt, key)
  if (cardIds.length === 0 || !(outcome instanceof Sent)) throw new Problem('CONFLICT', 'This draw is over')
  const opened = { opened_by: username, opened_at: found.now, closed_at: null, result: null }
  const vote = { watchlist_id: key.watchlistId, night_id: key.id, draw_number: drawNumber, ...opened }
  found.happened('vote.opened')
  return [outcome, insertVote.send(trx, vote)]
}

/**
 * Saves the ballot of a member or guest who is present, in place of an earlier one. The last one closes the vote.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the vote is closed, the ballot does not match the shortlist, or no
 * veto is left.
 */
export async function castBallot(
  ports: CardPorts,
  user: Principal,
  nightId: string,
  { drawNumber, scores, veto }: Ballot & { drawNumber: number },
): Promise<NightVoteState> {
  const cast = async (trx: AnyDb, key: NightKey, found: Found & { read: OwnEvening }) => {
    const { vote: latest, vetoes } = found.read
    const { roll, ballots, shortlist } = latest
    found.requireState('open')
    requireAmong(roll.present, user)
    const vote = requireVote(latest.row, drawNumber)
    if (vote.closed_at !== null) throw new Problem('BAD_REQUEST', 'Voting has ended')
    const revealed = await onlyRevealed(trx, key.watchlistId, shortlist)
    const isComplete = revealed.every(({ id }) => Object.hasOwn(scores, id))
    if (!isComplete || !Object.keys(scores).every((cardId) => shortlist.includes(cardId))) {
      throw new Problem('BAD_REQUEST', 'scores: Vote on each movie of the shortlist')
    }
    if (veto !== null) {
      if (!shortlist.includes(veto)) throw new Problem('BAD_REQUEST', 'veto: This movie is not in the shortlist')
      requireVeto(user, vetoes, vote)
    }
    const ballot = { ...keyOf(vote), user_id: user.userId, scores: JSON.stringify(scores), veto, voted_at: found.now }
    const saved: Sent<unknown>[] = [saveBallot.send(trx, ballot)]
    const votes = openVotes(roll, [...ballots.filter(({ user_id }) => user_id !== user.userId), ballot])
    if (votes.isComplete) saved.push(...close(trx, key, { vote, votes, revealed }, found))
    found.happened('vote.cast')
    return valueWith(await readVote(trx, user, { ...found, images: ports.images }), saved)
  }
  return await changeBehindLock(ports, user, 'night.vote', nightId, cast, ownEvening(ports, user))
}

/** The evening of the user, read with the lock. */
function ownEvening({ clock }: Pick<CardPorts, 'clock'>, user: Principal) {
  return async (db: AnyDb, key: NightKey): Promise<OwnEvening> =>
    await readOwnEvening(db, user, key, clock.now().toISOString())
}

/** Closes the vote. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function closeVote(
  ports: CardPorts,
  user: User,
  nightId: string,
  drawNumber: number,
): Promise<NightVoteState> {
  const closeNow = async (trx: AnyDb, key: NightKey, found: Found & { read: OwnEvening }) => {
    const { row, roll, ballots, shortlist } = found.read.vote
    const night = { ...found, images: ports.images }
    const vote = requireVote(row, drawNumber)
    if (vote.closed_at !== null) return await presentEvening(trx, user, night, found.read)
    found.requireState('open')
    const revealed = await onlyRevealed(trx, key.watchlistId, shortlist)
    const saved = close(trx, key, { vote, votes: openVotes(roll, ballots), revealed }, found)
    return valueWith(await readVote(trx, user, night), saved)
  }
  return await changeBehindLock(ports, user, 'night.shortlist', nightId, closeNow, ownEvening(ports, user))
}

/** Closes the vote if all who were there have voted. For a night that ends, `isEnding`, in any case. */
export async function closeIfComplete(trx: AnyDb, key: NightKey, found: Closing, isEnding = false): Promise<void> {
  const { row: vote, roll, ballots, shortlist } = await readLatestVote(trx, key)
  if (vote?.closed_at !== null) return
  const votes = openVotes(roll, ballots)
  if (!isEnding && !votes.isComplete) return
  const revealed = await onlyRevealed(trx, key.watchlistId, shortlist)
  await arrival(valueWith(undefined, close(trx, key, { vote, votes, revealed }, found)))
}

/** Keeps a person on the roll of the open vote of a night that they leave, or that others remove them from. */
export async function keepOnRoll(trx: AnyDb, key: NightKey, userId: string, how: 'left' | 'removed'): Promise<void> {
  const vote = await findVote(trx, key)
  if (vote?.closed_at !== null || !(await isPresent(trx, key, userId))) return
  await saveAbsentee(trx, { ...keyOf(vote), user_id: userId, is_removed: how === 'removed' ? 1 : 0 })
}

/** The same for a person who leaves the watchlist, or whose account is deleted: the roll does not say who it was. */
export async function keepUnnamedOnRoll(
  trx: AnyDb,
  key: NightKey,
  userId: string,
  { random }: Pick<Closing, 'random'>,
): Promise<void> {
  await keepOnRoll(trx, key, userId, 'removed')
  const vote = await findVote(trx, key)
  if (vote?.closed_at === null) await renameVoter(trx, keyOf(vote), userId, `${FORMER}${random.uuid()}`)
}

/** The ballots that a user cast in a watchlist, for the export of their data. */
export async function exportBallots(
  { database: { read } }: Pick<CardPorts, 'database'>,
  watchlistId: string,
  { userId }: User,
): Promise<OwnBallot[]> {
  const rows = await listBallotsOf(read, { watchlistId, userId, since: '' })
  return rows.map((row) => ({
    ...ballotOf(row),
    nightId: nightIdOf({ watchlist_id: watchlistId, id: row.night_id }),
    drawNumber: row.draw_number,
    votedAt: row.voted_at,
  }))
}

function requireShortlist({ nightId, picks }: Pick<DrawReceipt, 'nightId' | 'picks'>, key: NightKey): void {
  if (nightId !== null && nightId !== nightIdOf({ watchlist_id: key.watchlistId, id: key.id })) {
    throw new Problem('BAD_REQUEST', 'drawNumber: This draw belongs to another night')
  }
  if (!SHORTLIST_SIZES.some((size) => size === picks)) {
    throw new Problem('BAD_REQUEST', 'drawNumber: A shortlist is a draw of 3, 5 or 7 cards')
  }
}

function requireVote(vote: VoteRow | undefined, drawNumber: number): VoteRow {
  if (vote?.draw_number !== drawNumber) throw new Problem('BAD_REQUEST', 'drawNumber: This is not the latest vote')
  return vote
}

type OpenVote = { readonly vote: VoteRow; readonly votes: OpenVotes; readonly revealed: readonly RevealedCard[] }

/**
 * The winner stays revealed. The history says that the others were put back by the member who drew the shortlist, because
 * the last voter stays unknown. Cards that were deleted or moved in the meantime are not counted.
 */
function close(
  trx: AnyDb,
  { watchlistId }: NightKey,
  { vote, votes, revealed }: OpenVote,
  { now: at, boxCount, happened }: Closing,
): Sent<unknown>[] {
  const result = votes.countUp(revealed.map(({ id }) => id))
  const by = vote.opened_by
  const back = revealed.filter(({ id }) => id !== result.winner)
  const saved = [
    saveResult.send(trx, { ...keyOf(vote), closed_at: at, result: JSON.stringify(result) }),
    ...deleteFormer(trx, keyOf(vote)),
    ...putBackCards(trx, { watchlistId, cards: back, by, at, boxCount }),
  ]
  for (const { id: cardId } of back) happened('card.put-back', { cardId, by })
  if (result.winner !== null) happened('card.won', { cardId: result.winner, by })
  if (back.length > 0) happened('box.changed')
  happened('vote.closed')
  return saved
}

function keyOf({ watchlist_id, night_id, draw_number }: VoteRow) {
  return { watchlist_id, night_id, draw_number }
}
