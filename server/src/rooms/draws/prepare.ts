import { hash } from 'node:crypto'

import type { DrawFilter, DrawRest, DrawRule, DrawTable, PreparedDraw } from '@marquee/contract/entities/draw'
import { DRAW_PREPARED_MS, MAX_CHECKABLE_CARDS, MAX_PREPARED_DRAWS } from '@marquee/contract/limits'
import { BOX_IS_EMPTY, Problem } from '@marquee/contract/problems'
import { canonicalTable, ticketText } from '@marquee/contract/rules/draw'
import { hidesCount, inSteps, showsMore } from '@marquee/contract/rules/draw-secrecy'
import type { AnyDb } from '@marquee/platform/database/database'
import { type Sent, valueWith } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'

import { type CardPorts, listWantsInBox } from '../movies/cards/service.ts'
import type { User } from '../club/people/service.ts'
import { changeWatchlist, type Happened } from '../club/watchlists/service.ts'
import { type DrawPast, type Eligible, findEligible, readPast } from './eligible.ts'
import { eligibleUntilRevealed } from './bands.ts'
import { makePeople, readAccepted } from './people.ts'
import { countDraw, endDraw, insertDraw, listPrepared, type PreparedRow } from './store.ts'
import type { DrawNights, DrawPorts } from './ports.ts'
import { findWatchableInBox, requireWatchable } from './watchable.ts'

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
  ports: DrawPorts,
  user: User,
  watchlistId: string,
  request: DrawRequest,
): Promise<PreparedDraw> {
  const { nightId } = request
  const item = async (db: AnyDb) => {
    const [read] = await together(
      readForDraw(db, watchlistId, request.filter),
      nightId === undefined
        ? Promise.resolve()
        : ports.nights.requireOpen(db, watchlistId, { nightId, now: ports.clock.now() }),
      requireWatchable(db, ports, { watchlistId, userId: user.userId }, request),
    )
    return { authorId: undefined, read }
  }
  return await changeWatchlist(ports, user, 'card.reveal', { watchlistId, item }, async (change) => {
    const { trx, boxCount, happened } = change
    const { read } = change.item
    // Each rule shows at least as much as `cards`.
    if (request.rule !== undefined && request.rule !== 'cards' && showsMore(request.rule, read.state.rule)) {
      throw new Problem('BAD_REQUEST', RULE_SHOWS_MORE)
    }
    const { draw, saved } = await prepareLocked(trx, ports, user, { ...request, watchlistId, boxCount }, read)
    recordPrepared(happened, draw, nightId)
    return valueWith(draw, saved)
  })
}

/**
 * Who has seen the movie of a card in the box is secret, but for the people who choose a movie now.
 * @throws {Problem} BAD_REQUEST if the filter names people who are not at the open night.
 */
export async function requireFilter(
  db: AnyDb,
  { nights, clock }: Pick<CardPorts, 'clock'> & { readonly nights: DrawNights },
  watchlistId: string,
  filter: DrawFilter | null,
): Promise<void> {
  if (filter?.unseenBy === undefined) return
  await nights.requirePresent(db, watchlistId, { usernames: filter.unseenBy, now: clock.now() })
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

/** What a draw reads before it looks into the box. `state` has its number: it counts as prepared. */
type ReadForDraw = {
  readonly state: Awaited<ReturnType<typeof countDraw>>
  readonly past: DrawPast
  readonly prepared: readonly PreparedRow[]
}

/** One message, in a transaction that holds the watchlist. */
export async function readForDraw(trx: AnyDb, watchlistId: string, filter: DrawFilter | null): Promise<ReadForDraw> {
  const [state, prepared, past] = await together(
    countDraw(trx, watchlistId),
    listPrepared(trx, { watchlistId }),
    readPast(trx, watchlistId, filter && inSteps(filter)),
  )
  return { state, prepared, past }
}

/**
 * `prepareDraw` in a transaction that holds the watchlist. `saved` has left, and belongs to the last statements.
 * @throws {Problem} NOT_FOUND; BAD_REQUEST as `requireFilter`.
 */
export async function prepareLocked(
  trx: AnyDb,
  ports: DrawPorts,
  { username }: User,
  { watchlistId, boxCount, ...request }: DrawRequest & { watchlistId: string; boxCount: number },
  { state: { draw_count: drawNumber, ...state }, past, prepared }: ReadForDraw,
): Promise<{ draw: PreparedDraw; saved: Sent<unknown>[] }> {
  const { random, clock } = ports
  const { picks, nightId = null } = request
  const rule = request.rule === undefined || showsMore(request.rule, state.rule) ? state.rule : request.rule
  const filter = request.filter && inSteps(request.filter)
  const box = { watchlistId, boxCount }
  const isLarge = boxCount > MAX_CHECKABLE_CARDS
  const [{ cards, count }, accepted, wantsInBox] = await together(
    findCards(trx, ports, box, { filter, rest: state.rest, past }),
    readAccepted(trx, watchlistId, rule),
    isLarge || rule === 'cards' ? Promise.resolve([]) : listWantsInBox(trx, watchlistId),
    // Also if a draw is prepared again: what it tells is about the cards that are in the box now.
    requireFilter(trx, ports, watchlistId, filter),
  )
  // If the count is secret until the reveal, that says that nothing fits.
  if (count === 0 && !hidesCount(filter)) throw new Problem('NOT_FOUND', filter ? NOTHING_MATCHES : BOX_IS_EMPTY)
  const now = clock.now()
  // New for every draw: tickets that stay would show in which of several draws a card took part.
  const candidates = cards?.map((card) => ({ ...card, secret: random.bytes(SECRET_BYTES).toString('hex') }))
  const tickets = candidates?.map((card) => ({ ...card, ticket: ticketOf(card) }))
  const others = tickets && isLarge && rule !== 'cards' ? await wantsOf(trx, watchlistId, tickets) : wantsInBox
  const people = tickets && makePeople({ rule, filter }, tickets, { others, accepted })
  const serverSeed = people ? random.bytes(SEED_BYTES).toString('hex') : null
  const commitment = people ? commitmentTo({ watchlistId, drawNumber, rule, filter, picks, people, serverSeed }) : null
  const ended = endOldDraws(trx, watchlistId, prepared, now)
  const inserted = insertDraw.send(trx, {
    watchlist_id: watchlistId,
    draw_number: drawNumber,
    status: 'prepared',
    rule,
    filter: filter && JSON.stringify(filter),
    picks,
    eligible: count,
    people: people ? JSON.stringify(people) : null,
    candidates: candidates ? JSON.stringify(candidates.map(asStored)) : null,
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
  return { draw: { drawNumber, commitment, ...eligibleUntilRevealed(count, filter) }, saved: [...ended, inserted] }
}

async function findCards(
  trx: AnyDb,
  ports: DrawPorts,
  box: { watchlistId: string; boxCount: number },
  { filter, rest, past }: { filter: DrawFilter | null; rest: DrawRest; past: DrawPast },
): Promise<Pick<Eligible, 'cards' | 'count'>> {
  if (filter === null || !hidesCount(filter)) return await findEligible(trx, box, { filter, rest, past })
  if (box.boxCount === 0) throw new Problem('NOT_FOUND', BOX_IS_EMPTY)
  const cards = await findWatchableInBox(trx, ports, box, { filter, rest, past })
  return { cards, count: cards.length }
}

async function wantsOf(trx: AnyDb, watchlistId: string, cards: readonly { readonly id: string }[]) {
  return await listWantsInBox(
    trx,
    watchlistId,
    cards.map(({ id }) => id),
  )
}

const asStored = ({ id, changeCount, secret }: Candidate): Candidate => ({ id, changeCount, secret })

function commitmentTo(table: DrawTable): string {
  return sha256(canonicalTable(table))
}

/** Ends the draws that nothing but a late reveal would end, and makes room for one more. */
function endOldDraws(trx: AnyDb, watchlistId: string, rows: readonly PreparedRow[], now: Date): Sent<unknown>[] {
  return rows.flatMap(({ draw_number: drawNumber, prepared_at }, n) => {
    if (prepared_at < abandonedBefore(now)) return endDraw(trx, { watchlistId, drawNumber }, 'abandoned')
    return rows.length - n >= MAX_PREPARED_DRAWS ? endDraw(trx, { watchlistId, drawNumber }, 'replaced') : []
  })
}

/** A draw prepared before this time is abandoned. */
export function abandonedBefore(now: Date): string {
  return new Date(now.getTime() - DRAW_PREPARED_MS).toISOString()
}
