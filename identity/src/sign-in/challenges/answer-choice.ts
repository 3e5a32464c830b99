import { invalidParameter } from '../../wire/refusals.ts'
import { askFirstFactor, TYPED_NAME } from '../ask-first-factor.ts'
import { availableFactors } from '../first-factors.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'

/**
 * Which of the first factors it shall be (identity.md 2.8). Who was asked for a passkey and has none at hand may still
 * choose another way: clients answer with the session they have.
 */
export const answerChoice: Answer = async (pool, answer) => {
  const wanted = requiredResponse(answer, 'ANSWER')
  return await answerInSession(pool, answer, ['SELECT_CHALLENGE', 'WEB_AUTHN'], async (trx, { session, user }) => {
    const candidate = { sub: session.sub, user, nameKey: session.data?.[TYPED_NAME] ?? '' }
    const factor = (await availableFactors(pool, trx, candidate)).find((name) => name === wanted)
    if (factor === undefined) return invalidParameter('The challenge that was chosen is not available.')
    const { deviceKey } = session
    return await askFirstFactor(pool, trx, { candidate, factor, given: answer.responses, deviceKey })
  })
}
