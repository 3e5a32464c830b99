import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import type { Db, UserRow } from '../tables.ts'
import { authorize } from '../tokens/authorize.ts'
import { setPhone, setProvenEmail } from '../users/attribute-store.ts'
import { burnCode, checkCode } from '../users/code.ts'
import { removeCodesSentTo, returnTry } from '../users/code-store.ts'
import { claimLoginName, removeLoginName } from '../users/login-name-store.ts'
import { nameKey } from '../users/names.ts'
import { readProvable } from '../users/provable-attribute.ts'
import { findUserBySub } from '../users/user-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { refusals } from '../wire/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

const VerifyUserAttribute = z.object({
  AccessToken: field.token,
  AttributeName: field.attributeName,
  Code: field.code,
})

/** Proves a new address or number with the code that went to it, and puts it into force (identity.md 2.10). */
export const verifyUserAttribute = operation(
  VerifyUserAttribute,
  async (pool: VerifyPorts & EventPorts & Pick<Pool, 'keyring'>, input) => {
    const { sub } = (await authorize(pool, input.AccessToken)).user
    const purpose = readProvable(input.AttributeName)
    await decide(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'VerifyUserAttribute', sub)
      if (refusal) return refusal
      const verdict = await checkCode(pool, trx, { sub, purpose, code: input.Code })
      if (verdict === 'wrong') return refusals.codeMismatch()
      const user = await findUserBySub(trx, sub)
      if (verdict !== 'right' || !user) return refusals.expiredCode()
      if (purpose === 'phone') await provePhone(pool, trx, user)
      return purpose === 'email' ? await proveEmail(pool, trx, user) : undefined
    })
    pool.mail.wake()
    return {}
  },
)

async function provePhone(pool: EventPorts, trx: Db, user: UserRow): Promise<void> {
  await burnCode(pool, trx, user.sub, 'phone')
  await removeCodesSentTo(trx, 'phone', user.sub)
  await setPhone(trx, user.sub, user.pending_phone ?? user.phone_number, pool.clock.now().toISOString())
  await recordEvent(pool, trx, user, 'phone-changed')
}

/** The primary key of login names settles who of two gets an address. */
async function proveEmail(pool: EventPorts, trx: Db, user: UserRow): Promise<CognitoError | undefined> {
  const { sub } = user
  const email = user.pending_email ?? user.email
  const emailKey = nameKey(email)
  const isOwn = emailKey === user.email_key && user.email_verified === 1
  if (!isOwn && !(await claimLoginName(trx, { nameKey: emailKey, sub, kind: 'email' }))) {
    // The code was right, so it stays good until it expires.
    await returnTry(trx, { sub, purpose: 'email' })
    return new CognitoError('AliasExistsException', 'An account with the email already exists.')
  }
  await burnCode(pool, trx, sub, 'email')
  if (!isOwn && user.email_verified === 1) await removeLoginName(trx, user.email_key, sub)
  await setProvenEmail(trx, sub, { email, emailKey, now: pool.clock.now().toISOString() })
  // The old address is told, if it was proven.
  if (!isOwn) await recordEvent(pool, trx, user, 'email-changed')
  await removeCodesSentTo(trx, 'email', sub)
  return undefined
}
