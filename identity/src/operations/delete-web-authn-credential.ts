import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { removePasskey } from '../passkeys/passkey-store.ts'
import { decide } from '../pool/decide.ts'
import { authorize } from '../tokens/authorize.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { EventPorts, VerifyPorts } from '../base/ports.ts'

const DeleteWebAuthnCredential = z.object({ AccessToken: field.token, CredentialId: field.credentialId })

/** Takes a passkey away from the signed-in user; it signs nobody in any more. */
export const deleteWebAuthnCredential = operation(
  DeleteWebAuthnCredential,
  async (pool: VerifyPorts & EventPorts, input) => {
    const { user } = await authorize(pool, input.AccessToken)
    const key = { sub: user.sub, credential_id: input.CredentialId }
    await decide(pool, async (trx) => {
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
