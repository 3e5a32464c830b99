import type { IncomingMessage } from 'node:http'

import { SECOND_MS } from '../runtime/durations.ts'
import { isOwnAddress, isPublicAddress } from './addresses.ts'
import { type Destination, findDestination, type Guard, readUrl } from './destination.ts'
import { createNameLookup } from './name-lookup.ts'
import { RefusedUrl, within } from './refused-url.ts'
import { ask, type Message, readBody } from './request.ts'

export type GuardedFetchOptions = {
  /** The largest body, in bytes. */
  maxBytes: number
  /** Whether a larger body is cut there, and not refused. */
  isCut?: boolean
  /** For everything together: DNS, redirects, heads and bodies. In milliseconds. */
  timeoutMs: number
  /** How many redirects are followed; 0 follows none. */
  maxRedirects: number
  /** The Accept header. The content type of the reply is returned and not checked. */
  accept: string
  userAgent?: string
  /** Aborts the fetch, like the deadline. */
  signal?: AbortSignal
} & Partial<Guard>

export type FetchedUrl = { bytes: Buffer; contentType: string | undefined; finalUrl: string }

const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308]

const USER_AGENT = 'image-check/1.0'
/** A member waits for the check of an address. */
const CHECK_MS = 5 * SECOND_MS
const JSON_TYPE = 'application/json'

/** Web ports only, so that this server cannot be used to attack mail servers and databases. */
const WEB_PORTS: readonly number[] = [80, 443, 8080, 8443]

const PUBLIC_INTERNET: Guard = {
  lookup: createNameLookup(),
  allowAddress: (ip) => isPublicAddress(ip) && !isOwnAddress(ip),
  allowPort: (port) => WEB_PORTS.includes(port),
}

/**
 * Fetches a URL from a user, protected against server-side request forgery. It allows http and https, web ports, and
 * public addresses other than this machine's, and no credentials. The address that it connects to is checked, again after
 * every redirect. It uses no proxy and no cookies, decompresses nothing, and limits size and time. Every connection is
 * closed when it returns. Tests pass `lookup`, `allowAddress` and `allowPort`; the defaults are the public internet.
 * @throws {RefusedUrl} for every failure
 */
export async function guardedFetch(url: string, options: GuardedFetchOptions): Promise<FetchedUrl> {
  const guard = guardOf(options)
  const deadline = deadlineOf(options)
  let target = readUrl(url)
  for (let redirects = 0; redirects <= options.maxRedirects; redirects += 1) {
    const destination = await findDestination(target, guard, deadline)
    const answer = await visit(destination, options, deadline)
    if (!(answer instanceof URL)) return answer
    target = answer
  }
  throw new RefusedUrl('redirects', `more than ${options.maxRedirects}`)
}

type Limits = Pick<GuardedFetchOptions, 'timeoutMs' | 'signal' | 'userAgent'> & Partial<Guard>

/** Whether `guardedFetch` would connect to a URL. Connects to nothing. */
export async function isAllowedUrl(url: string, options: Partial<Limits> = {}): Promise<boolean> {
  const limits = { timeoutMs: CHECK_MS, ...options }
  try {
    await findDestination(readUrl(url), guardOf(limits), deadlineOf(limits))
    return true
  } catch (error) {
    if (error instanceof RefusedUrl) return false
    throw error
  }
}

/**
 * Posts a body to a URL from a user, protected like `guardedFetch`. Follows no redirect and does not read the answer.
 * @returns the status of the answer
 * @throws {RefusedUrl} if there is no answer
 */
export async function guardedPost(
  url: string,
  post: { readonly body: string | Uint8Array; readonly headers: Readonly<Record<string, string>> },
  options: Limits,
): Promise<number> {
  const deadline = deadlineOf(options)
  const destination = await findDestination(readUrl(url), guardOf(options), deadline)
  const { userAgent = USER_AGENT } = options
  const message: Message = { ...post, method: 'POST' }
  const response = await within(deadline, ask(destination, { accept: '*/*', userAgent, deadline, message }))
  response.destroy()
  return response.statusCode ?? 0
}

/** What answered, whatever its status. `isJson` is what the head says, and not checked. */
export type CallAnswer = { readonly status: number; readonly isJson: boolean; readonly bytes: Buffer }

/**
 * Calls an API at a URL from a user, protected like `guardedFetch`. A redirect is refused: it would take the headers,
 * which may have a key, elsewhere.
 * @throws {RefusedUrl} if there is no complete answer
 */
export async function guardedCall(
  url: string,
  message: Message,
  options: Limits & Pick<GuardedFetchOptions, 'maxBytes'>,
): Promise<CallAnswer> {
  const deadline = deadlineOf(options)
  const destination = await findDestination(readUrl(url), guardOf(options), deadline)
  const { userAgent = USER_AGENT, maxBytes } = options
  const response = await within(deadline, ask(destination, { accept: JSON_TYPE, userAgent, deadline, message }))
  try {
    const { statusCode: status = 0, headers } = response
    if (REDIRECTS.includes(status)) throw new RefusedUrl('redirects', String(status))
    const bytes = await within(deadline, readBody(response, { maxBytes }))
    return { status, isJson: /^application\/(?:[\w.-]+\+)?json\b/iu.test(headers['content-type'] ?? ''), bytes }
  } finally {
    response.destroy()
  }
}

function guardOf(options: Partial<Guard>): Guard {
  return {
    lookup: options.lookup ?? PUBLIC_INTERNET.lookup,
    allowAddress: options.allowAddress ?? PUBLIC_INTERNET.allowAddress,
    allowPort: options.allowPort ?? PUBLIC_INTERNET.allowPort,
  }
}

function deadlineOf({ timeoutMs, signal }: Pick<GuardedFetchOptions, 'timeoutMs' | 'signal'>): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([timeout, signal]) : timeout
}

/** One request: returns either the content or the URL of a redirect. */
async function visit(
  destination: Destination,
  { accept, userAgent = USER_AGENT, maxBytes, isCut = false }: GuardedFetchOptions,
  deadline: AbortSignal,
): Promise<FetchedUrl | URL> {
  const response = await within(deadline, ask(destination, { accept, userAgent, deadline }))
  try {
    if (REDIRECTS.includes(response.statusCode)) return nextUrl(response, destination.url)
    if (response.statusCode !== 200) throw new RefusedUrl('status', String(response.statusCode))
    const bytes = await within(deadline, readBody(response, { maxBytes, isCut }))
    return { bytes, contentType: response.headers['content-type'], finalUrl: destination.url.href }
  } finally {
    response.destroy()
  }
}

function nextUrl(response: IncomingMessage, from: URL): URL {
  const location = response.headers.location
  if (location === undefined) throw new RefusedUrl('redirects', 'no Location')
  // Node decodes headers as latin1. Servers send UTF-8 in this one, and browsers read it as UTF-8.
  return readUrl(Buffer.from(location, 'latin1').toString('utf8'), from)
}
