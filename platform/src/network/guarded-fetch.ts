import type { IncomingMessage } from 'node:http'

import { ask } from './ask.ts'
import { within } from './deadline.ts'
import { type Destination, findDestination, type Guard, readUrl } from './destination.ts'
import { createNameLookup } from './name-lookup.ts'
import { isOwnAddress } from './own-address.ts'
import { isPublicAddress } from './public-address.ts'
import { readBody } from './read-body.ts'
import { RefusedUrl } from './refused-url.ts'

export type GuardedFetchOptions = {
  /** The largest body taken, in bytes. */
  maxBytes: number
  /** For everything together: names, every redirect, heads and bodies. In milliseconds. */
  timeoutMs: number
  /** How many redirects are followed; 0 follows none. */
  maxRedirects: number
  /** The Accept header. What comes is told, not judged, by its content type. */
  accept: string
  userAgent?: string
  /** Aborts the fetch, like the deadline. */
  signal?: AbortSignal
} & Partial<Guard>

export type FetchedUrl = { bytes: Buffer; contentType: string | undefined; finalUrl: string }

const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308]

const USER_AGENT = 'image-check/1.0'

/** Web ports only: on any other this server could be made to speak to mail servers and databases of the world. */
const WEB_PORTS: readonly number[] = [80, 443, 8080, 8443]

const PUBLIC_INTERNET: Guard = {
  lookup: createNameLookup(),
  allowAddress: (ip) => isPublicAddress(ip) && !isOwnAddress(ip),
  allowPort: (port) => WEB_PORTS.includes(port),
}

/**
 * Fetches a URL that a stranger gave, without lending them this server's place in its network: http and https only, no
 * login, web ports, public addresses that are not this machine's, checked on the address that is dialled and again
 * after every redirect; no proxy, no cookies, nothing unpacked, few bytes, one deadline. Every connection is closed
 * when this returns. Tests hand in `lookup`, `allowAddress` and `allowPort`; the defaults are the public internet.
 * @throws {RefusedUrl} whatever goes wrong
 */
export async function guardedFetch(url: string, options: GuardedFetchOptions): Promise<FetchedUrl> {
  const guard: Guard = {
    lookup: options.lookup ?? PUBLIC_INTERNET.lookup,
    allowAddress: options.allowAddress ?? PUBLIC_INTERNET.allowAddress,
    allowPort: options.allowPort ?? PUBLIC_INTERNET.allowPort,
  }
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const deadline = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout
  let target = readUrl(url)
  for (let redirects = 0; redirects <= options.maxRedirects; redirects += 1) {
    const destination = await findDestination(target, guard, deadline)
    const answer = await visit(destination, options, deadline)
    if (!(answer instanceof URL)) return answer
    target = answer
  }
  throw new RefusedUrl('redirects', `more than ${options.maxRedirects}`)
}

/** One request: either what was wanted, or where to look next. */
async function visit(
  destination: Destination,
  { accept, userAgent = USER_AGENT, maxBytes }: GuardedFetchOptions,
  deadline: AbortSignal,
): Promise<FetchedUrl | URL> {
  const response = await within(deadline, ask(destination, { accept, userAgent, deadline }))
  try {
    if (REDIRECTS.includes(response.statusCode)) return nextUrl(response, destination.url)
    if (response.statusCode !== 200) throw new RefusedUrl('status', String(response.statusCode))
    const bytes = await within(deadline, readBody(response, maxBytes))
    return { bytes, contentType: response.headers['content-type'], finalUrl: destination.url.href }
  } finally {
    response.destroy()
  }
}

function nextUrl(response: IncomingMessage, from: URL): URL {
  const location = response.headers.location
  if (location === undefined) throw new RefusedUrl('redirects', 'no Location')
  // Node reads headers as latin1; servers write UTF-8 into this one, and browsers take it so.
  return readUrl(Buffer.from(location, 'latin1').toString('utf8'), from)
}
