import { createHmac, timingSafeEqual } from 'node:crypto'

import { inFuture } from '@marquee/platform/runtime/clock'
import { HOUR_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import type { CodePurpose } from '../../base/mails/code-mail.ts'
import { nameKey } from '../../base/names.ts'
import type { Pool } from '../../base/ports.ts'
import type { Db } from '../../base/tables.ts'
import { findCode, markCodeUsed, putCode, spendTry } from './code-store.ts'

const MAX_TRIES = 5

/** The number of decimal digits of a code, and its lifetime. */
const CODES: Readonly<Record<CodePurpose, { digits: number; lifetimeMs: number }>> = {
  'sign-up': { digits: 6, lifetimeMs: 24 * HOUR_MS },
  reset: { digits: 6, lifetimeMs: HOUR_MS },
  email: { digits: 6, lifetimeMs: 24 * HOUR_MS },
  phone: { digits: 6, lifetimeMs: 24 * HOUR_MS },
  'first-email': { digits: 8, lifetimeMs: 3 * MINUTE_MS },
  'first-phone': { digits: 6, lifetimeMs: 3 * MINUTE_MS },
  'sign-in-email': { digits: 8, lifetimeMs: 3 * MINUTE_MS },
  'sign-in-phone': { digits: 6, lifetimeMs: 3 * MINUTE_MS },
}

/** Uniformly distributed decimal digits. */
export function newCode({ random }: Pick<Pool, 'random'>, purpose: CodePurpose): string {
  const { digits } = CODES[purpose]
  return String(random.below(10 ** digits)).padStart(digits, '0')
}

type GivenCode = {
  sub: string
  purpose: CodePurpose
  code: string
  /** The address or number that the code is sent to, or verifies. */
  to?: string | undefined
}

/** Makes `code` the only live code of this user and purpose. The database has only its HMAC. */
export async function keepCode(pool: Pick<Pool, 'clock' | 'keyring'>, trx: Db, given: GivenCode): Promise<void> {
  const { sub, purpose } = given
  const expiresAt = inFuture(pool.clock, CODES[purpose].lifetimeMs)
  await putCode(trx, { sub, purpose, mac: macOf(pool, given), expires_at: expiresAt.toISOString() })
}

/**
 * The result of checking a code. `right` leaves it unused: the caller calls `burnCode` in the same transaction once all
 * other checks have passed. `spent` is a code that was used before.
 */
export type CodeVerdict = 'right' | 'wrong' | 'spent' | 'none'

/**
 * Compares a typed code with the live one and counts the try. Five wrong ones void the code. The result then stays
 * `wrong` until it expires, so that an attacker learns nothing from it.
 */
export async function checkCode(
  pool: Pick<Pool, 'clock' | 'keyring'>,
  trx: Db,
  typed: GivenCode,
): Promise<CodeVerdict> {
  const { sub, purpose } = typed
  const now = pool.clock.now().toISOString()
  const given = macOf(pool, typed)
  const live = await spendTry(trx, { sub, purpose }, { now, limit: MAX_TRIES })
  if (live) return timingSafeEqual(live.mac, given) ? 'right' : 'wrong'
  const dead = await findCode(trx, { sub, purpose })
  if (!dead || dead.expires_at <= now) return 'none'
  if (dead.used_at === null) return 'wrong'
  return timingSafeEqual(dead.mac, given) ? 'spent' : 'none'
}

/** Uses up a code that was `right`. */
export async function burnCode(pool: Pick<Pool, 'clock'>, trx: Db, sub: string, purpose: CodePurpose): Promise<void> {
  await markCodeUsed(trx, { sub, purpose }, pool.clock.now().toISOString())
}

/** Codes with these purposes verify an address or number. A code that was sent to another one is wrong. */
const VERIFYING: ReadonlySet<CodePurpose> = new Set(['email', 'phone'])

function macOf({ keyring }: Pick<Pool, 'keyring'>, { sub, purpose, code, to = '' }: GivenCode): Buffer {
  // In JSON, because an address may contain any separator.
  const text = VERIFYING.has(purpose) ? JSON.stringify([purpose, sub, nameKey(to), code]) : `${purpose}|${sub}|${code}`
  return createHmac('sha256', keyring.current('code')).update(text, 'utf8').digest()
}
