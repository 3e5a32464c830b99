import type { FastifyInstance, FastifyRequest } from 'fastify'

import { readTextBody } from '@marquee/platform/http/json-bodies'
import { isClientAbort } from '@marquee/platform/http/unreadable-request'

import { admitCall } from '../limits/address-limits.ts'
import { findOperation } from '../operations/find-operation.ts'
import { resultOfAnswer, resultOfRefusal } from '../sign-in/count-sign-in.ts'
import { CognitoError } from './cognito-error.ts'
import { serializationFault } from './read-request.ts'
import { sendError, sendResult, toCognitoError } from './reply.ts'
import { readTarget, type Target } from './target.ts'
import { type Pool, withCaller } from '../base/ports.ts'

const BODY_LIMIT = 64 * 1024

/** The one address of the pool: a POST whose `X-Amz-Target` names the operation (identity.md 1.1). */
export function mountEndpoint(
  app: FastifyInstance,
  pool: Pick<Pool, 'limiter' | 'logger' | 'onSignIn'> & Omit<Parameters<typeof findOperation>[0], 'userAgent'>,
): void {
  // A body is JSON here whatever its content type says.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', readTextBody)

  app.setErrorHandler(async (error, request, reply) => {
    if (isClientAbort(request, error)) {
      pool.logger.debug({ requestId: request.id }, 'the client closed the connection while it sent a request')
      return await sendError(request, reply, serializationFault())
    }
    const refusal = toCognitoError(error)
    const { name } = targetOf(request)
    const result = resultOfRefusal(name, readIfPossible(request.body), refusal)
    if (result) pool.onSignIn(result)
    if (refusal.status >= 500) {
      pool.logger.error({ err: error, requestId: request.id, operation: name }, 'an identity call failed')
    }
    return await sendError(request, reply, refusal)
  })

  const admit = async (request: FastifyRequest): Promise<void> => {
    await admitCall(pool.limiter, targetOf(request).name, request.ip)
  }

  app.post('/', { bodyLimit: BODY_LIMIT, onRequest: admit }, async (request, reply) => {
    const target = targetOf(request)
    const answer = findOperation(withCaller(pool, request.raw), target)
    if (!answer) throw new CognitoError('UnknownOperationException', `Unknown operation: ${target.name}`)
    const body = typeof request.body === 'string' ? request.body : ''
    const { method, url, headers } = request.raw
    const asked = { method: method ?? '', url: url ?? '', headers, body }
    const read = readBody(body)
    const answered = await answer(asked, read)
    const result = resultOfAnswer(target.name, read, answered)
    if (result) pool.onSignIn(result)
    return await sendResult(request, reply, answered)
  })
}

function targetOf({ headers }: FastifyRequest): Target {
  return readTarget(headers['x-amz-target'])
}

/** What was sent, as far as it got: a call may be refused before its body is read. */
function readIfPossible(body: unknown): unknown {
  try {
    return typeof body === 'string' ? readBody(body) : undefined
  } catch {
    return undefined
  }
}

function readBody(body: string): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    throw serializationFault()
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw serializationFault()
  return parsed
}
