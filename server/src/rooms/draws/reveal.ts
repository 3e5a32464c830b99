import { createHmac } from 'node:crypto'

import type { Card } from '@marquee/contract/entities/card'
import type { DrawReceipt, PreparedDraw } from '@marquee/contract/entities/draw'
import { Problem } from '@marquee/contract/problems'
import { blockMessage, bytesOfHex, integersFrom, pickTickets, type Turn } from '@marquee/contract/rules/draw'
import type { AnyDb } from '@marquee/platform/database/database'

import { type CardPorts, findInBox, listCardsOfFeed, presentCard, takeCard } from '../movies/cards/service.ts'
import type { User } from '../club/people/service.ts'
import { changeBoxCount, changeWatchlist, type Happened } from '../club/watchlists/service.ts'
import { findEligible } from './eligible.ts'
import { drawFromLargeBox } from './large-box.ts'
import { BOX_IS_EMPTY, type Candidate, prepareLocked, recordPrepared, ticketOf } from './prepare.ts'
import { filterOf, hashesOf, peopleOf, presentReceipt, statusOf } from './present.ts'
import { addOwnHashes, HASHES_ARE_CLOSED, letSitOut, seedsOfReveal } from './seeds.ts'
import { saveShares } from './shares-store.ts'
import {
  closeHashes,
  type DrawKey,
  type DrawRow,
  endDraw,
  findDraw,
  findState,
  listPicks,
  type PickRow,
  saveReveal,
} from './store.ts'

const CARDS_HAVE_LEFT = 'A card has left the box, so the draw was prepared again'
const DEVICES_ARE_ABSENT = 'A device did not open its seed, so the draw was prepared again'
const DRAW_IS_OVER = 'This draw is over'

type Revealed = { cards: Card[]; receipt: DrawReceipt }
/** The result of the transaction. `again` is the draw that was prepared in place of this one. */
export type Outcome =
  | (Revealed & { isNew: boolean })
  | { conflict: string; again?: PreparedDraw; nightId?: string | null }
type Pick = Omit<PickRow, 'watchlist_id' | 'draw_number' | 'place'>
type Drawn = { picks: Pick[]; turns: Turn[] }

/**
 * Draws the cards of a prepared draw with the seeds of the devices that take part, and reveals them. A second reveal gets
 * the result of the first.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; CONFLICT if the draw is over, or had to be prepared again because a card has left
 * the box. Its details are the new draw.
 */
export async function revealDraw(
  ports: CardPorts,
  user: User,
  key: DrawKey,
  seeds: readonly string[],
): Promise<Revealed> {
  const { watchlistId } = key
  const outcome = await changeWatchlist(ports, user, 'card.reveal', { watchlistId }, async (change) => {
    const { trx, boxCount, happened } = change
    const outcome = await revealLocked(trx, ports, user, { ...key, boxCount, seeds })
    recordOutcome(happened, outcome, 'card.revealed')
    return outcome
  })
  return revealedOrConflict(outcome)
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
  return await changeWatchlist(ports, user, 'card.reveal', { watchlistId }, async ({ trx, now, at, happened }) => {
    const draw = await findDraw(trx, key)
    if (!draw) throw new Problem('NOT_FOUND')
    if (statusOf(draw, now) !== 'prepared') throw new Problem('CONFLICT', DRAW_IS_OVER)
    const closed = hashesOf(draw)
    if (closed !== null) {
      if (!own.every((hash) => closed.includes(hash))) throw new Problem('CONFLICT', HASHES_ARE_CLOSED)
      return { hashes: closed }
    }
    const hashes = await addOwnHashes(trx, key, user, own)
    await closeHashes(trx, key, JSON.stringify(hashes), at)
    happened('draw.hashes-closed')
    if (draw.night_id) happened('night.draw-hashes-closed', { drawNumber, seeds: 'open' })
    return { hashes }
  })
}

/** Records what a reveal has changed. Its cards are revealed, or drawn as a shortlist. */
export function recordOutcome(happened: Happened, outcome: Outcome, fact: 'card.revealed' | 'card.shortlisted'): void {
  if ('conflict' in outcome) {
    if (outcome.again) recordPrepared(happened, outcome.again, outcome.nightId)
    return
  }
  if (!outcome.isNew) return
  for (const { id: cardId } of outcome.cards) happened(fact, { cardId })
  happened('box.changed')
  happened('draw.revealed')
}

/** The reply of an outcome. @throws {Problem} CONFLICT. */
export function revealedOrConflict(outcome: Outcome): Revealed {
  if ('conflict' in outcome) throw new Problem('CONFLICT', outcome.conflict, { ...outcome.again })
  return { cards: outcome.cards, receipt: outcome.receipt }
}

/**
 * `revealDraw` in a transaction that holds the watchlist. The caller records the outcome. `require` refuses a prepared draw
 * before it draws: undoing a reveal would take as long as the place of the drawn card says.
 */
export async function revealLocked(
  trx: AnyDb,
  ports: CardPorts,
  user: User,
  { boxCount, seeds: ownSeeds, ...key }: DrawKey & { boxCount: number; seeds: readonly string[] },
  require?: (draw: { nightId: string | null; picks: number }) => void,
): Promise<Outcome> {
  const { watchlistId } = key
  const draw = await findDraw(trx, key)
  if (!draw) throw new Problem('NOT_FOUND')
  const now = ports.clock.now()
  const status = statusOf(draw, now)
  if (status === 'revealed') return { ...(await revealedBefore(trx, ports, draw, now)), isNew: false }
  if (status !== 'prepared') return { conflict: DRAW_IS_OVER }
  require?.({ nightId: draw.night_id, picks: draw.picks })
  const found = await seedsOfReveal(trx, draw, ownSeeds, now)
  if ('absent' in found) {
    const again = await prepareAgain(trx, ports, user, draw, { boxCount, absent: JSON.stringify(found.absent) })
    await letSitOut(trx, { watchlistId, drawNumber: again.drawNumber }, found.sitOut)
    return { conflict: DEVICES_ARE_ABSENT, again, nightId: draw.night_id }
  }
  const { seeds } = found
  const drawn =
    draw.candidates === null
      ? await drawWithoutTable(trx, ports, draw, boxCount)
      : await drawFromTable(trx, draw, draw.candidates, seeds)
  if (drawn === undefined) {
    const again = await prepareAgain(trx, ports, user, draw, { boxCount, absent: null })
    return { conflict: CARDS_HAVE_LEFT, again, nightId: draw.night_id }
  }
  const rows = drawn.picks.map((pick, place) => ({
    watchlist_id: watchlistId,
    draw_number: key.drawNumber,
    place,
    ...pick,
  }))
  const at = now.toISOString()
  const absent = draw.hashes === null ? null : '[]'
  const saved = { seeds: JSON.stringify(seeds), revealed_at: at, username: user.username, absent }
  await saveReveal(trx, key, saved, rows)
  await saveShares(trx, key, drawn.turns, at)
  const cards: Card[] = []
  for (const [n, { card_id: cardId }] of rows.entries()) {
    const change = { watchlistId, cardId, status: 'REVEALED', by: user.username, at } as const
    cards.push(presentCard(await takeCard(trx, change, boxCount - 1 - n), ports.images.posterOf))
  }
  await changeBoxCount(trx, watchlistId, -rows.length)
  const receipt = presentReceipt({ ...draw, ...saved, status: 'revealed' }, rows, now)
  return { cards, receipt, isNew: true }
}

/** Ends a prepared draw, and prepares one with the same rule and filter in its place. */
async function prepareAgain(
  trx: AnyDb,
  ports: CardPorts,
  user: User,
  draw: DrawRow,
  { boxCount, absent }: { boxCount: number; absent: string | null },
): Promise<PreparedDraw> {
  const { watchlist_id: watchlistId, draw_number: drawNumber, rule, picks } = draw
  await endDraw(trx, { watchlistId, drawNumber }, 'replaced', absent)
  const request = { rule, filter: filterOf(draw), picks, nightId: draw.night_id ?? undefined }
  return await prepareLocked(trx, ports, user, { ...request, watchlistId, boxCount })
}

/** The cards may have moved since, and those that are in the box again are secret. */
async function revealedBefore(trx: AnyDb, { images }: CardPorts, draw: DrawRow, now: Date): Promise<Revealed> {
  const { watchlist_id: watchlistId, draw_number: number } = draw
  const picks = await listPicks(trx, watchlistId, { first: number, last: number })
  const ids = picks.map(({ card_id }) => card_id)
  const rows = new Map((await listCardsOfFeed(trx, watchlistId, ids)).map((row) => [row.id, row]))
  const cards = ids.flatMap((id) => rows.get(id) ?? []).map((row) => presentCard(row, images.posterOf))
  return { cards, receipt: presentReceipt(draw, picks, now) }
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
  const boxed = new Map((await findInBox(trx, draw.watchlist_id, ids)).map((card) => [card.id, card.changeCount]))
  if (candidates.some(({ id, changeCount }) => boxed.get(id) !== changeCount)) return undefined
  const byTicket = new Map(candidates.map((card) => [ticketOf(card), card]))
  const key = bytesOfHex(draw.server_seed ?? '')
  const below = integersFrom((index) => createHmac('sha256', key).update(blockMessage(index, seeds)).digest())
  const turns = pickTickets(peopleOf(draw) ?? [], draw.picks, below)
  const picks = turns.map(({ ticket, odds }) => {
    const { id = '', secret = null } = byTicket.get(ticket) ?? {}
    return { card_id: id, ticket, secret, odds: String(odds) }
  })
  return { picks, turns }
}

async function drawWithoutTable(trx: AnyDb, { random }: CardPorts, draw: DrawRow, boxCount: number): Promise<Drawn> {
  const { watchlist_id: watchlistId, rule } = draw
  const { rest } = await findState(trx, watchlistId)
  const { filter, count } = await findEligible(trx, { watchlistId, boxCount }, { filter: filterOf(draw), rest })
  const ids = new Set<string>()
  while (ids.size < Math.min(draw.picks, count)) {
    const id = await drawFromLargeBox(trx, random, { watchlistId, boxCount, rule, filter })
    if (id === undefined) break
    ids.add(id)
  }
  if (ids.size === 0) throw new Problem('NOT_FOUND', BOX_IS_EMPTY)
  const odds = (n: number) => (rule === 'cards' ? String(1 / (count - n)) : null)
  const picks = [...ids].map((card_id, n) => ({ card_id, ticket: null, secret: null, odds: odds(n) }))
  return { picks, turns: [] }
}
