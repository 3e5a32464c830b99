import type { FastifyInstance, FastifyRequest } from 'fastify'

import { OPERATIONS } from '../operations/operations.ts'
import { admitCall } from '../limits/address-limits.ts'
import type { Pool } from '../pool/pool.ts'
import { CognitoError } from './cognito-error.ts'
import { serializationFault } from './read-request.ts'
import { sendError, sendResult, toCognitoError } from './reply.ts'

const BODY_LIMIT = 64 * 1024
const LONGEST_NAME = 100

/** The one address of the pool: a POST whose `X-Amz-Target` names the operation (identity.md 1.1). */
export function mountEndpoint(app: FastifyInstance, pool: Pool): void {
  // A body is JSON here whatever its content type says.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
    done(null, body)
  })

  app.setErrorHandler(async (error, request, reply) => {
    const refusal = toCognitoError(error)
    if (refusal.status >= 500) {
      const target = operationName(request.headers['x-amz-target'])
      pool.logger.error({ err: faultOf(error), requestId: request.id, operation: target }, 'an identity call failed')
    }
    return await sendError(request, reply, refusal)
  })

  const admit = async (request: FastifyRequest): Promise<void> => {
    await admitCall(pool.limiter, operationName(request.headers['x-amz-target']), request.ip)
  }

  app.post('/', { bodyLimit: BODY_LIMIT, onRequest: admit }, async (request, reply) => {
    const name = operationName(request.headers['x-amz-target'])
    const run = OPERATIONS.get(name)
    if (!run) throw new CognitoError('UnknownOperationException', `Unknown operation: ${name}`)
    return await sendResult(request, reply, await run(pool, readBody(request.body)))
  })
}

function operationName(target: string | string[] | undefined): string {
  return (typeof target === 'string' ? target : '').split('.').at(-1)?.slice(0, LONGEST_NAME) ?? ''
}

function readBody(body: unknown): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(typeof body === 'string' ? body : '')
  } catch {
    throw serializationFault()
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw serializationFault()
  return parsed
}

/** What may be logged of a fault: database errors carry the values of the row in further fields. */
function faultOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' }
  return { type: error.name, message: error.message, stack: error.stack ?? '' }
}
