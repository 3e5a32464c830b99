import type { z } from 'zod'

import type { MediaServerFaultKind } from '@marquee/contract/entities/media-server'
import { type CallAnswer, guardedCall } from '@marquee/platform/network/guarded-fetch'
import { type Refusal, RefusedUrl } from '@marquee/platform/network/refused-url'
import { splitJson, TooComplex } from '@marquee/platform/json/split-json'
import { nextTurn } from '@marquee/platform/runtime/turns'

import { type MediaFetchOptions, MediaServerFault, NotAllowed, type Target } from './port.ts'

/** What media servers show their owners as the program that asks. */
export const CLIENT_NAME = 'Marquee'

const MB = 1024 * 1024
const MAX_BODY_BYTES = MB
/** A page with all that a server knows of 500 movies is smaller. */
const MAX_PAGE_BYTES = 4 * MB
/** This many take a few milliseconds. Such a page has some ten thousand. */
const MAX_VALUES = 200_000
const CALL_MS = 15_000
/** Keys are letters and digits; this also keeps them inside the quotes of a header. */
const KEY = /^[\w.~+/=-]{1,2000}$/u

const FAULT_OF: Readonly<Record<Refusal, MediaServerFaultKind>> = {
  url: 'address',
  scheme: 'address',
  credentials: 'address',
  port: 'address',
  address: 'address',
  redirects: 'redirect',
  status: 'other-server',
  encoding: 'unreadable',
  size: 'unreadable',
  content: 'unreadable',
  time: 'slow',
  certificate: 'certificate',
  network: 'unreachable',
}

type Call = {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** Set if the answer is a page of the list of movies, which may be long. */
  readonly pageOf?: { bytesLeft: number }
  /** A call that has no key yet. The fault for a status of the answer, if the status says one. */
  readonly signingIn?: (status: number) => MediaServerFault | undefined
  readonly signal: AbortSignal
}

/** Calls of one media server. Each throws `MediaServerFault`, whose message has no header and nothing of an answer. */
export type MediaClient = {
  /** The answer to a call, read with `schema`. */
  readonly ask: <T>(path: string, schema: z.ZodType<T>, call: Call) => Promise<T>
  /** The status of the answer, for calls that take any status except that of a refused key. */
  readonly send: (path: string, call: Call) => Promise<number>
}

/** `keyHeaders` are sent with each call but those to `open` paths, which tell what a server is before it gets the key. */
export function createMediaClient(
  { url, token }: Target,
  { keyHeaders, open }: { keyHeaders: Readonly<Record<string, string>>; open: readonly string[] },
  options: MediaFetchOptions,
): MediaClient {
  const base = baseOf(url)

  async function answerTo(
    path: string,
    { method = 'GET', query = {}, headers, body, pageOf, signingIn, signal }: Call,
  ) {
    const isOpen = open.includes(path) || signingIn !== undefined
    if (!isOpen && !KEY.test(token)) throw new MediaServerFault('key', 'this is not a key')
    const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query).toString()}` : ''
    const message = {
      method,
      headers: {
        ...(isOpen ? {} : keyHeaders),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    try {
      const maxBytes = pageOf ? MAX_PAGE_BYTES : MAX_BODY_BYTES
      const limits = { maxBytes, timeoutMs: CALL_MS, signal }
      const answer = await guardedCall(`${base}${path}${search}`, message, { ...options, ...limits })
      if (pageOf) pageOf.bytesLeft -= answer.bytes.length
      const refused = signingIn?.(answer.status)
      if (refused) throw refused
      // Behind a proxy with a login of its own, there is no media server that we could ask.
      if (isRefusal(answer) && isOpen) throw new MediaServerFault('other-server', `${path}: ${answer.status}`)
      if (answer.status === 403) throw new NotAllowed(`${path}: 403`)
      if (isRefusal(answer)) throw new MediaServerFault('key', `${path}: ${answer.status}`)
      return answer
    } catch (error) {
      throw error instanceof RefusedUrl ? faultOf(error) : error
    }
  }

  return {
    ask: async (path, schema, call) => await read(path, await answerTo(path, call), schema),
    send: async (path, call) => (await answerTo(path, call)).status,
  }
}

const isRefusal = ({ status }: CallAnswer) => status === 401 || status === 403

/** A server that does not speak HTTP is not a media server. */
function faultOf(error: RefusedUrl): MediaServerFault {
  const { code } = (error.cause ?? {}) as { readonly code?: unknown }
  const isOther = error.reason === 'network' && typeof code === 'string' && code.startsWith('HPE_')
  return new MediaServerFault(isOther ? 'other-server' : FAULT_OF[error.reason], error.reason)
}

async function read<T>(path: string, { status, isJson, bytes }: CallAnswer, schema: z.ZodType<T>): Promise<T> {
  // A server that restarts, or a proxy whose server is down, or that wants fewer calls.
  if (status >= 500 || status === 429) throw new MediaServerFault('unreachable', `${path}: ${status}`)
  if (status !== 200) throw new MediaServerFault('other-server', `${path}: ${status}`)
  if (!isJson) throw new MediaServerFault('other-server', `${path}: no JSON`)
  const parsed = schema.safeParse(await parseJson(path, bytes))
  if (parsed.success) return parsed.data
  throw new MediaServerFault('other-server', `${path}: another shape`)
}

/** Requests have turns in between, because a server may send something that is made to keep this one busy. */
async function parseJson(path: string, bytes: Buffer): Promise<unknown> {
  await nextTurn()
  try {
    splitJson(bytes, '', MAX_VALUES)
    await nextTurn()
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new MediaServerFault('unreadable', `${path}: ${error instanceof TooComplex ? 'complex' : 'broken'} JSON`)
  }
}

/** The address without the page of the web app that a browser shows there, and without a slash at the end. */
export function baseOf(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed) return url
  const path = parsed.pathname.replace(/\/web(?:\/.*)?$/u, '').replace(/\/+$/u, '')
  parsed.search = ''
  parsed.hash = ''
  parsed.pathname = ''
  return `${parsed.href.replace(/\/$/u, '')}${path}`
}
