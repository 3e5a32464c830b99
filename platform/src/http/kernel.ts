import { randomUUID } from 'node:crypto'

import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'

import { outageIn } from '../runtime/outage.ts'
import { reasonOf } from '../runtime/reason-of.ts'
import { describeValidation, HttpProblem } from './problem.ts'
import { answerUnreadable, isClientAbort, refuseSecondHost } from './unreadable-request.ts'

export type HttpOptions = {
  logger: FastifyBaseLogger
  /** The longest body in bytes, unless a route has its own limit. A longer one gets 413. */
  bodyLimit: number
  /** The type and default message of an error status, from the caller's closed list. */
  problemFor: (status: number) => { type: string; message: string }
  /** Turns an error of the caller's own code into a problem; undefined for unknown errors. */
  translate?: (error: unknown) => HttpProblem | undefined
  /** Addresses and networks of proxies whose forwarding headers are trusted. Without them no header is. */
  trustProxy?: readonly string[]
}

/** When to try again after an outage, in seconds. */
export const RETRY_AFTER_OUTAGE = '5'
/** A whole request, such as an upload over a slow connection, must arrive within this time. */
const REQUEST_MS = 120_000

/** The longest parameter is an encrypted token of about 700 characters that has a username. */
const MAX_PARAM_LENGTH = 1_000

/** How a path finds its route. */
export const MATCHING = { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH }

/** Replaces Fastify's own JSON Schema compilers, so that they are not loaded. Its types know only such compilers. */
const COMPILERS = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler,
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

const refused = new WeakSet<FastifyRequest>()

/** Whether a request got 503 because the server is busy. A request that met an outage was not refused. */
export function wasRefused(request: FastifyRequest): boolean {
  return refused.has(request)
}

/** A web server without routes: zod parses bodies, and a thrown error becomes a problem reply. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    schemaController: { compilersFactory: COMPILERS },
    loggerInstance: options.logger,
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustProxy === undefined ? false : [...options.trustProxy],
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    routerOptions: MATCHING,
    // While the server closes, requests on open connections are still answered; then the connection ends.
    return503OnClosing: false,
    requestTimeout: REQUEST_MS,
    clientErrorHandler: answerUnreadable(options.problemFor(400).type),
    frameworkErrors: (error, _request, reply) => {
      void sendProblem(reply as unknown as FastifyReply, toProblem(error, options))
    },
  })
  refuseSecondHost(app)
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (isClientAbort(request, error)) {
      request.log.debug({ requestId: request.id }, 'the client closed the connection while it sent a request')
      return await sendProblem(reply, new HttpProblem({ status: 400, ...options.problemFor(400) }))
    }
    const problem = toProblem(error, options)
    const outage = outageIn(error)
    const { id: requestId, log } = request
    if (outage) log.error({ reason: outage.message, requestId }, 'a request met an outage')
    else if (problem.status === 503) {
      refused.add(request)
      log.info({ reason: reasonOf(error), requestId }, 'a request was refused because the server is busy')
    } else if (problem.status >= 500) log.error({ err: error, requestId }, 'a request failed')
    return await sendProblem(reply.header('x-request-id', request.id), problem)
  })
  return app
}

/** Sends a problem reply from outside a handler. */
export async function sendProblem(reply: FastifyReply, problem: HttpProblem): Promise<FastifyReply> {
  return await reply
    .status(problem.status)
    .headers(problem.status === 503 ? { 'retry-after': RETRY_AFTER_OUTAGE, ...problem.headers } : problem.headers)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ ...problem.details, type: problem.type, message: problem.message })
}

function toProblem(error: FastifyError, { problemFor, translate }: HttpOptions): HttpProblem {
  if (error instanceof HttpProblem) return error
  const translated = translate?.(error)
  if (translated !== undefined) return translated
  if (outageIn(error)) return new HttpProblem({ status: 503, ...problemFor(503), cause: error })
  // A path whose parameters cannot be identifiers does not exist: 404.
  if (error.validationContext === 'params' || error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new HttpProblem({ status: 404, ...problemFor(404) })
  }
  if (error.validation !== undefined) {
    return new HttpProblem({ status: 400, type: problemFor(400).type, message: describeValidation(error) })
  }
  const status = error.statusCode ?? 500
  if (status < 400 || status >= 500) return new HttpProblem({ status: 500, ...problemFor(500), cause: error })
  if (status === SLOW_STATUS) return new HttpProblem({ status, type: problemFor(400).type, message: error.message })
  const known = problemFor(status)
  const message = status === 400 ? (BODY_FAULTS[error.code] ?? known.message) : known.message
  return new HttpProblem({ status, type: known.type, message })
}

/** The status of a slow request. The caller's list of types has none for it. */
const SLOW_STATUS = 408

const BODY_FAULTS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'body: a JSON object is expected, but the body is empty',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body: this is not valid JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'body: its length is not what Content-Length says',
}
