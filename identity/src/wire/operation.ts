import type { z } from 'zod'

import type { Pool } from '../pool/pool.ts'
import { CognitoError } from './cognito-error.ts'
import { readRequest } from './read-request.ts'

/** One call of the user pool API: takes the parsed JSON body, gives what is answered as JSON. */
export type Operation = (pool: Pool, request: unknown) => Promise<object>

/** An operation whose request is checked by `schema` and, where it names a client, by the client it names. */
export function operation<S extends z.ZodType>(
  schema: S,
  run: (pool: Pool, input: z.output<S>) => Promise<object>,
): Operation {
  return async (pool, request) => {
    const input = readRequest(schema, request)
    requireClient(pool, input)
    return await run(pool, input)
  }
}

function requireClient(pool: Pool, input: unknown): void {
  if (typeof input !== 'object' || input === null || !('ClientId' in input)) return
  if (input.ClientId === pool.clientId) return
  throw new CognitoError('ResourceNotFoundException', `User pool client ${String(input.ClientId)} does not exist.`)
}
