import { z } from 'zod'

import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import type { Db, UserRow } from '../tables.ts'
import { authorize } from '../tokens/authorize.ts'
import { setPendingEmail, setPendingPhone } from '../users/attribute-store.ts'
import { readAttributes } from '../users/attributes.ts'
import { type CodeDeliveryDetails, deliveryTo, deliveryToPhone, sendCode } from '../users/code-delivery.ts'
import { removeCode } from '../users/code-store.ts'
import { nameKey } from '../users/names.ts'
import { removePhone } from '../users/remove-phone.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { CodePorts, Pool, VerifyPorts } from '../base/ports.ts'

const UpdateUserAttributes = z.object({ AccessToken: field.token, UserAttributes: field.attributes })

/**
 * Asks for a new address or number (identity.md 2.10). The old one stays in force, also to sign in with, until the code
 * that goes to the new one has been given back with VerifyUserAttribute.
 */
export const updateUserAttributes = operation(
  UpdateUserAttributes,
  async (pool: CodePorts & VerifyPorts & Pick<Pool, 'userAgent'>, input) => {
    const { user } = await authorize(pool, input.AccessToken)
    const { email, phoneNumber } = readAttributes(input.UserAttributes)
    const CodeDeliveryDetailsList = await decide(pool, async (trx) => {
      const refusal = await spendQuota(pool, trx, 'UpdateUserAttributes', user.sub)
      if (refusal) return refusal
      const sent: CodeDeliveryDetails[] = []
      if (email !== undefined) sent.push(...(await changeEmail(pool, trx, user, email)))
      if (phoneNumber !== undefined) sent.push(...(await changePhone(pool, trx, user, phoneNumber)))
      return sent
    })
    pool.mail.wake()
    return { CodeDeliveryDetailsList }
  },
)

async function changeEmail(pool: CodePorts, trx: Db, user: UserRow, email: string): Promise<CodeDeliveryDetails[]> {
  const { sub } = user
  if (nameKey(email) === user.email_key && user.email_verified === 1) {
    await setPendingEmail(trx, sub, null)
    await removeCode(trx, { sub, purpose: 'email' })
    return []
  }
  await setPendingEmail(trx, sub, email)
  await sendCode(pool, trx, { sub, purpose: 'email', to: email })
  return [deliveryTo(email)]
}

async function changePhone(
  pool: CodePorts & Pick<Pool, 'userAgent'>,
  trx: Db,
  user: UserRow,
  phoneNumber: string,
): Promise<CodeDeliveryDetails[]> {
  const { sub } = user
  if (phoneNumber === '') {
    await removePhone(pool, trx, user)
    return []
  }
  if (phoneNumber === user.phone_number) {
    await setPendingPhone(trx, sub, null)
    await removeCode(trx, { sub, purpose: 'phone' })
    return []
  }
  await setPendingPhone(trx, sub, phoneNumber)
  await sendCode(pool, trx, { sub, purpose: 'phone', to: phoneNumber })
  return [deliveryToPhone(phoneNumber)]
}
