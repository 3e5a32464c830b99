import { recordAttempt } from '../../audit/record-event.ts'
import { readAssertion, verifyAssertion } from '../../passkeys/assertion.ts'
import { fakePasskey } from '../../passkeys/fake-passkey.ts'
import { findPasskey, notePasskeyUse } from '../../passkeys/passkey-store.ts'
import { requireRelyingParty } from '../../passkeys/relying-party.ts'
import { refusals } from '../../wire/refusals.ts'
import { advance } from '../advance.ts'
import { PASSKEY_CHALLENGE } from '../ask-first-factor.ts'
import type { Factor } from '../session.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'

/**
 * What a passkey signed (identity.md 2.11). With the user verified by the authenticator it is two factors in one:
 * having it, and knowing its PIN or being its owner.
 */
export const answerPasskey: Answer = async (pool, answer) => {
  const assertion = readAssertion(requiredResponse(answer, 'CREDENTIAL'))
  const party = requireRelyingParty(pool)
  return await answerInSession(pool, answer, 'WEB_AUTHN', async (trx, { session, user }) => {
    // The same work for a name that is nobody's.
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
    if (!(await notePasskeyUse(trx, known, used))) return await refuse()
    const proven: Factor[] = proof.isUserVerified ? ['passkey', 'mfa'] : ['passkey']
    return await advance(pool, trx, user, { ...session, proven })
  })
}
