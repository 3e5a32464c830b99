import { z } from 'zod'

import { decide } from '../pool/decide.ts'
import { emailRequired, readAttributes } from '../users/attributes.ts'
import { confirmationLink, deliveryTo, sendCode } from '../users/code-delivery.ts'
import { addPendingEmail } from '../users/login-name-store.ts'
import { enteredName, isEmailShaped } from '../users/names.ts'
import { addNewUser, newUserRow } from '../users/new-user.ts'
import { checkPasswordPolicy } from '../users/password-policy.ts'
import { makeSignUpSession } from '../sign-in/sign-up-session.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { invalidParameter } from '../wire/refusals.ts'
import type { CodePorts, Pool } from '../base/ports.ts'

type Ports = CodePorts & Pick<Pool, 'clientId' | 'database' | 'id' | 'name' | 'publicUrl' | 'verification'>

const SignUp = z.object({
  ClientId: field.clientId,
  Username: field.username,
  Password: field.password,
  UserAttributes: field.attributes.optional(),
})

/**
 * Makes an UNCONFIRMED user and mails the code that confirms the address. The session of the reply may be passed to
 * ConfirmSignUp, or sign the user in once the link of the mail was opened.
 */
export const signUp = operation(SignUp, async (pool: Ports, input) => {
  const username = enteredName(input.Username)
  if (isEmailShaped(username)) {
    throw invalidParameter('Username cannot be of email format, since user pool is configured for email alias.')
  }
  const { email, phoneNumber } = readAttributes(input.UserAttributes ?? [])
  if (email === undefined) throw emailRequired()
  checkPasswordPolicy(input.Password)
  const sub = pool.random.uuid()
  const made = { sub, username, email, password: input.Password, phoneNumber: phoneNumber || undefined }
  const user = newUserRow(pool, made)
  await decide(pool, async (trx) => {
    const refusal = await addNewUser(trx, user)
    if (refusal) return refusal
    await addPendingEmail(trx, { email_key: user.email_key, sub, created_at: user.created_at })
    await sendCode(pool, trx, { sub, purpose: 'sign-up', to: email, link: confirmationLink(pool, username) })
    return undefined
  })
  pool.mail.wake()
  return {
    UserConfirmed: false,
    UserSub: sub,
    CodeDeliveryDetails: deliveryTo(email),
    Session: makeSignUpSession(pool, user, 'SignUp'),
  }
})
