import type { DrawReceipt } from '@marquee/contract/entities/draw'
import type { Ballot, NightVoteState, OwnBallot } from '@marquee/contract/entities/vote'
import { SHORTLIST_SIZES } from '@marquee/contract/entities/vote'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'

import { type CardPorts, onlyRevealed, putBackCards } from '../../movies/cards/service.ts'
import { listDrawn, type Outcome, recordOutcome, revealedOrConflict, revealLocked } from '../../draws/service.ts'
import type { User } from '../../club/people/service.ts'
import { changeBehindLock, type Found } from './change.ts'
import { ballotOf } from './count-votes.ts'
import { nightIdOf } from './present.ts'
import { isPresent, readOpenVotes, readVote, requirePresence } from './read-vote.ts'
import type { NightKey } from './store.ts'
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
import { requireVeto } from './vetoes.ts'

/** What the close of a vote needs to know, and where its facts go. */
export type Closing = Pick<Found, 'now' | 'boxCount' | 'random' | 'happened'>

/**
 * Reveals a prepared draw as the shortlist of the night. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the night is not open, the caller is not there or a vote is open;
 * CONFLICT as `revealDraw`.
 */
export async function openVote(
  ports: CardPorts,
  user: User,
  nightId: string,
  { drawNumber, seeds }: { drawNumber: number; seeds: readonly string[] },
): Promise<NightVoteState> {
  const { state, outcome } = await changeBehindLock(
    ports,
    user,
    'night.shortlist',
    nightId,
    async (trx, key, found) => {
      found.requireState('open')
      await requirePresence(trx, key, user)
      const latest = await findVote(trx, key)
      const isRepeated = latest?.draw_number === drawNumber
      if (latest && !isRepeated && latest.closed_at === null) {
        throw new Problem('BAD_REQUEST', 'Voting is still open: end it first')
      }
      const { watchlistId, id } = key
      const draw = { watchlistId, drawNumber, seeds, boxCount: found.boxCount }
      const require = (facts: Pick<DrawReceipt, 'nightId' | 'picks'>) => {
        requireShortlist(facts, key)
      }
      const outcome: Outcome | undefined = isRepeated ? undefined : await revealLocked(trx, ports, user, draw, require)
      if (outcome && 'receipt' in outcome) {
        requireShortlist(outcome.receipt, key)
        if (!outcome.isNew) throw new Problem('CONFLICT', 'This draw is over')
        const opened = { opened_by: user.username, opened_at: found.now, closed_at: null, result: null }
        await insertVote(trx, { watchlist_id: watchlistId, night_id: id, draw_number: drawNumber, ...opened })
      }
      if (outcome) recordOutcome(found.happened, outcome, 'card.shortlisted')
      if (outcome && 'receipt' in outcome) found.happened('vote.opened')
      return { outcome, state: await readVote(trx, user, { ...found, images: ports.images }) }
    },
  )
  if (outcome) revealedOrConflict(outcome)
  return state
}

/**
 * Saves the ballot of a member or guest who is present, in place of an earlier one. The last one closes the vote.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the vote is closed, the ballot does not match the shortlist, or no
 * veto is left.
 */
export async function castBallot(
  ports: CardPorts,
  user: User,
  nightId: string,
  { drawNumber, scores, veto }: Ballot & { drawNumber: number },
): Promise<NightVoteState> {
  return await changeBehindLock(ports, user, 'night.vote', nightId, async (trx, key, found) => {
    found.requireState('open')
    await requirePresence(trx, key, user)
    const vote = await requireVote(trx, key, drawNumber)
    if (vote.closed_at !== null) throw new Problem('BAD_REQUEST', 'Voting has ended')
    const drawn = await listDrawn(trx, key.watchlistId, drawNumber)
    const needed = await onlyRevealed(trx, key.watchlistId, drawn)
    const isComplete = needed.every((cardId) => Object.hasOwn(scores, cardId))
    if (!isComplete || !Object.keys(scores).every((cardId) => drawn.includes(cardId))) {
      throw new Problem('BAD_REQUEST', 'scores: Vote on each movie of the shortlist')
    }
    if (veto !== null) {
      if (!drawn.includes(veto)) throw new Problem('BAD_REQUEST', 'veto: This movie is not in the shortlist')
      await requireVeto(trx, user, key, { now: found.now, except: vote })
    }
    const ballot = { user_id: user.userId, scores: JSON.stringify(scores), veto, voted_at: found.now }
    await saveBallot(trx, { ...keyOf(vote), ...ballot })
    await closeIfComplete(trx, key, found)
    found.happened('vote.cast')
    return await readVote(trx, user, { ...found, images: ports.images })
  })
}

/** Closes the vote. Repeating the call changes nothing. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST. */
export async function closeVote(
  ports: CardPorts,
  user: User,
  nightId: string,
  drawNumber: number,
): Promise<NightVoteState> {
  return await changeBehindLock(ports, user, 'night.shortlist', nightId, async (trx, key, found) => {
    const vote = await requireVote(trx, key, drawNumber)
    if (vote.closed_at === null) {
      found.requireState('open')
      await close(trx, key, vote, found)
    }
    return await readVote(trx, user, { ...found, images: ports.images })
  })
}

/** Closes the vote if all who were there have voted. For a night that ends, `isEnding`, in any case. */
export async function closeIfComplete(trx: AnyDb, key: NightKey, found: Closing, isEnding = false): Promise<void> {
  const vote = await findVote(trx, key)
  if (vote?.closed_at !== null) return
  const { isComplete } = await readOpenVotes(trx, key, vote)
  if (isEnding || isComplete) await close(trx, key, vote, found)
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
  const rows = await listBallotsOf(read, watchlistId, { userId, since: '' })
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

async function requireVote(trx: AnyDb, key: NightKey, drawNumber: number): Promise<VoteRow> {
  const vote = await findVote(trx, key)
  if (vote?.draw_number !== drawNumber) throw new Problem('BAD_REQUEST', 'drawNumber: This is not the latest vote')
  return vote
}

/**
 * The winner stays revealed. The history says that the others were put back by the member who drew the shortlist, because
 * the last voter stays unknown. Cards that were deleted or moved in the meantime are not counted.
 */
async function close(trx: AnyDb, key: NightKey, vote: VoteRow, found: Closing): Promise<void> {
  const { now: at, boxCount, happened } = found
  const { watchlistId } = key
  const cardIds = await onlyRevealed(trx, watchlistId, await listDrawn(trx, watchlistId, vote.draw_number))
  const result = (await readOpenVotes(trx, key, vote)).countUp(cardIds)
  await saveResult(trx, vote, at, JSON.stringify(result))
  await deleteFormer(trx, keyOf(vote))
  const by = vote.opened_by
  const back = cardIds.filter((cardId) => cardId !== result.winner)
  await putBackCards(trx, { watchlistId, cardIds: back, by, at, boxCount })
  for (const cardId of back) happened('card.put-back', { cardId, by })
  if (result.winner !== null) happened('card.won', { cardId: result.winner, by })
  if (back.length > 0) happened('box.changed')
  happened('vote.closed')
}

function keyOf({ watchlist_id, night_id, draw_number }: VoteRow) {
  return { watchlist_id, night_id, draw_number }
}
