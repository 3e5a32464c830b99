import { createHmac } from 'node:crypto'

import type { Pool } from '../../base/ports.ts'
import type { Db } from '../../base/tables.ts'
import { countRecoveryCodeRows, replaceRecoveryCodes, takeRecoveryCode } from './mfa-store.ts'

const HOW_MANY = 10
const LENGTH = 10
/** No characters that look alike. 29 characters give about 48 bits per code. */
const ALPHABET = 'abcdefghjkmnpqrstvwxyz3456789'

/**
 * Makes ten codes, each of which replaces a lost authenticator app once, and voids earlier codes. They are shown only
 * now: the database has only their HMACs.
 * @returns codes like `k3mpq-7hxra`
 */
export async function makeRecoveryCodes(
  pool: Pick<Pool, 'clock' | 'keyring' | 'random'>,
  trx: Db,
  sub: string,
): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET.charAt(pool.random.below(ALPHABET.length))).join(''),
  )
  const created_at = pool.clock.now().toISOString()
  await replaceRecoveryCodes(
    trx,
    sub,
    codes.map((code) => ({ sub, mac: macOf(pool, sub, code), created_at })),
  )
  return codes.map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`)
}

/** Whether the text has the form of a recovery code, in any case and spacing. */
export function isRecoveryCodeShaped(typed: string): boolean {
  return plain(typed).length === LENGTH
}

/** Uses a recovery code up. The caller counts failures. */
export async function useRecoveryCode(
  pool: Pick<Pool, 'keyring'>,
  trx: Db,
  sub: string,
  code: string,
): Promise<boolean> {
  return await takeRecoveryCode(trx, sub, macOf(pool, sub, plain(code)))
}

/** How many codes are left. */
export async function countRecoveryCodes(pool: Pick<Pool, 'database'>, sub: string): Promise<number> {
  return await countRecoveryCodeRows(pool.database.read, sub)
}

function plain(typed: string): string {
  return typed.toLowerCase().replaceAll(/[\s-]/gu, '')
}

function macOf({ keyring }: Pick<Pool, 'keyring'>, sub: string, code: string): Buffer {
  return createHmac('sha256', keyring.current('code')).update(`recovery|${sub}|${code}`, 'utf8').digest()
}
