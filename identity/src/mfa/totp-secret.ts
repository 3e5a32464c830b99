import { openFromRow, sealForRow } from '../sealed/sealed-row.ts'
import type { Db, TotpRow } from '../tables.ts'
import { base32 } from './base32.ts'
import { matchingStep, stepAt } from './totp.ts'
import { findTotp, promotePendingTotp, putPendingTotp, spendStep } from './totp-store.ts'
import type { Pool } from '../base/ports.ts'

const SECRET_BYTES = 20

/** Makes a secret that waits for its first code, and gives it in base32. One in force stays so until then. */
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

/** Puts the waiting secret into force if the code is its own. */
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

/** Checks a code at sign-in. Each code is good once: its step, and all before it, are used up (RFC 6238, 5.2). */
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

/** What the box of a secret is bound to. */
export function totpRow(pool: Pick<Pool, 'id'>, sub: string): string {
  return `${pool.id}|${sub}|totp`
}
