import { hash } from 'node:crypto'

import type { DrawFilter, DrawRule, DrawTable, PreparedDraw } from '@marquee/contract/entities/draw'
import { DRAW_PREPARED_MS, MAX_PREPARED_DRAWS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { canonicalTable, ticketText } from '@marquee/contract/rules/draw'
import { inSteps, showsMore } from '@marquee/contract/rules/draw-secrecy'
import type { AnyDb } from '@marquee/platform/database/database'

import type { CardPorts } from '../movies/cards/service.ts'
import type { User } from '../club/people/service.ts'
import { changeWatchlist, type Happened } from '../club/watchlists/service.ts'
import { findEligible } from './eligible.ts'
import { eligibleOf } from './bands.ts'
import { makePeople } from './people.ts'
import { countDraw, endDraw, findState, insertDraw, listPrepared } from './store.ts'

export const BOX_IS_EMPTY = 'No cards to reveal from the box'
const NOTHING_MATCHES = 'No card in the box matches the filter'
const RULE_SHOWS_MORE = 'rule: The rule of this watchlist does not show who has how many cards in the box'
const SEED_BYTES = 32
const SECRET_BYTES = 16

/** What a member asks for. Without a rule, or with one that would show more, the rule of the watchlist holds. */
export type DrawRequest = {
  rule?: DrawRule | undefined
  filter: DrawFilter | null
  picks: number
  /** The movie night that the draw belongs to. */
  nightId?: string | undefined
}

/** What a draw needs of movie nights. */
export type DrawNights = {
  /** @throws {Problem} NOT_FOUND if the watchlist has no such night; BAD_REQUEST if it is not open. */
  readonly requireOpen: (trx: AnyDb, watchlistId: string, night: { nightId: string; now: Date }) => Promise<void>
  /** @throws {Problem} BAD_REQUEST if one of the members is not at the open night of the watchlist. */
  readonly requirePresent: (
    db: AnyDb,
    watchlistId: string,
    those: { usernames: readonly string[]; now: Date },
  ) => Promise<void>
}

/** A card of a prepared draw, with the secret of its ticket. */
export type Candidate = { id: string; changeCount: number; secret: string }

// In one call: a draw may have 2,000 tickets.
const sha256 = (text: string) => hash('sha256', text)
export const ticketOf = ({ id, secret }: Pick<Candidate, 'id' | 'secret'>) => sha256(ticketText(id, secret))

/**
 * Fixes the cards of a draw and publishes a commitment to them. Members may prepare draws at the same time.
 * @throws {Problem} NOT_FOUND, also if there is no card to draw; FORBIDDEN; BAD_REQUEST if the rule or the filter would show
 * more than a member may learn.
 */
export async function prepareDraw(
  ports: CardPorts & { readonly nights: DrawNights },
  user: User,
  watchlistId: string,
  request: DrawRequest,
): Promise<PreparedDraw> {
  const { nightId } = request
  return await changeWatchlist(ports, user, 'card.reveal', { watchlistId }, async (change) => {
    const { trx, now, boxCount, happened } = change
    if (nightId !== undefined) await ports.nights.requireOpen(trx, watchlistId, { nightId, now })
    await requireFilter(trx, ports, watchlistId, request.filter)
    await requireRule(trx, watchlistId, request.rule)
    const draw = await prepareLocked(trx, ports, user, { ...request, watchlistId, boxCount })
    recordPrepared(happened, draw, nightId)
    return draw
  })
}

/** Who has seen the movie of a card in the box is secret, but for the people who choose a movie now. */
export async function requireFilter(
  db: AnyDb,
  { nights, clock }: Pick<CardPorts, 'clock'> & { readonly nights: DrawNights },
  watchlistId: string,
  filter: DrawFilter | null,
): Promise<void> {
  if (filter?.unseenBy === undefined) return
  await nights.requirePresent(db, watchlistId, { usernames: filter.unseenBy, now: clock.now() })
}

async function requireRule(trx: AnyDb, watchlistId: string, rule: DrawRule | undefined): Promise<void> {
  // Each rule shows at least as much as this one.
  if (rule === undefined || rule === 'cards') return
  const state = await findState(trx, watchlistId)
  if (showsMore(rule, state.rule)) throw new Problem('BAD_REQUEST', RULE_SHOWS_MORE)
}

/** Records that a draw was prepared. The devices at its night answer with the hash of a seed. */
export function recordPrepared(
  happened: Happened,
  { drawNumber }: Pick<PreparedDraw, 'drawNumber'>,
  nightId: string | null | undefined,
): void {
  happened('draw.prepared')
  if (nightId) happened('night.draw-prepared', { drawNumber, seeds: 'hash' })
}

/** `prepareDraw` in a transaction that holds the watchlist. */
export async function prepareLocked(
  trx: AnyDb,
  { random, clock }: Pick<CardPorts, 'random' | 'clock'>,
  { username }: User,
  { watchlistId, boxCount, ...request }: DrawRequest & { watchlistId: string; boxCount: number },
): Promise<PreparedDraw> {
  const { draw_count: drawNumber, ...state } = await countDraw(trx, watchlistId)
  const { picks, nightId = null } = request
  const rule = request.rule === undefined || showsMore(request.rule, state.rule) ? state.rule : request.rule
  const filter = request.filter && inSteps(request.filter)
  const { cards, count } = await findEligible(trx, { watchlistId, boxCount }, { filter, rest: state.rest })
  if (count === 0) throw new Problem('NOT_FOUND', filter === null ? BOX_IS_EMPTY : NOTHING_MATCHES)
  const now = clock.now()
  await endOldDraws(trx, watchlistId, now)
  // New for every draw: tickets that stay would show in which of several draws a card took part.
  const candidates = cards?.map((card) => ({ ...card, secret: random.bytes(SECRET_BYTES).toString('hex') }))
  const people =
    candidates &&
    (await makePeople(
      trx,
      watchlistId,
      { rule, filter },
      candidates.map((card) => ({ ...card, ticket: ticketOf(card) })),
    ))
  const serverSeed = people ? random.bytes(SEED_BYTES).toString('hex') : null
  const commitment = people ? commitmentTo({ watchlistId, drawNumber, rule, filter, picks, people, serverSeed }) : null
  await insertDraw(trx, {
    watchlist_id: watchlistId,
    draw_number: drawNumber,
    status: 'prepared',
    rule,
    filter: filter && JSON.stringify(filter),
    picks,
    eligible: count,
    people: people ? JSON.stringify(people) : null,
    candidates: candidates
      ? JSON.stringify(candidates.map(({ id, changeCount, secret }) => ({ id, changeCount, secret })))
      : null,
    server_seed: serverSeed,
    commitment,
    seeds: '[]',
    prepared_at: now.toISOString(),
    revealed_at: null,
    username,
    night_id: nightId,
    hashes: null,
    hashes_closed_at: null,
    absent: null,
  })
  return { drawNumber, commitment, ...eligibleOf(count, filter) }
}

function commitmentTo(table: DrawTable): string {
  return sha256(canonicalTable(table))
}

/** Ends the draws that nothing but a late reveal would end, and makes room for one more. */
async function endOldDraws(trx: AnyDb, watchlistId: string, now: Date): Promise<void> {
  const rows = await listPrepared(trx, watchlistId)
  for (const [n, { draw_number: drawNumber, prepared_at }] of rows.entries()) {
    if (prepared_at < abandonedBefore(now)) await endDraw(trx, { watchlistId, drawNumber }, 'abandoned')
    else if (rows.length - n >= MAX_PREPARED_DRAWS) await endDraw(trx, { watchlistId, drawNumber }, 'replaced')
  }
}

/** A draw prepared before this time is abandoned. */
export function abandonedBefore(now: Date): string {
  return new Date(now.getTime() - DRAW_PREPARED_MS).toISOString()
}
