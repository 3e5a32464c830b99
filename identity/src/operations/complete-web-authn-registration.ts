import { z } from 'zod'

import { completePasskeyRegistration, RegistrationResponse } from '../passkeys/complete-registration.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { invalidParameter } from '../wire/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'passkeys' | 'relyingParty'>

const CompleteWebAuthnRegistration = z.object({ AccessToken: field.token, Credential: z.unknown() })

/** Keeps the passkey that the browser of the signed-in user has made (identity.md 2.11). */
export const completeWebAuthnRegistration = operation(CompleteWebAuthnRegistration, async (pool: Ports, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const { data: registration } = RegistrationResponse.safeParse(input.Credential)
  if (!registration) throw invalidParameter('Credential is not the answer of a browser that made a passkey.')
  await completePasskeyRegistration(pool, user, registration)
  return {}
})
