import { z } from 'zod'

import { removePasskey } from '../passkeys/passkey-store.ts'
import { authorize } from '../tokens/authorize.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'

const DeleteWebAuthnCredential = z.object({ AccessToken: field.token, CredentialId: field.credentialId })

/** Takes a passkey away from the signed-in user; it signs nobody in any more. */
export const deleteWebAuthnCredential = operation(DeleteWebAuthnCredential, async (pool, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const key = { sub: user.sub, credential_id: input.CredentialId }
  const wasThere = await pool.database.transaction(async (trx) => await removePasskey(trx, key))
  if (!wasThere) throw new CognitoError('ResourceNotFoundException', 'The passkey does not exist.')
  return {}
})
