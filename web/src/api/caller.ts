import type { BodyInput, Endpoint, Params, QueryInput, Reply } from '@marquee/contract/endpoints'
import { z } from 'zod'

import { claimsOf } from '#web/session/kept-tokens.ts'

import { ApiError } from './api-error.ts'
import type { fetchWithProgress, OnProgress } from './fetch-with-progress.ts'
import { newIdempotencyKey } from './idempotency.ts'
import { networkFailure, problemOf, refreshFailure, shapeMismatch } from './problem.ts'
import { type Wait, withRetries } from './retry.ts'

const TIMEOUT_MS = 30_000
/** For writes, which may carry an image of 5 MB over a slow line, and for files. */
const LONG_TIMEOUT_MS = 180_000

type Part<E extends Endpoint, K extends 'params' | 'query' | 'body', V> =
  E extends Record<K, z.ZodType> ? (Record<never, V> extends V ? Partial<Record<K, V>> : Record<K, V>) : unknown

type Options = {
  /** Cancels the call. */
  signal?: AbortSignal | undefined
  /** Gets the progress of sending the body. */
  onProgress?: OnProgress | undefined
  /** The call is not retried, because the user has another way to go on. */
  once?: boolean | undefined
  /** For calls that take a key: that of an earlier attempt at the same. By default a new one. */
  idempotencyKey?: string | undefined
  /** Whether to send with this token. Another user may have signed in meanwhile. */
  accepts?: ((token: string | undefined) => boolean) | undefined
}

/**
 * A reply with its version from the server. No HTTP cache keeps replies, because it would outlive the sign-out. Callers
 * of an endpoint that revalidates pass in the reply that they hold.
 */
export type Versioned<T> = T & { readonly version?: string }

/** The input of a call: the parts of its endpoint (contract/endpoints), and options. */
export type CallInput<E extends Endpoint> = Part<E, 'params', Params<E>> &
  Part<E, 'query', QueryInput<E>> &
  Part<E, 'body', BodyInput<E>> &
  (E extends { revalidates: true } ? { held?: Versioned<Reply<E>> | undefined } : unknown) &
  Options

/** The result of a call: the reply of the endpoint, a blob for a file, undefined for 204. */
export type CallReply<E extends Endpoint> = E extends { files: readonly string[] }
  ? Blob
  : E extends { reply: z.ZodType }
    ? E extends { revalidates: true }
      ? Versioned<Reply<E>>
      : Reply<E>
    : undefined

/** What a caller needs. `idToken` is undefined without a session. `renewedIdToken` asks for a new one. */
export type CallerPorts = {
  baseUrl: string
  fetch: (url: string, request: RequestInit) => Promise<Response>
  fetchWithProgress: typeof fetchWithProgress
  wait: Wait
  /** Whether calls by link may be made without a session. */
  allowsGuests: () => boolean
  session: {
    idToken: () => Promise<string | undefined>
    renewedIdToken: () => Promise<string | undefined>
    /** The server refused a token that could not be renewed: the session is over. */
    expired: () => Promise<void>
  }
}

export type Call = <const E extends Endpoint>(
  endpoint: E,
  ...input: Record<never, unknown> extends CallInput<E> ? [CallInput<E>?] : [CallInput<E>]
) => Promise<CallReply<E>>

type AnyInput = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  held?: Versioned<object> | undefined
} & Options

function urlOf(baseUrl: string, path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(String(params[name])))
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(pairs.map(([key, value]) => [key, String(value)])).toString()
  return `${baseUrl}${filled}${search === '' ? '' : `?${search}`}`
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** An expired token is renewed over the network. */
function throwRefreshFailure(error: unknown): never {
  throw refreshFailure(error)
}

function parse(endpoint: Endpoint, status: number, body: unknown): unknown {
  if (endpoint.reply === undefined) return undefined
  const parsed = endpoint.reply.safeParse(body)
  if (parsed.success) return parsed.data
  throw shapeMismatch(z.prettifyError(parsed.error), status)
}

function withVersion(reply: unknown, version: string | null): unknown {
  return version === null ? reply : { ...(reply as object), version }
}

/** Reads change nothing, and what has a key takes effect once, so both may be sent twice. Uploads are too large for that. */
function mayRepeat({ method, takesKey }: Endpoint, { once, onProgress }: Options): boolean {
  if (once === true) return false
  return method === 'GET' || (takesKey === true && onProgress === undefined)
}

function requestOf(endpoint: Endpoint, input: AnyInput, token: string | undefined) {
  return {
    method: endpoint.method,
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }),
      ...(input.held?.version === undefined ? {} : { 'if-none-match': input.held.version }),
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  }
}

/** Aborts a call that the caller aborts, or that takes too long. */
function signalOf(endpoint: Endpoint, { signal }: AnyInput): AbortSignal {
  const isShort = endpoint.method === 'GET' && endpoint.files === undefined
  const timeout = AbortSignal.timeout(isShort ? TIMEOUT_MS : LONG_TIMEOUT_MS)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

/**
 * Creates the function that calls the product API. A call needs a session unless its endpoint says otherwise. It is
 * retried if it may be sent twice. Replies are checked against the contract. Every failure is an ApiError. An aborted
 * call rejects with the signal's reason.
 */
export function createCaller(ports: CallerPorts): Call {
  const { session } = ports

  async function send(endpoint: Endpoint, input: AnyInput, token: string | undefined): Promise<Response> {
    if (input.accepts?.(token) === false) throw new ApiError('UNAUTHORIZED', 'User is not authenticated')
    // A user who signs in meanwhile does not repeat what another one began.
    const { sub } = claimsOf(token)
    input.accepts ??= (later) => claimsOf(later)['sub'] === sub
    try {
      const url = urlOf(ports.baseUrl, endpoint.path, input)
      const request = { ...requestOf(endpoint, input, token), signal: signalOf(endpoint, input) }
      return input.onProgress === undefined
        ? await ports.fetch(url, request)
        : await ports.fetchWithProgress(url, request, input.onProgress)
    } catch (error) {
      throw input.signal?.aborted === true ? (input.signal.reason as Error) : networkFailure(error)
    }
  }

  async function sendAs(endpoint: Endpoint, input: AnyInput): Promise<Response> {
    if (endpoint.auth === 'none') return send(endpoint, input, undefined)
    const token = await session.idToken().catch(throwRefreshFailure)
    if (token === undefined) {
      if (endpoint.auth === 'by-link' && ports.allowsGuests()) return send(endpoint, input, undefined)
      throw new ApiError('UNAUTHORIZED', 'User is not authenticated')
    }
    const response = await send(endpoint, input, token)
    if (response.status !== 401) return response

    // The clocks may differ, so the server may refuse a token that seems valid. A new one decides.
    const renewed = await session.renewedIdToken().catch(throwRefreshFailure)
    const second = renewed === undefined ? response : await send(endpoint, input, renewed)
    if (second.status === 401) await session.expired()
    return second
  }

  async function attempt(endpoint: Endpoint, input: AnyInput): Promise<unknown> {
    const response = await sendAs(endpoint, input)
    if (response.status === 304 && input.held !== undefined) return input.held
    const isFile = endpoint.files !== undefined && response.ok
    const body = await (isFile ? response.blob() : jsonOf(response)).catch((error: unknown) => {
      throw input.signal?.aborted === true ? (input.signal.reason as Error) : networkFailure(error)
    })
    if (!response.ok) throw problemOf(response, body)
    if (isFile) return body
    const reply = parse(endpoint, response.status, body)
    return endpoint.revalidates === true ? withVersion(reply, response.headers.get('etag')) : reply
  }

  return async (endpoint, ...[given]) => {
    const input: AnyInput = { ...given }
    if (endpoint.takesKey === true) input.idempotencyKey ??= newIdempotencyKey()
    const once = async () => attempt(endpoint, input)
    const reply = mayRepeat(endpoint, input) ? withRetries(once, { wait: ports.wait, signal: input.signal }) : once()
    // The endpoint's own schema has just parsed it.
    return (await reply) as CallReply<typeof endpoint>
  }
}
