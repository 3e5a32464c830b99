import { CognitoError } from '../../wire/cognito-error.ts'
import { refusals } from '../../wire/refusals.ts'
import { askSecondFactor } from '../ask-second-factor.ts'
import { offeredFactors } from '../offered-factors.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'

/** Which of several second factors it shall be. */
export const answerMfaType: Answer = async (pool, answer) => {
  const wanted = requiredResponse(answer, 'ANSWER')
  return await answerInSession(pool, answer, 'SELECT_MFA_TYPE', async (trx, { session, user }) => {
    if (!user) return refusals.invalidSession()
    const offered = await offeredFactors(trx, user, session.proven)
    const method = offered.find((name) => name === wanted)
    if (method === undefined) {
      return new CognitoError('MFAMethodNotFoundException', 'The user has not set up this second factor.')
    }
    return await askSecondFactor(pool, trx, user, { progress: session, method })
  })
}
