import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'

import type { Destination } from './destination.ts'

const MAX_HEADER_BYTES = 16 * 1024

// Agents of their own: the global ones keep connections, and take a proxy from the environment where Node is told to.
const plainAgent = new http.Agent({ keepAlive: false })
const secureAgent = new https.Agent({ keepAlive: false, maxCachedSessions: 0 })

/**
 * Sends one GET to a checked destination and answers with the head of its reply; redirects are the caller's. Only the
 * checked addresses are dialled, while Host and the TLS server name stay those of the URL, so that the certificate is
 * the right one. The body is not read yet: whoever calls destroys the reply.
 */
export async function ask(
  destination: Destination,
  options: { accept: string; userAgent: string; deadline: AbortSignal },
): Promise<IncomingMessage> {
  const secure = destination.url.protocol === 'https:'
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (secure ? https : http).request(destination.url, {
    method: 'GET',
    agent: secure ? secureAgent : plainAgent,
    lookup: answerWith(destination.addresses),
    signal: options.deadline,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      accept: options.accept,
      'accept-encoding': 'identity',
      'user-agent': options.userAgent,
      connection: 'close',
    },
  })
  request.on('error', reject)
  request.on('close', () => {
    reject(new Error('The connection closed without an answer'))
  })
  request.on('response', resolve)
  request.end()
  return await promise
}

/**
 * Gives node:net the addresses that were checked, in place of a second look at the name servers, which might say
 * something else by now. A literal address never comes here; it is what was checked. Like a real lookup it answers a
 * turn later: node:http listens for the errors of its socket only then, and an unheard one ends the process.
 */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    setImmediate(() => {
      const [first] = answers
      if (options.all) callback(null, answers)
      else callback(null, first?.address ?? '', first?.family)
    })
  }
}
