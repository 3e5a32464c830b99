import { z } from 'zod'

import type { Pool } from '../pool/pool.ts'
import { decide } from '../pool/decide.ts'
import type { Db } from '../tables.ts'
import { deliveryTo, sendCode } from '../users/code-delivery.ts'
import { addPendingEmail, claimLoginName } from '../users/login-name-store.ts'
import { enteredName, isEmailAddress, isEmailShaped, nameKey } from '../users/names.ts'
import { checkPasswordPolicy } from '../users/password-policy.ts'
import { passwordColumns } from '../users/password-verifier.ts'
import { addUser, newUserDefaults } from '../users/user-store.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { invalidParameter, notAuthorized } from '../wire/refusals.ts'

const SignUp = z.object({
  ClientId: field.clientId,
  Username: field.username,
  Password: field.password,
  UserAttributes: field.attributes.optional(),
})

/** Makes an UNCONFIRMED user and mails the code that confirms the address (identity.md 2.2). */
export const signUp = operation(SignUp, async (pool, input) => {
  const username = enteredName(input.Username)
  if (isEmailShaped(username)) {
    throw invalidParameter('Username cannot be of email format, since user pool is configured for email alias.')
  }
  const email = readEmail(input.UserAttributes ?? [])
  checkPasswordPolicy(input.Password)
  const sub = pool.random.uuid()
  await decide(pool, addition(pool, { sub, username, email, password: input.Password }))
  pool.mail.wake()
  return { UserConfirmed: false, UserSub: sub, CodeDeliveryDetails: deliveryTo(email) }
})

function addition(pool: Pool, made: { sub: string; username: string; email: string; password: string }) {
  const { sub, username, email } = made
  const columns = passwordColumns(pool, sub, made.password)
  const now = pool.clock.now().toISOString()
  const emailKey = nameKey(email)
  return async (trx: Db) => {
    const isFree = await claimLoginName(trx, { nameKey: nameKey(username), sub, kind: 'username' })
    if (!isFree) return new CognitoError('UsernameExistsException', 'User already exists')
    await addUser(trx, {
      sub,
      username,
      email,
      email_key: emailKey,
      email_verified: 0,
      status: 'UNCONFIRMED',
      ...columns,
      created_at: now,
      updated_at: now,
      signed_in_at: null,
      ...newUserDefaults,
    })
    await addPendingEmail(trx, { email_key: emailKey, sub, created_at: now })
    await sendCode(pool, trx, { sub, purpose: 'sign-up', to: email })
    return undefined
  }
}

/** The address among the attributes; the pool's schema has no other that a client may set. */
function readEmail(attributes: z.output<typeof field.attributes>): string {
  for (const { Name } of attributes) {
    if (READ_ONLY.has(Name)) throw notAuthorized('A client attempted to write unauthorized attribute')
    if (Name !== 'email') throw schemaFault(unknownAttribute(Name))
  }
  const email = attributes.at(-1)?.Value ?? ''
  if (email === '') throw schemaFault('email: The attribute is required ')
  if (!isEmailAddress(email)) throw invalidParameter('Invalid email address format.')
  return email
}

const READ_ONLY: ReadonlySet<string> = new Set(['sub', 'email_verified', 'phone_number_verified'])

function unknownAttribute(name: string): string {
  return name.startsWith('custom:')
    ? `${name}: Attribute does not exist in the schema.`
    : `Type for attribute {${name}} could not be determined`
}

function schemaFault(clause: string): CognitoError {
  return invalidParameter(`Attributes did not conform to the schema: ${clause}`)
}
