import { z } from 'zod'

import { CognitoError } from '../wire/cognito-error.ts'
import * as field from '../wire/fields.ts'
import { notAuthorized } from '../wire/refusals.ts'
import { makeCredentials } from './credentials.ts'
import { guestsRefused } from './get-id.ts'
import { kindOf, userIdentity } from './identity-id.ts'
import { identityOperation } from './identity-operation.ts'
import { readLogins } from './read-logins.ts'
import type { Pool, VerifyPorts } from '../base/ports.ts'

const GetCredentialsForIdentity = z.object({ IdentityId: field.identityId, Logins: field.parameters.optional() })

/**
 * Credentials for an identity, to whoever may have it (identity.md 2.13). There is nothing they would open here. Who
 * was a guest and brings a login gets those of their own identity, whose id is in the answer: a guest's id proves
 * nothing, so nobody's identity grows out of one.
 */
export const getCredentialsForIdentity = identityOperation(
  GetCredentialsForIdentity,
  async (pool: VerifyPorts & Pick<Pool, 'keyring' | 'random'>, identityPool, { IdentityId, Logins }) => {
    const sub = await readLogins(pool, Logins)
    const kind = kindOf(pool, identityPool, IdentityId)
    if (!kind) throw new CognitoError('ResourceNotFoundException', `Identity '${IdentityId}' not found.`)
    if (sub === undefined) {
      if (kind === 'user') throw notAuthorized(`Access to Identity '${IdentityId}' is forbidden.`)
      if (!identityPool.allowsGuests) throw guestsRefused()
      return { IdentityId, Credentials: makeCredentials(pool) }
    }
    const own = userIdentity(pool, identityPool, sub)
    if (kind === 'user' && IdentityId !== own) {
      throw notAuthorized(
        "Logins don't match. Please include at least one valid login for this identity or identity pool.",
      )
    }
    return { IdentityId: own, Credentials: makeCredentials(pool) }
  },
)
