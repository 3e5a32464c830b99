import { z } from 'zod'

import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse, invalidParameter } from '../../base/errors/refusals.ts'
import type { EventPorts, Pool, VerifyPorts } from '../../base/ports.ts'
import * as field from '../../base/requests/fields.ts'
import { operation, readPageToken, toPageToken } from '../../base/requests/operation.ts'
import { listPasskeys, removePasskey } from '../../parts/passkeys/passkey-store.ts'
import {
  completePasskeyRegistration,
  RegistrationResponse,
  startPasskeyRegistration,
} from '../../parts/passkeys/registration.ts'
import { presentPasskey } from '../../parts/passkeys/webauthn.ts'
import { authorize } from '../../sign-in/signed-in.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'passkeys' | 'relyingParty'>

const StartWebAuthnRegistration = z.object({ AccessToken: field.token })

/** Begins the registration of a passkey for the signed-in user. */
export const startWebAuthnRegistration = operation(StartWebAuthnRegistration, async (pool: Ports, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  return { CredentialCreationOptions: await startPasskeyRegistration(pool, user) }
})

const CompleteWebAuthnRegistration = z.object({ AccessToken: field.token, Credential: z.unknown() })

/** Stores the passkey that the signed-in user's browser has made. */
export const completeWebAuthnRegistration = operation(CompleteWebAuthnRegistration, async (pool: Ports, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const { data: registration } = RegistrationResponse.safeParse(input.Credential)
  if (!registration) throw invalidParameter('Credential is not the answer of a browser that made a passkey.')
  await completePasskeyRegistration(pool, user, registration)
  return {}
})

const PAGE = 20

const ListWebAuthnCredentials = z.object({
  AccessToken: field.token,
  MaxResults: field.limit(PAGE).optional(),
  NextToken: field.pageToken.optional(),
})

/** The signed-in user's passkeys, at most 20 at a time. */
export const listWebAuthnCredentials = operation(ListWebAuthnCredentials, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const limit = input.MaxResults === undefined || input.MaxResults === 0 ? PAGE : input.MaxResults
  const after = readPageToken(input.NextToken)
  const rows = (await listPasskeys(pool.database.read, user.sub)).filter((row) => row.credential_id > after)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    Credentials: rows.slice(0, limit).map(presentPasskey),
    ...(last && { NextToken: toPageToken(last.credential_id) }),
  }
})

const DeleteWebAuthnCredential = z.object({ AccessToken: field.token, CredentialId: field.credentialId })

/** Deletes a passkey of the signed-in user. */
export const deleteWebAuthnCredential = operation(
  DeleteWebAuthnCredential,
  async (pool: VerifyPorts & EventPorts, input) => {
    const { user } = await authorize(pool, input.AccessToken)
    const key = { sub: user.sub, credential_id: input.CredentialId }
    await commitOrRefuse(pool, async (trx) => {
      if (!(await removePasskey(trx, key))) {
        return new CognitoError('ResourceNotFoundException', 'The passkey does not exist.')
      }
      await recordEvent(pool, trx, user, 'passkey-removed')
      return undefined
    })
    pool.mail.wake()
    return {}
  },
)
