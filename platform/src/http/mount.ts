import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'

import { InvalidRequest } from './problem.ts'
import { ReadyJson } from './ready-json.ts'

/** What the server needs to know about an endpoint: its URL, its input and its reply. */
export type HttpEndpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /**
   * `by-link`: a caller without credentials is a guest, if the gate allows guests. The gate checks `sign-in` and
   * `user-or-pass`.
   */
  readonly auth: 'required' | 'sign-in' | 'user-or-pass' | 'by-link' | 'none'
  readonly status: number
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly reply?: z.ZodType
  /** The name of the rate limit of its calls, if they are not just reads. */
  readonly limit?: string
  /** The field of the body that may hold an image as a data URL. */
  readonly takesImage?: string
  /** The longest body in bytes, if it may be longer than the server's limit. */
  readonly bodyLimit?: number
  /** Whether the handler gets the bytes of the body, and has to parse them by `body` itself. */
  readonly rawBody?: true
}

type Parsed<E, K extends string> = E extends Record<K, infer S extends z.ZodType> ? z.output<S> : undefined

export type HandlerInput<E extends HttpEndpoint, User> = {
  params: Parsed<E, 'params'>
  query: Parsed<E, 'query'>
  body: E extends Record<'rawBody', true> ? Buffer : Parsed<E, 'body'>
  user: E['auth'] extends 'required' | 'sign-in' | 'user-or-pass' ? User : User | undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** Returned by a handler that has sent its reply itself. */
export const ANSWERED = Symbol('answered')

type ReplyOf<E> = E extends Record<'reply', infer S extends z.ZodType> ? z.output<S> | ReadyJson<z.output<S>> : void

export type Handler<E extends HttpEndpoint, User> = (
  input: HandlerInput<E, User>,
) => Promise<ReplyOf<E> | typeof ANSWERED>

/** Who may make a call: holders of a pass only those that accept one. */
export type CallerOf<E extends HttpEndpoint, Principal> = E['auth'] extends 'user-or-pass'
  ? Principal
  : Exclude<Principal, { readonly pass: object }>

/** Identifies the caller, or throws the problem to answer with. */
export type Authenticate<User> = (request: FastifyRequest, endpoint: HttpEndpoint) => Promise<User>

/** A call before it is admitted. `user` is set if the endpoint requires one. */
export type Entry<User> = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly endpoint: HttpEndpoint
  readonly user: User | undefined
}

/** Admits or rejects calls. `admit` and `admitBody` throw the problem to answer with. */
export type Gate<User> = {
  readonly authenticate: Authenticate<User>
  readonly allowsGuests?: boolean
  /** Runs before the body is read. */
  readonly admit: (entry: Entry<User>) => Promise<void>
  /** Runs after the body is read, for calls that take an image. */
  readonly admitBody?: (entry: Entry<User>) => Promise<void>
}

/**
 * Mounts one endpoint of the contract. The caller is authenticated and rate-limited before the body is read. Input is
 * parsed by the endpoint's schemas, and the reply is checked by its reply schema. A body is rejected unread if the
 * endpoint has no schema for one.
 */
export function mount<const E extends HttpEndpoint, Principal>(
  app: FastifyInstance,
  endpoint: E,
  gate: Gate<Principal>,
  handle: Handler<E, CallerOf<E, Principal>>,
): void {
  const users = new WeakMap<FastifyRequest, Principal>()
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: {
      ...(endpoint.params && { params: endpoint.params }),
      ...(endpoint.query && { querystring: endpoint.query }),
      ...(endpoint.body && endpoint.rawBody !== true && { body: endpoint.body }),
      ...(endpoint.reply && { response: { [endpoint.status]: endpoint.reply } }),
    },
    ...(endpoint.bodyLimit !== undefined && { bodyLimit: endpoint.bodyLimit }),
    config: { rawBody: endpoint.rawBody === true },
    onRequest: async (request, reply) => {
      const user = await whoCalls(gate, endpoint, request)
      if (user !== undefined) users.set(request, user)
      await gate.admit({ request, reply, endpoint, user })
      if (endpoint.body === undefined && announcesBody(request)) {
        throw new InvalidRequest('body', 'this call takes no body')
      }
    },
    ...(endpoint.takesImage !== undefined && {
      preHandler: async (request: FastifyRequest, reply: FastifyReply) => {
        await gate.admitBody?.({ request, reply, endpoint, user: users.get(request) })
      },
    }),
    handler: async (request, reply) => {
      const input = {
        params: request.params,
        query: request.query,
        // Without a content type there is no body.
        body: endpoint.rawBody === true ? (request.body ?? Buffer.alloc(0)) : request.body,
        user: users.get(request),
        request,
        reply,
      } as HandlerInput<E, CallerOf<E, Principal>>
      const result: unknown = await handle(input)
      if (result === ANSWERED) return reply
      void reply.status(endpoint.status)
      if (result instanceof ReadyJson) return await reply.type('application/json; charset=utf-8').send(result.text)
      return await reply.send(result)
    },
  })
}

function announcesBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Undefined if the call needs no sign-in. In every other case the credentials are checked. */
async function whoCalls<User>(
  { authenticate, allowsGuests = false }: Gate<User>,
  endpoint: HttpEndpoint,
  request: FastifyRequest,
): Promise<User | undefined> {
  const { auth } = endpoint
  if (auth === 'none') return undefined
  if (auth === 'by-link' && allowsGuests && request.headers.authorization === undefined) return undefined
  return await authenticate(request, endpoint)
}

/** `mount` bound to one server and one gate. */
export type Route<Principal> = <const E extends HttpEndpoint>(
  endpoint: E,
  handle: Handler<E, CallerOf<E, Principal>>,
) => void

export function routesOn<Principal>(app: FastifyInstance, gate: Gate<Principal>): Route<Principal> {
  return (endpoint, handle) => {
    mount(app, endpoint, gate, handle)
  }
}

/** A handler for each of these endpoints. */
export type HandlersFor<Endpoints extends Readonly<Record<string, HttpEndpoint>>, Principal> = {
  readonly [Name in keyof Endpoints]: Handler<Endpoints[Name], CallerOf<Endpoints[Name], Principal>>
}

type All<Tables> = Tables extends readonly [infer First, ...infer Rest] ? First & All<Rest> : unknown

/** One table of handlers, made of those of several nouns. @throws if two of them have a handler for the same call. */
export function handlersOf<const Tables extends readonly object[]>(...tables: Tables): All<Tables> {
  const names = tables.flatMap((table) => Object.keys(table))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`Two handlers for ${twice}`)
  return Object.assign({}, ...tables) as All<Tables>
}

/** Mounts these endpoints. One without a handler does not compile. */
export function mountAll<const Endpoints extends Readonly<Record<string, HttpEndpoint>>, Principal>(
  route: Route<Principal>,
  endpoints: Endpoints,
  handlers: HandlersFor<Endpoints, Principal>,
): void {
  for (const name of Object.keys(endpoints) as (keyof Endpoints)[]) route(endpoints[name], handlers[name])
}
