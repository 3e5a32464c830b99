import { ScureBase32Plugin, verifySync } from 'otplib'

import type { Pool } from '../../base/ports.ts'
import { openFromRow, sealForRow } from '../../base/keys/keyring.ts'
import type { Db, TotpRow } from '../../base/tables.ts'
import { findTotp, promotePendingTotp, putPendingTotp, spendStep } from './mfa-store.ts'

const STEP_SECONDS = 30
const CODE = /^\d{6}$/u

/** The 30-second step of a code (RFC 6238). Clocks of phones may be a step behind or ahead. */
export function matchingStep(secret: Uint8Array, code: string, now: Date): number | undefined {
  if (!CODE.test(code)) return undefined
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret, token: code, epoch, epochTolerance: STEP_SECONDS })
  return result.valid ? Math.floor(epoch / STEP_SECONDS) + result.delta : undefined
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
  return new ScureBase32Plugin().encode(secret)
}

/** Makes the pending secret the verified one if the code is right. */
export async function confirmTotp(
  pool: Pick<Pool, 'clock' | 'id' | 'keyring'>,
  trx: Db,
  { sub, code, friendlyName }: { sub: string; code: string; friendlyName: string | undefined },
): Promise<'right' | 'wrong' | 'none'> {
  const row = await findTotp(trx, sub, 'pending')
  if (!row) return 'none'
  const step = matchingStep(openSecret(pool, row), code, pool.clock.now())
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
  const step = matchingStep(openSecret(pool, row), code, pool.clock.now())
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
