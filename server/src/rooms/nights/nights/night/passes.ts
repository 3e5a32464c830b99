import { isAllowed } from '@marquee/contract/access'
import { NIGHT_PASS_HOURS } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { HOUR_MS } from '@marquee/platform/runtime/durations'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import type { NightPass, PassHolder, Principal } from '../../../club/people/service.ts'
import { authorizeRead, type WatchlistPorts } from '../../../club/watchlists/service.ts'
import { findPass, insertPass, type PassRow } from './pass-store.ts'
import { nightIdOf, nightKeyOf } from './present.ts'
import type { NightKey, NightRow } from './store.ts'

export type NightVerb =
  | 'night.plan'
  | 'night.answer'
  | 'night.run'
  | 'night.attend'
  | 'night.shortlist'
  | 'night.vote'
  | 'night.addSeed'
  | 'night.follow'
  | 'night.invite'
  | 'night.removeGuest'
  | 'night.show'
  | 'night.showScreen'
  | 'night.endScreen'
  | 'night.claim'

type NewPass = {
  kind: PassRow['kind']
  name: string | null
  createdBy: string | null
  now: string
  /** From where a guest joined with the code. */
  from?: Pick<PassRow, 'device_hash' | 'address_hash'>
}

const SECRET_BYTES = 32
/** A token names its night, so that statements can, too. The rest is random. */
const TOKEN = /^mqn_(?<nightId>[\w-]{1,64}_[\da-f-]{36})_(?<secret>[\w-]{43})$/u

/** Lets a guest or a screen into a night that is open. The token is not stored. */
export async function createPass(
  trx: AnyDb,
  ports: Pick<WatchlistPorts, 'random'>,
  night: NightRow,
  pass: NewPass,
): Promise<{ token: string; passId: string }> {
  const secret = newSecret(ports.random)
  const passId = await insertNewPass(trx, ports, night, { ...pass, tokenHash: hashOfSecret(secret) })
  return { token: tokenOf(night, secret), passId }
}

export function newSecret(random: WatchlistPorts['random']): string {
  return random.bytes(SECRET_BYTES).toString('base64url')
}

export function tokenOf(night: Pick<NightRow, 'watchlist_id' | 'id'>, secret: string): string {
  return `mqn_${nightIdOf(night)}_${secret}`
}

/** `createPass` for a holder that has its secret already. Returns the id of the pass. */
export async function insertNewPass(
  trx: AnyDb,
  { random }: Pick<WatchlistPorts, 'random'>,
  night: NightRow,
  { kind, name, createdBy, now, from, tokenHash }: NewPass & { tokenHash: string },
): Promise<string> {
  const passId = random.uuid()
  await insertPass(trx, {
    watchlist_id: night.watchlist_id,
    night_id: night.id,
    id: passId,
    kind,
    token_hash: tokenHash,
    name,
    created_by: createdBy,
    created_at: now,
    // The night ends by itself at `current_until`.
    expires_at: passExpiry(night.current_until),
    ended_at: null,
    claimed_by: null,
    ...(from ?? { device_hash: null, address_hash: null }),
    barred_at: null,
  })
  return passId
}

/** When the passes of a night expire that ends at `end`. */
export function passExpiry(end: string): string {
  return new Date(Date.parse(end) + NIGHT_PASS_HOURS * HOUR_MS).toISOString()
}

/** The pass of a token, also if it has ended. */
export async function findPassByToken(db: AnyDb, token: string): Promise<PassRow | undefined> {
  const { nightId, secret } = TOKEN.exec(token)?.groups ?? {}
  if (nightId === undefined || secret === undefined) return undefined
  return await findPass(db, nightKeyOf(nightId), { tokenHash: hashOfSecret(secret) })
}

/** The holder of a token, if it is valid. `expiresAt` is in seconds since 1970. */
export async function findPassHolder(
  { database, clock }: Pick<WatchlistPorts, 'database' | 'clock'>,
  token: string,
): Promise<(PassHolder & { readonly expiresAt: number }) | undefined> {
  const row = await findPassByToken(database.read, token)
  if (!row || !isValid(row, clock.now().toISOString())) return undefined
  return {
    userId: row.id,
    username: row.name ?? '',
    expiresAt: Math.floor(Date.parse(row.expires_at) / 1000),
    pass: {
      role: row.kind === 'guest' ? 'nightGuest' : 'screen',
      nightId: nightIdOf({ watchlist_id: row.watchlist_id, id: row.night_id }),
    },
  }
}

/** @throws {Problem} UNAUTHORIZED if the pass has ended since the request. */
export function requireValidPass(pass: PassRow | undefined, now: string): void {
  if (!pass || !isValid(pass, now)) throw new Problem('UNAUTHORIZED')
}

/**
 * `authorizeRead` for members and for holders of a pass, which was read with the request.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; UNAUTHORIZED for a pass of another night.
 */
export async function authorizeNightRead(
  db: AnyDb,
  user: Principal,
  verb: NightVerb,
  key: NightKey,
): Promise<{ readonly isOwner: boolean }> {
  if (!user.pass) return await authorizeRead(db, user, verb, key.watchlistId)
  requirePass(user.pass, verb, key)
  return { isOwner: false }
}

/** @throws {Problem} UNAUTHORIZED if the pass is for another night, or does not allow the verb. */
export function requirePass({ role, nightId }: NightPass, verb: NightVerb, { watchlistId, id }: NightKey): void {
  const isOfNight = nightId === nightIdOf({ watchlist_id: watchlistId, id })
  if (!isOfNight || !isAllowed(verb, { [role]: true })) throw new Problem('UNAUTHORIZED')
}

function isValid({ ended_at: endedAt, expires_at: expiresAt }: PassRow, now: string): boolean {
  return endedAt === null && expiresAt > now
}
