import { z } from 'zod'

import { startCustom } from '../custom/start-custom.ts'
import { startSignedUp } from '../sign-in/sign-up-session.ts'
import { startChoice } from '../sign-in/start-choice.ts'
import { startPassword } from '../sign-in/start-password.ts'
import { startSrp } from '../sign-in/start-srp.ts'
import { refreshSession } from '../tokens/refresh.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { invalidParameter, refusals } from '../wire/refusals.ts'
import type { SignInPorts } from '../sign-in/step.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'keyring' | 'tracksDevices'>

const AUTH_FLOWS = [
  'USER_SRP_AUTH',
  'REFRESH_TOKEN_AUTH',
  'REFRESH_TOKEN',
  'CUSTOM_AUTH',
  'ADMIN_NO_SRP_AUTH',
  'USER_PASSWORD_AUTH',
  'ADMIN_USER_PASSWORD_AUTH',
  'USER_AUTH',
] as const

const InitiateAuth = z.object({
  AuthFlow: field.oneOf(AUTH_FLOWS),
  ClientId: field.clientId,
  AuthParameters: field.parameters,
  Session: field.session.optional(),
  ClientMetadata: field.parameters,
})

/** Begins a sign-in or refreshes one (identity.md 2.5). */
export const initiateAuth = operation(
  InitiateAuth,
  async (
    pool: SignInPorts & Pick<Pool, 'endedSessions' | 'external'>,
    { AuthFlow, AuthParameters, Session, ClientMetadata },
  ) => {
    switch (AuthFlow) {
      case 'USER_SRP_AUTH':
        return await startSrp(pool, AuthParameters)
      case 'REFRESH_TOKEN_AUTH':
      case 'REFRESH_TOKEN':
        return await refresh(pool, AuthParameters)
      case 'ADMIN_NO_SRP_AUTH':
      case 'ADMIN_USER_PASSWORD_AUTH':
        throw invalidParameter('Initiate Auth method not supported.')
      case 'USER_PASSWORD_AUTH':
        return await startPassword(pool, AuthParameters)
      case 'USER_AUTH':
        if (Session === undefined) return await startChoice(pool, AuthParameters)
        return await startSignedUp(pool, AuthParameters, Session)
      case 'CUSTOM_AUTH':
        return await startCustom(pool, AuthParameters, Object.fromEntries(ClientMetadata))
    }
  },
)

// Older clients refresh this way and keep their refresh token, so it is not rotated here.
async function refresh(pool: Ports, parameters: ReadonlyMap<string, string>): Promise<object> {
  const token = parameters.get('REFRESH_TOKEN')
  if (token === undefined) throw refusals.missing('REFRESH_TOKEN')
  const deviceKey = parameters.get('DEVICE_KEY')
  return {
    ChallengeParameters: {},
    AuthenticationResult: await refreshSession(pool, token, { rotate: false, deviceKey }),
  }
}
