import { answerPassword as takePassword, readPassword } from '../answer-password.ts'
import { askFirstFactor } from '../ask-first-factor.ts'
import { requiredPublicValue } from '../srp-challenge.ts'
import { type Answer, answerInSession, requiredResponse } from './answer.ts'

/** The password itself, where it was chosen as first factor without being given along. */
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

/** The public value, where the password with SRP was chosen without it; PASSWORD_VERIFIER follows. */
export const answerChosenSrp: Answer = async (pool, answer) => {
  requiredPublicValue(answer.responses)
  return await answerInSession(pool, answer, 'PASSWORD_SRP', async (trx, { session, user }) => {
    const candidate = { sub: session.sub, user, nameKey: '' }
    const { deviceKey } = session
    return await askFirstFactor(pool, trx, { candidate, factor: 'PASSWORD_SRP', given: answer.responses, deviceKey })
  })
}
