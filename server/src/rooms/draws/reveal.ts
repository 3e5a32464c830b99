import { createHmac } from 'node:crypto'

import type { Card } from '@marquee/contract/entities/card'
import type { DrawReceipt, PreparedDraw } from '@marquee/contract/entities/draw'
import { BOX_IS_EMPTY, Problem } from '@marquee/contract/problems'
import { blockMessage, bytesOfHex, integersFrom, pickTickets, type Turn } from '@marquee/contract/rules/draw'
import type { AnyDb } from '@marquee/platform/database/database'
import { type Sent, sentList, valueWith } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'

import { type CardPorts, findInBox, listCardsOfFeed, presentCard, takeCards } from '../movies/cards/service.ts'
import type { User } from '../club/people/service.ts'
import { changeWatchlist, countIntoBox, type Happened } from '../club/watchlists/service.ts'
import { findEligible, readPast } from './eligible.ts'
import { drawFromLargeBox } from './large-box.ts'
import type { DrawPorts } from './ports.ts'
import { type Candidate, prepareLocked, readForDraw, recordPrepared, ticketOf } from './prepare.ts'
import { filterOf, hashesOf, peopleOf, presentReceipt, statusOf } from './present.ts'
import { addOwnHashes, HASHES_ARE_CLOSED, letSitOut, seedsOfReveal, type SentSeeds } from './seeds.ts'
import { saveShares } from './shares-store.ts'
import {
  closeHashes,
  type DrawKey,
  type DrawRow,
  endDraw,
  findDraw,
  findState,
  listHashes,
  listPicks,
  listSeeds,
  type PickRow,
  saveReveal,
} from './store.ts'

const CARDS_HAVE_LEFT = 'A card has left the box, so the draw was prepared again'
const DEVICES_ARE_ABSENT = 'A device did not open its seed, so the draw was prepared again'
const DRAW_IS_OVER = 'This draw is over'
const NOTHING_TO_WATCH = 'No movie in the box can be watched tonight'

type Revealed = { cards: Card[]; receipt: DrawReceipt }
/**
 * Why nothing was revealed. `again` is the draw that was prepared in place of this one. `isEmpty` if this one had no cards, which
 * all learn.
 */
type Conflict = { conflict: string; again?: PreparedDraw; nightId?: string | null; isEmpty?: true }
/** The result of the transaction. */
export type Outcome = Revealed | Conflict
/**
 * A result whose last statements have left. `cardIds` are the cards that were revealed now: none of a draw that was revealed
 * before.
 */
export type Reveal =
  | (Conflict & { saved: Sent<unknown>[] })
  | { cardIds: string[]; receipt: DrawReceipt; outcome: Sent<Revealed> | Revealed }
type Boxed = Awaited<ReturnType<typeof findInBox>>[number]
type Drawn = { picks: ({ card: Boxed } & Pick<PickRow, 'ticket' | 'secret' | 'odds'>)[]; turns: Turn[] }

/**
 * Draws the cards of a prepared draw with the seeds of the devices that take part, and reveals them. A second reveal gets
 * the result of the first.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; CONFLICT if the draw is over, no movie can be watched tonight, or it had to be
 * prepared again because a card has left the box. Its details are the new draw. BAD_REQUEST as `prepareDraw`.
 */
export async function revealDraw(
  ports: DrawPorts,
  user: User,
  key: DrawKey,
  seeds: readonly string[],
): Promise<Revealed> {
  const { watchlistId } = key
  const item = async (db: AnyDb) => await readForReveal(db, key)
  const outcome = await changeWatchlist(ports, user, 'card.reveal', { watchlistId, item }, async (change) => {
    const { trx, boxCount, happened } = change
    const reveal = await revealLocked(trx, ports, user, change.item, { boxCount, seeds })
    recordReveal(happened, reveal, 'card.revealed')
    return outcomeOf(reveal)
  })
  return revealedOrConflict(outcome)
}

/** The outcome of a reveal, with its last statements. */
function outcomeOf(reveal: Reveal): Outcome | Sent<Outcome> {
  if ('outcome' in reveal) return reveal.outcome
  const { saved, ...conflict } = reveal
  return valueWith(conflict, saved)
}

/**
 * Closes the list of hashes of a prepared draw, with those of the devices of the caller. From now on the draw takes the seeds
 * of these hashes. Repeating the call changes nothing.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; CONFLICT if the draw is over, or the hashes are closed without those of the caller.
 */
export async function closeSeedHashes(
  ports: CardPorts,
  user: User,
  key: DrawKey,
  own: readonly string[],
): Promise<{ hashes: string[] }> {
  const { watchlistId, drawNumber } = key
  const item = async (db: AnyDb) => await readForReveal(db, key)
  return await changeWatchlist(ports, user, 'card.reveal', { watchlistId, item }, async (change) => {
    const { trx, now, at, happened } = change
    const { draw, sent } = change.item
    if (statusOf(draw, now) !== 'prepared') throw new Problem('CONFLICT', DRAW_IS_OVER)
    const closed = hashesOf(draw)
    if (closed !== null) {
      if (!own.every((hash) => closed.includes(hash))) throw new Problem('CONFLICT', HASHES_ARE_CLOSED)
      return { hashes: closed }
    }
    const { hashes, added } = addOwnHashes(trx, key, user, { own, sent })
    const closing = closeHashes.send(trx, { ...key, hashes: JSON.stringify(hashes), at })
    happened('draw.hashes-closed')
    if (draw.night_id) happened('night.draw-hashes-closed', { drawNumber, seeds: 'open' })
    return valueWith({ hashes }, [...added, closing])
  })
}

/** Records what a reveal has changed. Its cards are revealed, or drawn as a shortlist. */
export function recordReveal(happened: Happened, reveal: Reveal, fact: 'card.revealed' | 'card.shortlisted'): void {
  if ('conflict' in reveal) {
    if (reveal.again) recordPrepared(happened, reveal.again, reveal.nightId)
    if (reveal.isEmpty === true) happened('draw.revealed')
    return
  }
  if (reveal.cardIds.length === 0) return
  for (const cardId of reveal.cardIds) happened(fact, { cardId })
  happened('box.changed')
  happened('draw.revealed')
}

/** The reply of an outcome. @throws {Problem} CONFLICT. */
export function revealedOrConflict(outcome: Outcome): Revealed {
  if ('conflict' in outcome) throw new Problem('CONFLICT', outcome.conflict, { ...outcome.again })
  return { cards: outcome.cards, receipt: outcome.receipt }
}

/** A draw with what devices have sent for it. */
export type ReadForReveal = { readonly authorId: undefined; readonly draw: DrawRow; readonly sent: SentSeeds }

/** One message, in a transaction that holds the watchlist. Undefined if there is no such draw. */
export async function readForReveal(trx: AnyDb, key: DrawKey): Promise<ReadForReveal | undefined> {
  const [draw, hashRows, oldSeeds] = await together(findDraw(trx, key), listHashes(trx, key), listSeeds(trx, key))
  return draw && { authorId: undefined, draw, sent: { hashRows, oldSeeds } }
}

/**
 * `revealDraw` in a transaction that holds the watchlist. The caller records the reveal. `require` refuses a prepared draw
 * before it draws: the time to undo a reveal would depend on the place of the drawn card.
 */
export async function revealLocked(
  trx: AnyDb,
  ports: DrawPorts,
  user: User,
  { draw, sent }: ReadForReveal,
  {
    boxCount,
    seeds: own,
    require,
  }: {
    boxCount: number
    seeds: readonly string[]
    require?: (draw: { nightId: string | null; picks: number }) => void
  },
): Promise<Reveal> {
  const key = { watchlistId: draw.watchlist_id, drawNumber: draw.draw_number }
  const now = ports.clock.now()
  const status = statusOf(draw, now)
  if (status === 'revealed') {
    if (draw.eligible === 0) return { conflict: NOTHING_TO_WATCH, saved: [] }
    return await revealedBefore(trx, ports, draw, now)
  }
  if (status !== 'prepared') return { conflict: DRAW_IS_OVER, saved: [] }
  require?.({ nightId: draw.night_id, picks: draw.picks })
  const found = seedsOfReveal(draw, { own, sent }, now)
  if ('absent' in found) {
    const absent = JSON.stringify(found.absent)
    const { again, saved } = await prepareAgain(trx, ports, user, draw, { boxCount, absent })
    const sitOut = letSitOut(trx, { ...key, drawNumber: again.drawNumber }, found.sitOut)
    return { conflict: DEVICES_ARE_ABSENT, again, nightId: draw.night_id, saved: [...saved, ...sitOut] }
  }
  const { seeds } = found
  const drawn =
    draw.candidates === null
      ? await drawWithoutTable(trx, ports, draw, boxCount)
      : await drawFromTable(trx, draw, draw.candidates, seeds)
  if (drawn === undefined) {
    const { again, saved } = await prepareAgain(trx, ports, user, draw, { boxCount, absent: null })
    return { conflict: CARDS_HAVE_LEFT, again, nightId: draw.night_id, saved }
  }
  if (drawn.picks.length === 0) {
    const revealed = { seeds: JSON.stringify(seeds), revealed_at: now.toISOString(), username: user.username }
    const saved = saveReveal(trx, key, { ...revealed, absent: draw.hashes === null ? null : '[]' }, [])
    return { conflict: NOTHING_TO_WATCH, saved, isEmpty: true }
  }
  return saveDrawn(trx, ports, { draw, drawn, seeds, boxCount, by: user.username, now })
}

/** Saves the result of a draw, and takes its cards out of the box. */
function saveDrawn(trx: AnyDb, { images }: CardPorts, { draw, drawn, seeds, boxCount, by, now }: ToSave): Reveal {
  const [watchlistId, at] = [draw.watchlist_id, now.toISOString()]
  const key = { watchlistId, drawNumber: draw.draw_number }
  const rows = drawn.picks.map(({ card, ticket, secret, odds }, place) => ({
    watchlist_id: watchlistId,
    draw_number: key.drawNumber,
    place,
    card_id: card.id,
    ticket,
    secret,
    odds,
  }))
  const absent = draw.hashes === null ? null : '[]'
  const reveal = { seeds: JSON.stringify(seeds), revealed_at: at, username: by, absent }
  const saved = [...saveReveal(trx, key, reveal, rows), ...saveShares(trx, key, drawn.turns, at)]
  const taken = takeCards(
    trx,
    { watchlistId, boxCount, by, at },
    drawn.picks.map(({ card }) => card),
  )
  const counted = countIntoBox(trx, watchlistId, -rows.length)
  const receipt = presentReceipt({ ...draw, ...reveal, status: 'revealed' }, rows, now)
  const outcome = sentList(taken)
    .with(...saved, counted)
    .map((cards) => ({ cards: cards.map((row) => presentCard(row, images.posterOf)), receipt }))
  return { cardIds: rows.map(({ card_id: cardId }) => cardId), receipt, outcome }
}

type ToSave = { draw: DrawRow; drawn: Drawn; seeds: readonly string[]; boxCount: number; by: string; now: Date }

/** Ends a prepared draw, and prepares one with the same rule and filter in its place. */
async function prepareAgain(
  trx: AnyDb,
  ports: DrawPorts,
  user: User,
  draw: DrawRow,
  { boxCount, absent }: { boxCount: number; absent: string | null },
): Promise<{ again: PreparedDraw; saved: Sent<unknown>[] }> {
  const { watchlist_id: watchlistId, draw_number: drawNumber, rule, picks } = draw
  const ended = endDraw(trx, { watchlistId, drawNumber }, 'replaced', absent)
  const request = { rule, filter: filterOf(draw), picks, nightId: draw.night_id ?? undefined }
  const read = await readForDraw(trx, watchlistId, request.filter)
  const { draw: again, saved } = await prepareLocked(trx, ports, user, { ...request, watchlistId, boxCount }, read)
  return { again, saved: [...ended, ...saved] }
}

/** The cards may have moved since, and those that are in the box again are secret. */
async function revealedBefore(trx: AnyDb, { images }: CardPorts, draw: DrawRow, now: Date): Promise<Reveal> {
  const { watchlist_id: watchlistId, draw_number: number } = draw
  const picks = await listPicks(trx, watchlistId, { first: number, last: number })
  const ids = picks.map(({ card_id }) => card_id)
  const rows = new Map((await listCardsOfFeed(trx, watchlistId, ids)).map((row) => [row.id, row]))
  const cards = ids.flatMap((id) => rows.get(id) ?? []).map((row) => presentCard(row, images.posterOf))
  const receipt = presentReceipt(draw, picks, now)
  return { cardIds: [], receipt, outcome: { cards, receipt } }
}

/** Undefined if a candidate has left the box, even if it has returned since. */
async function drawFromTable(
  trx: AnyDb,
  draw: DrawRow,
  candidatesJson: string,
  seeds: readonly string[],
): Promise<Drawn | undefined> {
  const candidates = JSON.parse(candidatesJson) as Candidate[]
  const ids = candidates.map(({ id }) => id)
  const boxed = new Map((await findInBox(trx, draw.watchlist_id, ids)).map((card) => [card.id, card]))
  if (candidates.some(({ id, changeCount }) => boxed.get(id)?.changeCount !== changeCount)) return undefined
  const byTicket = new Map(candidates.map((card) => [ticketOf(card), card]))
  const key = bytesOfHex(draw.server_seed ?? '')
  const below = integersFrom((index) => createHmac('sha256', key).update(blockMessage(index, seeds)).digest())
  const turns = pickTickets(peopleOf(draw) ?? [], draw.picks, below)
  const picks = turns.map(({ ticket, odds }) => {
    const { id = '', secret = null } = byTicket.get(ticket) ?? {}
    return { card: inBox(boxed, id), ticket, secret, odds: String(odds) }
  })
  return { picks, turns }
}

async function drawWithoutTable(trx: AnyDb, { random }: CardPorts, draw: DrawRow, boxCount: number): Promise<Drawn> {
  const { watchlist_id: watchlistId, rule } = draw
  const wanted = filterOf(draw)
  const [{ rest }, past] = await together(findState(trx, watchlistId), readPast(trx, watchlistId, wanted))
  const { filter, count } = await findEligible(trx, { watchlistId, boxCount }, { filter: wanted, rest, past })
  const ids = new Set<string>()
  while (ids.size < Math.min(draw.picks, count)) {
    const id = await drawFromLargeBox(trx, random, { watchlistId, boxCount, rule, filter })
    if (id === undefined) break
    ids.add(id)
  }
  if (ids.size === 0) throw new Problem('NOT_FOUND', BOX_IS_EMPTY)
  const odds = (n: number) => (rule === 'cards' ? String(1 / (count - n)) : null)
  const boxed = new Map((await findInBox(trx, watchlistId, [...ids])).map((card) => [card.id, card]))
  const picks = [...ids].map((id, n) => ({ card: inBox(boxed, id), ticket: null, secret: null, odds: odds(n) }))
  return { picks, turns: [] }
}

function inBox(boxed: ReadonlyMap<string, Boxed>, id: string): Boxed {
  const card = boxed.get(id)
  if (!card) throw new Error('A card left the box of a watchlist that was locked')
  return card
}
