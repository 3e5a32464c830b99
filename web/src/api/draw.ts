import type { BodyInput } from '@marquee/contract/endpoints'
import { DRAW_ENDPOINTS } from '@marquee/contract/endpoints/draws'
import { NIGHT_ENDPOINTS } from '@marquee/contract/endpoints/nights'
import type { LiveEvent } from '@marquee/contract/live-events'

import { isApiError } from './api-error.ts'
import { call } from './call.ts'
import type { Call } from './caller.ts'
import { hexOf } from './idempotency.ts'
import { waitOnTimer } from './retry.ts'

const SEED_BYTES = 32
/** How often a draw may be prepared again: a card has left the box, or a device did not open its seed. */
const ATTEMPTS = 5
/** How long the devices at a night have to send their hashes. */
const HASHES_MS = 600
/** How long to wait before asking again whether all devices have opened their seeds. */
const OPENING_MS = 200

type Seed = { readonly seed: string; readonly hash: string }

/** The seeds of this device, by draw: the device that draws counts once. */
const seeds = new Map<string, Promise<Seed>>()
/** The closed hashes as this device saw them before it opened its seed. */
const seenHashes = new Map<string, { readonly own: string; readonly hashes: readonly string[] }>()

/** The draw that has replaced the first one of an attempt, by its Idempotency-Key, until its answer is there. */
const replacements = new Map<string, number>()

const keyOf = (watchlistId: string, drawNumber: number) => `${watchlistId} ${drawNumber}`

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // Browsers have no WebCrypto without HTTPS.
  if (globalThis.isSecureContext) return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return (await import('@noble/hashes/sha2.js')).sha256(bytes)
}

async function makeSeed(): Promise<Seed> {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES))
  return { seed: hexOf(bytes), hash: hexOf(await sha256(bytes)) }
}

/** The seed of this device for a prepared draw. It is made after the server has committed to the draw. */
async function ownSeed(key: string): Promise<Seed> {
  const seed = seeds.get(key) ?? makeSeed()
  seeds.set(key, seed)
  return seed
}

type Drawing<T> = {
  watchlistId: string
  body: BodyInput<typeof DRAW_ENDPOINTS.prepareDraw>
  idempotencyKey?: string
  /** Other devices may take part. */
  hasOthers: boolean
  reveal: (drawNumber: number, seeds: string[]) => Promise<T>
}

/**
 * Draws cards so that neither the server nor a device can choose them: the server commits to its table, all devices send the
 * hash of a seed, the list of hashes closes, and only then the seeds are sent.
 */
export async function drawCards<T>({ body, idempotencyKey, ...drawing }: Drawing<T>): Promise<T> {
  const params = { watchlistId: drawing.watchlistId }
  const key = idempotencyKey === undefined ? {} : { idempotencyKey }
  let drawNumber = replacements.get(idempotencyKey ?? '')
  let isReplacement = drawNumber !== undefined
  drawNumber ??= (await call(DRAW_ENDPOINTS.prepareDraw, { params, body, ...key })).drawNumber
  for (let attempt = 1; ; attempt += 1) {
    try {
      const drawn = await finishDraw(drawing, drawNumber)
      replacements.delete(idempotencyKey ?? '')
      return drawn
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      const again = isApiError(error, 'CONFLICT') ? error.details['drawNumber'] : undefined
      if (typeof again === 'number') {
        drawNumber = again
        isReplacement = true
      } else if (isReplacement && isApiError(error, 'BAD_REQUEST')) {
        // Another device of this member was absent, so they sit the replacement out. A new draw takes all devices again.
        ;({ drawNumber } = await call(DRAW_ENDPOINTS.prepareDraw, { params, body }))
        isReplacement = false
      } else throw error
      if (idempotencyKey !== undefined) replacements.set(idempotencyKey, drawNumber)
    }
  }
}

async function finishDraw<T>(
  { watchlistId, hasOthers, reveal }: Omit<Drawing<T>, 'body'>,
  drawNumber: number,
): Promise<T> {
  const own = await ownSeed(keyOf(watchlistId, drawNumber))
  if (hasOthers) await waitOnTimer(HASHES_MS, undefined)
  const hashes = await closeHashes(watchlistId, drawNumber, own.hash)
  if (hashes.length > 1) await waitOnTimer(OPENING_MS, undefined)
  for (;;) {
    try {
      return await reveal(drawNumber, [own.seed])
    } catch (error) {
      // The server ends the wait: it prepares the draw again without the devices that are missing.
      if (!isApiError(error, 'CONFLICT') || typeof error.details['missing'] !== 'number') throw error
      await waitOnTimer(OPENING_MS, undefined)
    }
  }
}

async function closeHashes(watchlistId: string, drawNumber: number, own: string): Promise<readonly string[]> {
  const key = keyOf(watchlistId, drawNumber)
  try {
    const input = { params: { watchlistId, drawNumber }, body: { hashes: [own] } }
    const { hashes } = await call(DRAW_ENDPOINTS.closeSeedHashes, input)
    seenHashes.set(key, { own, hashes })
    return hashes
  } catch (error) {
    // A server of the previous version takes seeds without hashes. The receipt says so.
    if (isApiError(error, 'NOT_FOUND')) return []
    // The answer to the reveal was lost, so the draw is over. Another reveal gets its result.
    const seen = isApiError(error, 'CONFLICT') ? seenHashes.get(key) : undefined
    if (seen?.own === own) return seen.hashes
    throw error
  }
}

/** What a draw of a night asks of the devices there. */
export type SeedRequest = Pick<LiveEvent, 'drawNumber' | 'seeds'>

/** Takes part in a draw of a night with this device, as a member or a guest. */
export function answerDraw(caller: Call, nightId: string, { drawNumber, seeds: step }: SeedRequest): void {
  if (drawNumber === undefined) return
  const answer = step === 'open' ? openSeed : sendHash
  // What comes too late is not needed.
  answer(caller, nightId, drawNumber).catch(() => undefined)
}

const keyAt = (nightId: string, drawNumber: number) => keyOf(nightId.slice(0, nightId.lastIndexOf('_')), drawNumber)

async function sendHash(caller: Call, nightId: string, drawNumber: number): Promise<void> {
  const { hash } = await ownSeed(keyAt(nightId, drawNumber))
  await caller(NIGHT_ENDPOINTS.addSeedHash, { params: { nightId }, body: { hash, drawNumber } })
}

/** Opens the seed of this device, but only once its hash is in the closed list: the server may not know it before. */
async function openSeed(caller: Call, nightId: string, drawNumber: number): Promise<void> {
  const key = keyAt(nightId, drawNumber)
  const own = await seeds.get(key)
  if (own === undefined) return
  const { hashes } = await caller(NIGHT_ENDPOINTS.findSeedHashes, { params: { nightId, drawNumber } })
  if (hashes?.includes(own.hash) !== true) return
  seenHashes.set(key, { own: own.hash, hashes })
  await caller(NIGHT_ENDPOINTS.addSeed, { params: { nightId }, body: { seed: own.seed, drawNumber } })
}

/** Whether a receipt has the hashes that this device saw before it opened its seed. Undefined if it took no part. */
export function hasSeenHashes(
  watchlistId: string,
  drawNumber: number,
  hashes: readonly string[] | null,
): boolean | undefined {
  const seen = seenHashes.get(keyOf(watchlistId, drawNumber))
  return seen && JSON.stringify(seen.hashes) === JSON.stringify(hashes) && seen.hashes.includes(seen.own)
}
