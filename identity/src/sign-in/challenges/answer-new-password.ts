import { recordEvent } from '../../audit/record-event.ts'
import { isPasswordOf, passwordColumns } from '../../users/password-verifier.ts'
import { checkPasswordPolicy } from '../../users/password-policy.ts'
import { replaceTemporaryPassword } from '../../users/user-store.ts'
import { CognitoError } from '../../wire/cognito-error.ts'
import * as field from '../../wire/fields.ts'
import { readRequest } from '../../wire/read-request.ts'
import { notAuthorized, refusals } from '../../wire/refusals.ts'
import { z } from 'zod'

import { advance } from '../advance.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'

const NewPassword = z.object({ Password: field.password })
const ATTRIBUTE = 'userAttributes.'

/** Puts the user's own password in the place of a temporary one. */
export const answerNewPassword: Answer = async (pool, answer) => {
  const { Password } = readRequest(NewPassword, { Password: requiredResponse(answer, 'NEW_PASSWORD') })
  checkPasswordPolicy(Password)
  const attributes = [...answer.responses].filter(([name]) => name.startsWith(ATTRIBUTE))
  return await answerInSession(pool, answer, 'NEW_PASSWORD_REQUIRED', async (trx, { session, user }) => {
    if (user?.status !== 'FORCE_CHANGE_PASSWORD') return refusals.invalidSession()
    for (const [name, value] of attributes) {
      // Clients send back what they were told; what is proven is not changed on the way.
      if (name === `${ATTRIBUTE}email` && value === user.email) continue
      return notAuthorized(`Cannot modify an already provided ${name.slice(ATTRIBUTE.length)}`)
    }
    if (isPasswordOf(pool, user, Password)) {
      return new CognitoError(
        'InvalidPasswordException',
        'Password did not conform with policy: Password must not be the temporary one',
      )
    }
    const columns = passwordColumns(pool, user.sub, Password)
    const now = pool.clock.now().toISOString()
    const changed = await replaceTemporaryPassword(trx, user, columns, now)
    if (!changed) return refusals.invalidSession()
    await recordEvent(pool, trx, changed, 'temporary-password-replaced')
    const proven = [...session.proven, 'new-password' as const]
    return await advance(pool, trx, changed, { ...session, proven })
  })
}
