import { getCredentialsForIdentity } from '../identity-pool/get-credentials-for-identity.ts'
import { getId } from '../identity-pool/get-id.ts'
import type { IdentityOperation } from '../identity-pool/identity-operation.ts'
import { requireSignature } from '../signature/require-signature.ts'
import type { SignedRequest } from '../signature/signed-request.ts'
import type { Target } from '../wire/target.ts'
import { adminGetUser } from './admin-get-user.ts'
import { OPERATIONS, type OperationPorts } from './operations.ts'
import type { Pool } from '../base/ports.ts'

/** What only another server of the installation may ask, by a signed request. */
const ADMIN_OPERATIONS: ReadonlyMap<string, typeof adminGetUser> = new Map([['AdminGetUser', adminGetUser]])

const IDENTITY_POOL_OPERATIONS: ReadonlyMap<string, IdentityOperation> = new Map([
  ['GetCredentialsForIdentity', getCredentialsForIdentity],
  ['GetId', getId],
])

/** Answers a request whose body has been parsed. */
export type Answer = (request: SignedRequest, body: unknown) => Promise<object>

/**
 * The operation a request is for; undefined for one there is not. Those of administrators and of the identity pool are
 * there only where they are switched on.
 */
export function findOperation(
  pool: OperationPorts & Pick<Pool, 'adminKey' | 'identityPool'>,
  { service, name }: Target,
): Answer | undefined {
  const { identityPool, adminKey } = pool
  if (service === 'identity-pool') {
    const run = IDENTITY_POOL_OPERATIONS.get(name)
    return run && identityPool && (async (_request, body) => await run(pool, identityPool, body))
  }
  const administer = ADMIN_OPERATIONS.get(name)
  if (administer && adminKey) {
    return async (request, body) => {
      requireSignature(request, adminKey, pool.clock)
      return await administer(pool, body)
    }
  }
  const run = OPERATIONS.get(name)
  return run && (async (_request, body) => await run(pool, body))
}
