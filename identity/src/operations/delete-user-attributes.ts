import { z } from 'zod'

import { authorize } from '../tokens/authorize.ts'
import { checkAttributeNames, emailRequired } from '../users/attributes.ts'
import { removePhone } from '../users/remove-phone.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { EventPorts, VerifyPorts } from '../base/ports.ts'

const DeleteUserAttributes = z.object({ AccessToken: field.token, UserAttributeNames: z.array(field.attributeName) })

/** Forgets the phone number; the e-mail address is one that everybody has. */
export const deleteUserAttributes = operation(DeleteUserAttributes, async (pool: VerifyPorts & EventPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  checkAttributeNames(input.UserAttributeNames)
  if (input.UserAttributeNames.includes('email')) throw emailRequired()
  if (input.UserAttributeNames.includes('phone_number')) {
    await pool.database.transaction(async (trx) => {
      await removePhone(pool, trx, user)
    })
    pool.mail.wake()
  }
  return {}
})
