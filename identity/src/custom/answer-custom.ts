import { failMfa, passMfa, refuseLockedMfa, type Slate } from '../limits/lockout.ts'
import { decide } from '../pool/decide.ts'
import { type Answer, requiredResponse, useSession } from '../sign-in/challenges/answer.ts'
import { refuseUnknownDevice } from '../sign-in/steps/device.ts'
import { refusals } from '../wire/refusals.ts'
import { goOn, readCustomState } from './go-on.ts'
import { isRightAnswer } from './next-round.ts'
import type { AttemptPorts, Pool } from '../base/ports.ts'

/**
 * The answer to a challenge of the plug-in. The session is used up before the plug-in sees the answer, so none is
 * looked at twice; what comes next has a session of its own. Wrong answers are counted however the plug-in takes them.
 */
export const answerCustom: Answer = async (pool, answer) => {
  const given = requiredResponse(answer, 'ANSWER')
  const named = answer.responses.get('DEVICE_KEY')
  const { session, user } = await useSession(pool, answer, 'CUSTOM_CHALLENGE', async (trx, { sub }) => {
    const locked = await refuseLockedMfa(pool, trx, slateOf(sub))
    return locked ?? (await refuseUnknownDevice(pool, trx, sub, named))
  })
  const { sub } = session
  const { rounds, hidden, metadata, name } = readCustomState(session)
  const candidate = { sub, user, nameKey: name }
  const { clientMetadata } = answer
  const isRight = await isRightAnswer(pool, candidate, { answer: given, hidden, clientMetadata })
  await count(pool, sub, isRight)
  const round = { challengeName: 'CUSTOM_CHALLENGE', challengeResult: isRight, challengeMetadata: metadata }
  const progress = { flow: session.flow, proven: session.proven, deviceKey: named ?? session.deviceKey }
  return await goOn(pool, { candidate, rounds: [...rounds, round], progress, clientMetadata })
}

/** @throws NotAuthorizedException when too many answers were wrong. */
async function count(pool: AttemptPorts & Pick<Pool, 'database'>, sub: string, isRight: boolean): Promise<void> {
  await decide(pool, async (trx) => {
    if (isRight) {
      await passMfa(pool, trx, slateOf(sub))
      return undefined
    }
    const wrong = refusals.incorrectPassword()
    const refusal = await failMfa(pool, trx, slateOf(sub), wrong)
    return refusal === wrong ? undefined : refusal
  })
}

function slateOf(sub: string): Slate {
  return { sub, of: 'custom' }
}
