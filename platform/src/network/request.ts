import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

import type { Destination } from './destination.ts'
import { RefusedUrl } from './refused-url.ts'

const MAX_HEADER_BYTES = 16 * 1024
/** The size of the buffer for a body, until more is needed. */
const FIRST_CAPACITY = 64 * 1024

// The global agents keep connections alive and can take a proxy from the environment.
const plainAgent = new http.Agent({ keepAlive: false })
const secureAgent = new https.Agent({ keepAlive: false, maxCachedSessions: 0 })

/** What is sent; without a `method`, a GET. */
export type Message = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/**
 * Sends one message to a checked destination and returns the head of the reply. The caller follows redirects. It connects
 * only to the checked addresses. Host and TLS server name are those of the URL, so that the certificate is verified. The
 * body is not read yet: the caller must destroy the reply.
 * @throws {RefusedUrl} `certificate`
 */
export async function ask(
  destination: Destination,
  options: { accept: string; userAgent: string; deadline: AbortSignal; message?: Message },
): Promise<IncomingMessage> {
  const { message = {} } = options
  const secure = destination.url.protocol === 'https:'
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = (secure ? https : http).request(destination.url, {
    method: message.method ?? 'GET',
    agent: secure ? secureAgent : plainAgent,
    lookup: answerWith(destination.addresses),
    signal: options.deadline,
    maxHeaderSize: MAX_HEADER_BYTES,
    headers: {
      ...message.headers,
      accept: options.accept,
      'accept-encoding': 'identity',
      'user-agent': options.userAgent,
      connection: 'close',
    },
  })
  request.on('error', (error) => {
    reject(isUntrusted(request.socket) ? new RefusedUrl('certificate', error.message, error) : error)
  })
  request.on('close', () => {
    reject(new Error('The connection closed without an answer'))
  })
  request.on('response', resolve)
  request.end(message.body)
  return await promise
}

/** Whether the certificate was why a connection ended. Node names the reason at the socket before it ends it. */
function isUntrusted(socket: Socket | null): boolean {
  return socket instanceof TLSSocket && Boolean(socket.authorizationError)
}

/**
 * Gives node:net the checked addresses instead of a second DNS lookup, which might return others. It is not called for an
 * IP address in the URL. Like a real lookup it calls back in a later turn: node:http handles errors of its socket only
 * from then on, and an unhandled one ends the process.
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

/**
 * Reads a body of at most `maxBytes` bytes; of a longer one with `isCut` only so many. Bytes are copied into one growing buffer, because a list of chunks would take
 * a hundred times the memory if the body comes byte by byte.
 * @throws {RefusedUrl} `encoding` for a compressed body, `size` for one that is, or declares to be, too large
 * @throws {Error} if the body ends before its declared length
 */
export async function readBody(
  response: IncomingMessage,
  { maxBytes, isCut = false }: { maxBytes: number; isCut?: boolean },
): Promise<Buffer> {
  refuseEncoding(response)
  const declared = Number(response.headers['content-length'] ?? 0)
  if (declared > maxBytes && !isCut) throw new RefusedUrl('size', `${declared} bytes declared, ${maxBytes} allowed`)

  let bytes = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(declared, FIRST_CAPACITY)))
  let length = 0
  for await (const received of response as AsyncIterable<Buffer>) {
    const piece = isCut ? received.subarray(0, maxBytes - length) : received
    const next = length + piece.length
    if (next > maxBytes) throw new RefusedUrl('size', `more than ${maxBytes} bytes`)
    if (next > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(next, bytes.length * 2)))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    piece.copy(bytes, length)
    length = next
    if (isCut && length === maxBytes) break
  }
  return bytes.subarray(0, length)
}

/** Nothing is decompressed, so that a small body cannot become a large one. */
function refuseEncoding(response: IncomingMessage): void {
  const content = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  const transfer = response.headers['transfer-encoding']?.trim().toLowerCase() ?? ''
  if (content !== '' && content !== 'identity') throw new RefusedUrl('encoding', content)
  if (transfer !== '' && transfer !== 'chunked') throw new RefusedUrl('encoding', transfer)
}
