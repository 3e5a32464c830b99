import { requiredPublicValue } from '../sign-in/srp-challenge.ts'
import { knownDevice } from '../sign-in/steps/device.ts'
import { namedAccount, requiredLoginName } from '../sign-in/start-srp.ts'
import { goOn } from './go-on.ts'
import type { ClientMetadata } from './next-round.ts'
import { requireCustomChallenges } from './run-trigger.ts'
import type { SignInPorts } from '../sign-in/step.ts'

/** CUSTOM_AUTH: a sign-in by the challenges of the plug-in, with the password before them or without (identity.md 2.5). */
export async function startCustom(
  pool: SignInPorts,
  parameters: ReadonlyMap<string, string>,
  clientMetadata: ClientMetadata,
): Promise<object> {
  requireCustomChallenges(pool)
  const typed = requiredLoginName(parameters)
  const A = parameters.get('CHALLENGE_NAME') === 'SRP_A' ? requiredPublicValue(parameters) : undefined
  const candidate = await namedAccount(pool, typed)
  return await goOn(pool, {
    candidate,
    rounds: A === undefined ? [] : [{ challengeName: 'SRP_A', challengeResult: true }],
    progress: { flow: 'CUSTOM_AUTH', proven: [], deviceKey: await knownDevice(pool, candidate.sub, parameters) },
    clientMetadata,
    A,
  })
}
