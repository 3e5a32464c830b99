import type { Card } from '@marquee/contract/entities/card'
import type { DrawFilter, DrawOdds, DrawReceipt, DrawRest, DrawRule, DrawsPage } from '@marquee/contract/entities/draw'
import { BOX_IS_EMPTY, Problem } from '@marquee/contract/problems'
import { bandOf, inSteps } from '@marquee/contract/rules/draw-secrecy'
import { pageOf, placeOf } from '@marquee/contract/rules/page'
import type { AnyDb } from '@marquee/platform/database/database'
import { askTogether, together } from '@marquee/platform/database/statement-runner'

import { type CardPorts, findTitles, presentCard, takeFromSlot } from '../movies/cards/service.ts'
import type { User } from '../club/people/service.ts'
import { authorizeRead, changeWatchlist, listMembers } from '../club/watchlists/service.ts'
import { eligibleOf } from './bands.ts'
import { findEligible, readPast } from './eligible.ts'
import { readAccepted, weighPeople } from './people.ts'
import type { DrawNights } from './ports.ts'
import { requireFilter } from './prepare.ts'
import { hashesOf, presentReceipt, presentSummary } from './present.ts'
import {
  countDraw,
  type DrawKey,
  findDraw,
  findState,
  listDrawRows,
  listPicks,
  recordOneCall,
  saveRule,
} from './store.ts'
import { refuseCount } from './watchable.ts'

export type { DrawNights } from './ports.ts'
export { prepareDraw } from './prepare.ts'
export { addHashLocked, addSeedLocked } from './seeds.ts'
export { sumShares } from './shares-store.ts'
export { cardsOfDraw, deleteSeedsOf, listRevealTimes } from './store.ts'
export { readForReveal, recordReveal, type Reveal, revealDraw, revealedOrConflict, revealLocked } from './reveal.ts'

/**
 * Draws a slot of the box in one call, all with the same chance, and reveals its card. The card of the last slot moves into
 * the gap, so the cost does not depend on the size of the box. The receipt says that no device contributed a seed.
 * @throws {Problem} NOT_FOUND, also if the box is empty; FORBIDDEN.
 */
export async function revealRandomCard(ports: CardPorts, user: User, watchlistId: string): Promise<Card> {
  const item = async (db: AnyDb) => ({ authorId: undefined, drawNumber: (await countDraw(db, watchlistId)).draw_count })
  const lock = { boxDelta: -1, changesFeed: true } as const
  const place = { watchlistId, item, lock, notFound: BOX_IS_EMPTY }
  return await changeWatchlist(
    ports,
    user,
    'card.reveal',
    place,
    async ({ trx, at, boxCount, happened, ...change }) => {
      const { drawNumber } = change.item
      const lastSlot = boxCount
      const eligible = lastSlot + 1
      const slot = ports.random.below(eligible)
      const { username } = user
      const odds = String(1 / eligible)
      const recorded = recordOneCall(trx, { watchlistId, drawNumber, eligible, odds, slot, username, at })
      // Before the card leaves its slot.
      const revealed = happened('card.revealed', { slot })
      happened('box.changed')
      const drawn = takeFromSlot(trx, { watchlistId, slot, status: 'REVEALED', by: username, at }, lastSlot)
      return drawn.with(recorded).map((row) => {
        revealed.cardId = row.id
        return presentCard(row, ports.images.posterOf)
      })
    },
  )
}

/** A page of the log, newest first. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the token is invalid. */
export async function listDraws(
  { database: { read: db }, clock }: Pick<CardPorts, 'database' | 'clock'>,
  user: User,
  { watchlistId, limit, nextToken }: { watchlistId: string; limit: number; nextToken?: string | undefined },
): Promise<DrawsPage> {
  await authorizeRead(db, user, 'draw.read', watchlistId)
  const rows = await listDrawRows(db, watchlistId, { before: placeOf(nextToken, numberIn), limit: limit + 1 })
  const { shown, nextToken: next } = pageOf(rows, limit, ({ draw_number: number }) => String(number))
  const [first, last] = [shown.at(-1)?.draw_number ?? 0, shown[0]?.draw_number ?? 0]
  const picks = await listPicks(db, watchlistId, { first, last })
  const titles = await findTitles(
    db,
    watchlistId,
    picks.map(({ card_id }) => card_id),
  )
  const picksOf = Map.groupBy(picks, ({ draw_number }) => draw_number)
  const now = clock.now()
  return {
    draws: shown.map((row) => presentSummary(row, picksOf.get(row.draw_number) ?? [], titles, now)),
    nextToken: next,
  }
}

function numberIn(token: string): number | undefined {
  return /^[1-9]\d{0,8}$/u.test(token) ? Number(token) : undefined
}

/** The latest draw, if it was prepared after a time, in milliseconds since 1970, and is not revealed yet. */
export async function findPreparedSince(
  db: AnyDb,
  watchlistId: string,
  time: number,
): Promise<{ username: string } | undefined> {
  const [draw] = await listDrawRows(db, watchlistId, { before: undefined, limit: 1 })
  return draw?.status === 'prepared' && Date.parse(draw.prepared_at) > time ? draw : undefined
}

/** The closed hashes of a draw of a night, without a check of access. */
export async function findSeedHashes(db: AnyDb, key: DrawKey, nightId: string): Promise<string[] | null> {
  const row = await findDraw(db, key)
  return row?.night_id === nightId ? hashesOf(row) : null
}

/** @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getDraw(
  { database: { read: db }, clock }: Pick<CardPorts, 'database' | 'clock'>,
  user: User,
  { watchlistId, drawNumber }: { watchlistId: string; drawNumber: number },
): Promise<DrawReceipt> {
  await authorizeRead(db, user, 'draw.read', watchlistId)
  const row = await findDraw(db, { watchlistId, drawNumber })
  if (!row) throw new Problem('NOT_FOUND')
  return presentReceipt(row, await listPicks(db, watchlistId, { first: drawNumber, last: drawNumber }), clock.now())
}

/**
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the filter names people who are not at the open night, or keeps its
 * count secret.
 */
export async function getOdds(
  ports: Pick<CardPorts, 'database' | 'clock'> & { readonly nights: DrawNights },
  user: User,
  watchlistId: string,
  filter: DrawFilter | null,
): Promise<DrawOdds> {
  return await askTogether(ports.database.read, async (db) => {
    const { boxCount } = await authorizeRead(db, user, 'draw.read', watchlistId)
    refuseCount(filter)
    await requireFilter(db, ports, watchlistId, filter)
    return await readOdds(db, { watchlistId, boxCount }, filter && inSteps(filter))
  })
}

async function readOdds(
  db: AnyDb,
  box: { watchlistId: string; boxCount: number },
  drawFilter: DrawFilter | null,
): Promise<DrawOdds> {
  const { watchlistId } = box
  const [{ rule, rest }, past] = await together(findState(db, watchlistId), readPast(db, watchlistId, drawFilter))
  const { count, resting, putBack } = await findEligible(db, box, { filter: drawFilter, rest, past })
  const counts = { ...eligibleOf(count, drawFilter), resting: drawFilter === null ? resting : bandOf(putBack) }
  if (rule === 'cards' || drawFilter !== null) return { rule, rest, ...counts, people: [] }
  // All members, because who has cards in the box is secret.
  const [members, accepted] = await together(listMembers(db, watchlistId), readAccepted(db, watchlistId, rule))
  const usernames = members.map(({ username }) => username)
  const people = weighPeople(rule, usernames, accepted)
  const total = people.reduce((sum, { weight }) => sum + weight, 0)
  return { rule, rest, ...counts, people: people.map((person) => ({ ...person, chance: person.weight / total })) }
}

/** Sets how the cards of a watchlist are drawn. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function setRule(
  ports: CardPorts,
  user: User,
  watchlistId: string,
  rule: { rule: DrawRule; rest: DrawRest },
): Promise<DrawOdds> {
  return await changeWatchlist(ports, user, 'draw.setRule', { watchlistId }, async ({ trx, boxCount, happened }) => {
    await saveRule(trx, watchlistId, rule)
    happened('draw.rule-set')
    return await readOdds(trx, { watchlistId, boxCount }, null)
  })
}
