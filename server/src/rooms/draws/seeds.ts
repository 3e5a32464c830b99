import { hash } from 'node:crypto'

import type { AbsentDevice } from '@marquee/contract/entities/draw'
import { MAX_DRAW_SEEDS, MAX_SEEDS_PER_PERSON, SEED_OPENING_MS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { bytesOfHex } from '@marquee/contract/rules/draw'
import type { AnyDb } from '@marquee/platform/database/database'
import { arrival, type Sent, valueWith } from '@marquee/platform/database/sent'

import { hashesOf, statusOf } from './present.ts'
import {
  type DrawKey,
  type DrawRow,
  insertHashes,
  listHashes,
  listPrepared,
  openSeed,
  type SeedHashRow,
} from './store.ts'

/** A device at a movie night. Without `drawNumber`, it means the latest prepared draw of the night. */
type Device = { nightId: string; drawNumber: number | undefined }
type Person = { userId: string; username: string }

export const HASHES_ARE_CLOSED = 'The hashes of this draw are closed'

const hashOfSeed = (seed: string) => hash('sha256', bytesOfHex(seed))

/**
 * Adds the hash of a seed of a device to a prepared draw of its night, in a transaction that holds the watchlist. Repeating
 * the call changes nothing.
 * @throws {Problem} CONFLICT if no such draw takes hashes; BAD_REQUEST if there are too many, or if the person sits it out.
 */
export async function addHashLocked(
  trx: AnyDb,
  watchlistId: string,
  { person, hash: sent, ...device }: Device & { person: Person; hash: string },
  now: Date,
): Promise<void> {
  const draw = await findPreparedAt(trx, watchlistId, device, now)
  const key = { watchlistId, drawNumber: draw.draw_number }
  const rows = await listHashes(trx, key)
  if (rows.some((row) => row.hash === sent)) return
  if (draw.hashes !== null) throw new Problem('CONFLICT', HASHES_ARE_CLOSED)
  const own = rows.filter((row) => row.person_id === person.userId)
  requireTakesPart(rows, person)
  // One place is kept for the hash of the member who closes the list.
  if (rows.length >= MAX_DRAW_SEEDS - 1 || own.length >= MAX_SEEDS_PER_PERSON) {
    throw new Problem('BAD_REQUEST', 'This draw has no room for another seed')
  }
  await arrival(valueWith(undefined, insertHashes(trx, [rowOf(key, person, sent)])))
}

/**
 * Opens a seed whose hash is in the closed list of its draw. Repeating the call changes nothing.
 * @throws {Problem} CONFLICT if no such draw takes seeds, or no hash of this seed was sent in time.
 */
export async function addSeedLocked(
  trx: AnyDb,
  watchlistId: string,
  { seed, ...device }: Device & { seed: string },
  now: Date,
): Promise<void> {
  const draw = await findPreparedAt(trx, watchlistId, device, now)
  if (draw.hashes === null) throw new Problem('CONFLICT', 'This draw takes the hashes of seeds first')
  const opened = { hash: hashOfSeed(seed), seed }
  if (!hashesOf(draw)?.includes(opened.hash)) throw new Problem('CONFLICT', NO_HASH)
  await openSeed(trx, { watchlistId, drawNumber: draw.draw_number, ...opened })
}

const NO_HASH = 'No hash of this seed was sent in time'

/** @throws {Problem} CONFLICT. */
async function findPreparedAt(trx: AnyDb, watchlistId: string, { nightId, drawNumber }: Device, now: Date) {
  const draws = (await listPrepared(trx, { watchlistId })).filter(
    (row) => row.night_id === nightId && statusOf(row, now) === 'prepared',
  )
  const draw = drawNumber === undefined ? draws.at(-1) : draws.find((row) => row.draw_number === drawNumber)
  if (!draw) throw new Problem('CONFLICT', 'No draw of this night waits for seeds')
  return draw
}

/** What devices have sent for a draw: hashes with seeds, and seeds that processes of the previous version have taken. */
export type SentSeeds = {
  readonly hashRows: readonly SeedHashRow[]
  readonly oldSeeds: readonly { readonly seed: string }[]
}
type WithOwn = { readonly own: readonly string[]; readonly sent: SentSeeds }

/** @throws {Problem} BAD_REQUEST if the person sits the draw out. */
function requireTakesPart(rows: readonly SeedHashRow[], { userId }: Person): void {
  if (rows.some((row) => row.sits_out === 1 && row.person_id === userId)) {
    throw new Problem('BAD_REQUEST', 'Your device did not open its seed, so it takes no part in this draw')
  }
}

/**
 * Adds the hashes of the member who closes the list, up to the maximum, and returns the list.
 * @throws {Problem} BAD_REQUEST if the member sits the draw out: another absent device would stop the draw again.
 */
export function addOwnHashes(
  trx: AnyDb,
  key: DrawKey,
  person: Person,
  { own, sent: { hashRows } }: WithOwn,
): { hashes: string[]; added: Sent<unknown>[] } {
  requireTakesPart(hashRows, person)
  const sent = hashRows.filter((row) => row.sits_out === 0).map((row) => row.hash)
  const hashes = [...new Set([...sent, ...own])].slice(0, MAX_DRAW_SEEDS)
  const added = hashes.filter((each) => !sent.includes(each)).map((each) => rowOf(key, person, each))
  return { hashes: hashes.toSorted(), added: insertHashes(trx, added) }
}

/** The seeds of a reveal, or the devices that did not open theirs in time. */
type Seeds = { readonly seeds: string[] } | { readonly absent: AbsentDevice[]; readonly sitOut: SeedHashRow[] }

/**
 * The seeds of a reveal, sorted: those of the closed hashes. Without hashes, the draw is of the older kind: it uses the seeds
 * that processes of the previous version have taken, then those of the member who reveals, up to the maximum.
 * @throws {Problem} CONFLICT while devices have time to open their seeds; BAD_REQUEST if an own seed has no hash.
 */
export function seedsOfReveal(draw: DrawRow, { own, sent: { hashRows: rows, oldSeeds } }: WithOwn, now: Date): Seeds {
  const hashes = hashesOf(draw)
  if (hashes === null) {
    const sent = oldSeeds.map(({ seed }) => seed)
    return { seeds: [...new Set([...sent, ...own])].slice(0, MAX_DRAW_SEEDS).toSorted() }
  }
  if (!own.every((seed) => hashes.includes(hashOfSeed(seed)))) throw new Problem('BAD_REQUEST', NO_HASH)
  const seeds = new Set([...rows.flatMap(({ seed }) => seed ?? []), ...own])
  const open = new Set([...seeds].map(hashOfSeed))
  const missing = hashes.filter((each) => !open.has(each))
  if (missing.length === 0) return { seeds: [...seeds].toSorted() }
  if (now.getTime() < Date.parse(draw.hashes_closed_at ?? '') + SEED_OPENING_MS) {
    throw new Problem('CONFLICT', 'Devices are still opening their seeds', { missing: missing.length })
  }
  const isMissing = (row: SeedHashRow) => missing.includes(row.hash)
  const absent = missing.map((each) => ({ name: rows.find((row) => row.hash === each)?.name ?? '', hash: each }))
  return { absent, sitOut: rows.filter((row) => row.sits_out === 1 || isMissing(row)) }
}

/** The people who did not open a seed take no part in the draw that replaces theirs, so they cannot stop it again. */
export function letSitOut(trx: AnyDb, key: DrawKey, rows: readonly SeedHashRow[]): Sent<unknown>[] {
  const people = new Map(rows.map((row) => [row.person_id, row]))
  return insertHashes(
    trx,
    [...people.values()].map((row) => ({
      ...rowOf(key, { userId: row.person_id, username: row.name }, row.person_id),
      sits_out: 1,
    })),
  )
}

function rowOf({ watchlistId, drawNumber }: DrawKey, { userId, username }: Person, sent: string): SeedHashRow {
  return {
    watchlist_id: watchlistId,
    draw_number: drawNumber,
    hash: sent,
    person_id: userId,
    name: username,
    seed: null,
    sits_out: 0,
  }
}
