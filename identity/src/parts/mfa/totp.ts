import { createHmac, timingSafeEqual } from 'node:crypto'

import type { Pool } from '../../base/ports.ts'
import { openFromRow, sealForRow } from '../../base/sealed/keyring.ts'
import type { Db, TotpRow } from '../../base/tables.ts'
import { findTotp, promotePendingTotp, putPendingTotp, spendStep } from './mfa-store.ts'

const STEP_SECONDS = 30
const DIGITS = 6
/** Clocks of phones may be a step behind or ahead. */
const DRIFT_STEPS = [-1, 0, 1] as const

/** The number of the 30-second step a moment lies in. */
export function stepAt(moment: Date): number {
  return Math.floor(moment.getTime() / 1000 / STEP_SECONDS)
}

/** The 6-digit code of one step (RFC 6238 with SHA-1). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** Which step near the given one a code belongs to, the latest if several; every one is compared, in constant time. */
export function matchingStep(secret: Uint8Array, code: string, now: number): number | undefined {
  const given = Buffer.from(code, 'utf8')
  const matches = DRIFT_STEPS.map((drift) => now + drift).filter((step) => {
    const expected = Buffer.from(totpCode(secret, step), 'utf8')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return matches.at(-1)
}

const SECRET_BYTES = 20

/** Makes a pending secret and returns it in base32. The verified one stays valid until the first code. */
export async function beginTotp(
  pool: Pick<Pool, 'clock' | 'id' | 'keyring' | 'random'>,
  trx: Db,
  sub: string,
): Promise<string> {
  const secret = pool.random.bytes(SECRET_BYTES)
  const sealed = sealForRow(pool, 'totp', totpRow(pool, sub), secret)
  await putPendingTotp(trx, {
    sub,
    secret_box: sealed.box,
    key_id: sealed.keyId,
    last_step: 0,
    created_at: pool.clock.now().toISOString(),
  })
  return base32(secret)
}

/** Makes the pending secret the verified one if the code is right. */
export async function confirmTotp(
  pool: Pick<Pool, 'clock' | 'id' | 'keyring'>,
  trx: Db,
  { sub, code, friendlyName }: { sub: string; code: string; friendlyName: string | undefined },
): Promise<'right' | 'wrong' | 'none'> {
  const row = await findTotp(trx, sub, 'pending')
  if (!row) return 'none'
  const step = matchingStep(openSecret(pool, row), code, stepAt(pool.clock.now()))
  if (step === undefined) return 'wrong'
  await promotePendingTotp(trx, sub, { step, friendlyName })
  return 'right'
}

/** Checks a code at sign-in. Each code works once: its step, and all before it, are used up (RFC 6238, 5.2). */
export async function checkTotp(
  pool: Pick<Pool, 'clock' | 'id' | 'keyring'>,
  trx: Db,
  sub: string,
  code: string,
): Promise<'right' | 'wrong' | 'replayed' | 'none'> {
  const row = await findTotp(trx, sub, 'verified')
  if (!row) return 'none'
  const step = matchingStep(openSecret(pool, row), code, stepAt(pool.clock.now()))
  if (step === undefined) return 'wrong'
  return (await spendStep(trx, sub, step)) ? 'right' : 'replayed'
}

function openSecret(pool: Pick<Pool, 'id' | 'keyring'>, row: TotpRow): Buffer {
  return openFromRow(pool.keyring, 'totp', totpRow(pool, row.sub), { box: row.secret_box, keyId: row.key_id })
}

/** The row name that the box of a secret is bound to. */
export function totpRow(pool: Pick<Pool, 'id'>, sub: string): string {
  return `${pool.id}|${sub}|totp`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 base32 without padding, as authenticator apps take secrets. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((buffer >> (bits - 5)) & 31)
    buffer &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + ALPHABET.charAt((buffer << (5 - bits)) & 31)
}
