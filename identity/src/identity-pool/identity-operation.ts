import type { z } from 'zod'

import { readRequest } from '../wire/read-request.ts'
import type { IdentityPool, Pool, VerifyPorts } from '../base/ports.ts'

/** One call of the identity pool API: takes the parsed JSON body, gives what is answered as JSON. */
export type IdentityOperation = (
  pool: VerifyPorts & Pick<Pool, 'keyring' | 'random'>,
  identityPool: IdentityPool,
  request: unknown,
) => Promise<object>

/** An operation whose request is checked by `schema`. */
export function identityOperation<S extends z.ZodType>(
  schema: S,
  run: (
    pool: VerifyPorts & Pick<Pool, 'keyring' | 'random'>,
    identityPool: IdentityPool,
    input: z.output<S>,
  ) => Promise<object>,
): IdentityOperation {
  return async (pool, identityPool, request) => await run(pool, identityPool, readRequest(schema, request))
}
