import { decide } from '../pool/decide.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import { present } from './advance.ts'
import { askFirstFactor, TYPED_NAME } from './ask-first-factor.ts'
import { availableFactors, subjectOf } from './first-factors.ts'
import type { Progress } from './session.ts'
import { namedAccount, requiredLoginName } from './start-srp.ts'
import { challenge, type SignInStep } from './step.ts'
import { knownDevice } from './steps/device.ts'
import type { SignInPorts } from './step.ts'

/**
 * USER_AUTH: the user, or the app for them, chooses how to sign in (identity.md 2.8). What was preferred and can be had
 * is asked for at once; else the choice is offered. Unknown names are answered alike.
 */
export async function startChoice(pool: SignInPorts, parameters: ReadonlyMap<string, string>): Promise<object> {
  const candidate = await namedAccount(pool, requiredLoginName(parameters))
  const deviceKey = await knownDevice(pool, candidate.sub, parameters)
  const step = await decide(pool, async (trx): Promise<SignInStep> => {
    const available = await availableFactors(pool, trx, candidate)
    const factor = available.find((name) => name === parameters.get('PREFERRED_CHALLENGE'))
    if (factor === undefined) {
      const progress: Progress = { flow: 'USER_AUTH', proven: [], deviceKey }
      const data = { [TYPED_NAME]: candidate.nameKey }
      const offer = challenge(pool, subjectOf(pool, candidate), progress, { name: 'SELECT_CHALLENGE', data })
      return { ...offer, ChallengeParameters: {}, AvailableChallenges: available }
    }
    const asked = await askFirstFactor(pool, trx, { candidate, factor, given: parameters, deviceKey })
    if (asked instanceof CognitoError || asked.kind === 'signed-in') return asked
    return asked.ChallengeName === factor ? { ...asked, AvailableChallenges: [factor] } : asked
  })
  return await present(pool, step)
}
