import { z } from 'zod'

import { startPasskeyRegistration } from '../passkeys/start-registration.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { Pool, VerifyPorts } from '../base/ports.ts'

type Ports = VerifyPorts & Pick<Pool, 'passkeys' | 'productName' | 'random' | 'relyingParty'>

const StartWebAuthnRegistration = z.object({ AccessToken: field.token })

/** Begins the making of a passkey for the signed-in user (identity.md 2.11). */
export const startWebAuthnRegistration = operation(StartWebAuthnRegistration, async (pool: Ports, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  return { CredentialCreationOptions: await startPasskeyRegistration(pool, user) }
})
