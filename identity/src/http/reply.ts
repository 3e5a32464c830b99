import { RETRY_AFTER_OUTAGE } from '@marquee/platform/http/kernel'
import { outageIn } from '@marquee/platform/runtime/outage'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { CognitoError } from '../base/errors/refusals.ts'

const CONTENT_TYPE = 'application/x-amz-json-1.1'
/** Clients and proxies reject long headers; the body has the whole message. */
const LONGEST_HEADER = 1024

export async function sendResult(request: FastifyRequest, reply: FastifyReply, result: object): Promise<FastifyReply> {
  return await send(request, reply.status(200), result)
}

/** Sends the error in header and body, since clients differ in which one they read. */
export async function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: CognitoError,
): Promise<FastifyReply> {
  reply
    .status(error.status)
    .header('x-amzn-errortype', `${error.type}:`)
    .header('x-amzn-errormessage', error.message.slice(0, LONGEST_HEADER).replace(/[^\u0020-\u007E]/gu, '?'))
  if (error.status === 503) reply.header('retry-after', RETRY_AFTER_OUTAGE)
  return await send(request, reply, { __type: error.type, message: error.message })
}

/** The reply to an error: a refusal with its own message, anything else as a plain 500. */
export function toCognitoError(error: unknown): CognitoError {
  if (error instanceof CognitoError) return error
  if (outageIn(error)) {
    return new CognitoError('InternalErrorException', 'The service is unavailable. Please try again in a moment.', 503)
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500
  if (status === 413) {
    return new CognitoError('RequestEntityTooLargeException', 'The request is larger than 64 KiB', 413)
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new CognitoError('SerializationException', 'The request could not be read')
  }
  return new CognitoError('InternalErrorException', 'Something went wrong', 500)
}

async function send(request: FastifyRequest, reply: FastifyReply, body: object): Promise<FastifyReply> {
  return await reply
    .header('content-type', CONTENT_TYPE)
    .header('x-amzn-requestid', request.id)
    .header('cache-control', 'no-store')
    .send(Buffer.from(JSON.stringify(body), 'utf8'))
}

const EXPOSED = 'x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date'
const ALLOWED = [
  'content-type',
  'x-amz-target',
  'x-amz-user-agent',
  'cache-control',
  'amz-sdk-invocation-id',
  'amz-sdk-request',
  'authorization',
  'x-amz-date',
  'x-amz-security-token',
].join(', ')

/**
 * Allows calls from pages of any origin, like Amazon. No cookie is involved, so there is nothing to protect by origin.
 * Errors have the headers too.
 */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED)
  })
  app.options('/', async (request, reply) => {
    const asked = request.headers['access-control-request-headers']
    return await reply
      .status(204)
      .header('access-control-allow-methods', 'POST, OPTIONS')
      .header('access-control-allow-headers', asked ?? ALLOWED)
      .header('access-control-max-age', '172800')
      .header('vary', 'access-control-request-headers')
      .send()
  })
}
