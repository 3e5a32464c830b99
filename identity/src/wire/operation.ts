import type { z } from 'zod'

import { CognitoError } from './cognito-error.ts'
import { readRequest } from './read-request.ts'
import type { Pool } from '../base/ports.ts'

/** One call of the user pool API: takes the parsed JSON body, gives what is answered as JSON. */
export type Operation<Ports> = (ports: Ports & Pick<Pool, 'clientId'>, request: unknown) => Promise<object>

/** An operation whose request is checked by `schema` and, where it names a client, by the client it names. */
export function operation<S extends z.ZodType, Ports>(
  schema: S,
  run: (ports: Ports, input: z.output<S>) => Promise<object>,
): Operation<Ports> {
  return async (ports, request) => {
    const input = readRequest(schema, request)
    requireClient(ports, input)
    return await run(ports, input)
  }
}

function requireClient(pool: Pick<Pool, 'clientId'>, input: unknown): void {
  if (typeof input !== 'object' || input === null || !('ClientId' in input)) return
  if (input.ClientId === pool.clientId) return
  throw new CognitoError('ResourceNotFoundException', `User pool client ${String(input.ClientId)} does not exist.`)
}
