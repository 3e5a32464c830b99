import { nameKey } from '../../users/names.ts'
import { invalidParameter, refusals } from '../../wire/refusals.ts'
import { advance } from '../advance.ts'
import { askSecondFactor } from '../ask-second-factor.ts'
import { maySetUp } from '../offered-factors.ts'
import { maySetUpMail } from '../steps/second-factor.ts'
import { SETS_UP } from './answer-code.ts'
import { type Answer, answerInSession } from './answer.ts'

/**
 * Ends the setting up of a second factor: with the session that VerifySoftwareToken gave, or by naming the account's own
 * address, to which a code goes. Another address is not taken: whoever has only the password must not be able to
 * direct the codes to themselves.
 */
export const answerMfaSetup: Answer = async (pool, answer) =>
  await answerInSession(pool, answer, 'MFA_SETUP', async (trx, { session, user }) => {
    if (!user) return refusals.invalidSession()
    if (session.proven.includes('mfa')) return await advance(pool, trx, user, session)
    if (!(await maySetUp(trx, user))) return refusals.invalidSession()
    const email = answer.responses.get('EMAIL')
    if (email === undefined) return refusals.missing('EMAIL')
    if (!maySetUpMail(user, session)) {
      return invalidParameter('Codes by mail cannot be set up after a sign-in that began with one.')
    }
    if (nameKey(email) !== user.email_key) {
      return invalidParameter('The e-mail address must be the verified one of this account.')
    }
    const data = { [SETS_UP]: 'EMAIL_OTP' }
    return await askSecondFactor(pool, trx, user, { progress: session, method: 'EMAIL_OTP', data })
  })
