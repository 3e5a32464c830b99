import { Resolver } from 'node:dns/promises'

/** All IPv4 and IPv6 addresses of a name. Throws if it has none. May stop when the deadline aborts. */
export type NameLookup = (hostname: string, deadline: AbortSignal) => Promise<readonly string[]>

const ATTEMPT_MS = 1_500
const ATTEMPTS = 2

/**
 * Asks the name servers of the machine (or `servers`) directly. The system's `getaddrinfo` would block a thread of the
 * small pool that files and password hashes need, and cannot be cancelled: an attacker with a slow name server could stop
 * the whole process. Names in /etc/hosts are not found, which is intended.
 */
export function createNameLookup(servers?: readonly string[]): NameLookup {
  return async (hostname, deadline) => {
    const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS })
    if (servers) resolver.setServers(servers)
    const stop = () => resolver.cancel()
    deadline.addEventListener('abort', stop, { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    deadline.removeEventListener('abort', stop)
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length === 0) {
      const faults = answers.map((answer) => (answer.status === 'rejected' ? (answer.reason as unknown) : undefined))
      throw new AggregateError(faults, `${hostname} has no address`)
    }
    return addresses
  }
}
