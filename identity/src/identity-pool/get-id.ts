import { z } from 'zod'

import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { notAuthorized } from '../wire/refusals.ts'
import { guestIdentity, userIdentity } from './identity-id.ts'
import { identityOperation } from './identity-operation.ts'
import { readLogins } from './read-logins.ts'
import type { Pool, VerifyPorts } from '../base/ports.ts'

const GetId = z.object({ IdentityPoolId: field.identityPoolId, Logins: field.parameters.optional() })

/** The identity of whoever asks: always the same one for a user, a new one for a guest (identity.md 2.13). */
export const getId = identityOperation(
  GetId,
  async (pool: VerifyPorts & Pick<Pool, 'keyring' | 'random'>, identityPool, { IdentityPoolId, Logins }) => {
    if (IdentityPoolId !== identityPool.id) {
      throw new CognitoError('ResourceNotFoundException', `IdentityPool '${IdentityPoolId}' not found.`)
    }
    const sub = await readLogins(pool, Logins)
    if (sub !== undefined) return { IdentityId: userIdentity(pool, identityPool, sub) }
    if (!identityPool.allowsGuests) throw guestsRefused()
    return { IdentityId: guestIdentity(pool, identityPool) }
  },
)

export function guestsRefused(): CognitoError {
  return notAuthorized('Unauthenticated access is not supported for this identity pool.')
}
