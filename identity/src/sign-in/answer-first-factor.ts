import { z } from 'zod'

import { recordAttempt, recordEvent } from '../base/audit/record-event.ts'
import { CognitoError, invalidParameter, notAuthorized, refusals } from '../base/errors/refusals.ts'
import * as field from '../base/requests/fields.ts'
import { readRequest } from '../base/requests/operation.ts'
import { removeCode } from '../parts/codes/code-store.ts'
import { fakePasskey, readAssertion, verifyAssertion } from '../parts/passkeys/assertion.ts'
import { findPasskey, recordPasskeyUse } from '../parts/passkeys/passkey-store.ts'
import { requireRelyingParty } from '../parts/passkeys/webauthn.ts'
import { checkPasswordPolicy, isPasswordOf, passwordColumns } from '../parts/users/password.ts'
import { replaceTemporaryPassword } from '../parts/users/user-store.ts'
import { advance } from './advance.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'
import { askFirstFactor, availableFactors, isSentByCode, PASSKEY_CHALLENGE, TYPED_NAME } from './first-factors.ts'
import { answerPassword as takePassword, readPassword } from './password.ts'
import type { Factor } from './session.ts'
import { requiredPublicValue } from './srp.ts'

/**
 * The choice between first factors. A user who was asked for a passkey may still choose another factor: clients answer
 * with the session they have.
 */
export const answerChoice: Answer = async (pool, answer) => {
  const wanted = requiredResponse(answer, 'ANSWER')
  if (isSentByCode(wanted)) await pool.admitMail()
  return await answerInSession(pool, answer, ['SELECT_CHALLENGE', 'WEB_AUTHN'], async (trx, { session, user }) => {
    const candidate = { sub: session.sub, user, nameKey: session.data?.[TYPED_NAME] ?? '' }
    const factor = (await availableFactors(pool, trx, candidate)).find((name) => name === wanted)
    if (factor === undefined) return invalidParameter('The challenge that was chosen is not available.')
    const { deviceKey } = session
    return await askFirstFactor(pool, trx, { candidate, factor, given: answer.responses, deviceKey })
  })
}

/** The password, after it was chosen as first factor without being sent. */
export const answerChosenPassword: Answer = async (pool, answer) => {
  const password = readPassword(requiredResponse(answer, 'PASSWORD'))
  return await answerInSession(
    pool,
    answer,
    'PASSWORD',
    async (trx, { session, user }) =>
      await takePassword(pool, trx, { sub: session.sub, user }, { password, progress: session }),
  )
}

/** The public value, after SRP was chosen without it; PASSWORD_VERIFIER follows. */
export const answerChosenSrp: Answer = async (pool, answer) => {
  requiredPublicValue(answer.responses)
  return await answerInSession(pool, answer, 'PASSWORD_SRP', async (trx, { session, user }) => {
    const candidate = { sub: session.sub, user, nameKey: '' }
    const { deviceKey } = session
    return await askFirstFactor(pool, trx, { candidate, factor: 'PASSWORD_SRP', given: answer.responses, deviceKey })
  })
}

/** The signature of a passkey. With user verification it counts as two factors: possession, and a PIN or biometrics. */
export const answerPasskey: Answer = async (pool, answer) => {
  const assertion = readAssertion(requiredResponse(answer, 'CREDENTIAL'))
  const party = requireRelyingParty(pool)
  return await answerInSession(pool, answer, 'WEB_AUTHN', async (trx, { session, user }) => {
    // An unknown name costs the same work.
    const madeUp = fakePasskey(pool, session.sub)
    const known = await findPasskey(trx, { sub: session.sub, credential_id: assertion.id })
    const passkey = known ?? madeUp
    const challenge = session.data?.[PASSKEY_CHALLENGE] ?? ''
    const proof = await verifyAssertion(party, passkey, { assertion, challenge })
    const refuse = async () => {
      await recordAttempt(pool, trx, session.sub, 'wrong-passkey')
      return refusals.incorrectPassword()
    }
    if (!proof || !user || !known) return await refuse()
    const used = { counter: proof.counter, now: pool.clock.now().toISOString() }
    if (!(await recordPasskeyUse(trx, known, used))) return await refuse()
    const proven: Factor[] = proof.isUserVerified ? ['passkey', 'mfa'] : ['passkey']
    return await advance(pool, trx, user, { ...session, proven })
  })
}

const NewPassword = z.object({ Password: field.password })
const ATTRIBUTE = 'userAttributes.'

/** Replaces a temporary password with the user's own. */
export const answerNewPassword: Answer = async (pool, answer) => {
  const { Password } = readRequest(NewPassword, { Password: requiredResponse(answer, 'NEW_PASSWORD') })
  checkPasswordPolicy(Password)
  const attributes = [...answer.responses].filter(([name]) => name.startsWith(ATTRIBUTE))
  return await answerInSession(pool, answer, 'NEW_PASSWORD_REQUIRED', async (trx, { session, user }) => {
    if (user?.status !== 'FORCE_CHANGE_PASSWORD') return refusals.invalidSession()
    for (const [name, value] of attributes) {
      // Clients send back the attributes they got; verified ones cannot change here.
      if (name === `${ATTRIBUTE}email` && value === user.email) continue
      return notAuthorized(`Cannot modify an already provided ${name.slice(ATTRIBUTE.length)}`)
    }
    if (isPasswordOf(pool, { sub: user.sub, user }, Password)) {
      return new CognitoError(
        'InvalidPasswordException',
        'Password did not conform with policy: Password must not be the temporary one',
      )
    }
    const columns = passwordColumns(pool, user.sub, Password)
    const now = pool.clock.now().toISOString()
    const changed = await replaceTemporaryPassword(trx, user, columns, now)
    if (!changed) return refusals.invalidSession()
    await removeCode(trx, { sub: user.sub, purpose: 'reset' })
    await recordEvent(pool, trx, changed, 'temporary-password-replaced')
    const proven = [...session.proven, 'new-password' as const]
    return await advance(pool, trx, changed, { ...session, proven })
  })
}
