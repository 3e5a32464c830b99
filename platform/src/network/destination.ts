import { isIP } from 'node:net'

import type { NameLookup } from './name-lookup.ts'
import { RefusedUrl, within } from './refused-url.ts'

/** The rules for where a request may go. */
export type Guard = {
  lookup: NameLookup
  allowAddress: (ip: string) => boolean
  allowPort: (port: number) => boolean
}

/** An allowed URL and the checked addresses to connect to. */
export type Destination = { url: URL; addresses: readonly string[] }

/** @throws {RefusedUrl} `url` if `text` is not an absolute URL; `redirects` if it is not a URL relative to `base` */
export function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url) return url
  throw new RefusedUrl(base ? 'redirects' : 'url', 'not a URL')
}

/**
 * Checks the destination of a URL before anything is sent to it. The URL parser has already normalised unusual spellings
 * of an address (`http://0x7f.1/`, `http://2130706433/`). A name is rejected if any of its addresses is forbidden: mixing
 * private addresses with public ones is a sign of an attack.
 * @throws {RefusedUrl} scheme, credentials, port, address, network, time
 */
export async function findDestination(url: URL, guard: Guard, deadline: AbortSignal): Promise<Destination> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new RefusedUrl('scheme', url.protocol)
  if (url.username !== '' || url.password !== '') throw new RefusedUrl('credentials', 'a login in the URL')
  const port = portOf(url)
  if (!guard.allowPort(port)) throw new RefusedUrl('port', String(port))

  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1')
  const addresses = isIP(host) === 0 ? await within(deadline, guard.lookup(host, deadline)) : [host]
  if (addresses.length === 0) throw new RefusedUrl('network', `${host} has no address`)
  const forbidden = addresses.find((ip) => isIP(ip) === 0 || !guard.allowAddress(ip))
  if (forbidden !== undefined) throw new RefusedUrl('address', `${host} is at ${forbidden}`)
  return { url, addresses }
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
