import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'

export type RoundRobin = { readonly port: number; stop: () => Promise<void> }

/** A header of answers to requests that were sent to another process before, which may have carried them out. */
export const SENT_BEFORE = 'x-sent-before'

/** Methods that are safe to repeat (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** Headers of one connection only (RFC 9110, 7.6.1). The server keeps its connections longer than a client may rely on. */
const OWN_TO_CONNECTION = new Set(['connection', 'keep-alive'])

/**
 * A load balancer without sessions: each request goes to the next of these ports of 127.0.0.1. Like nginx by default
 * (`proxy_next_upstream error`), it tries another port if one cannot be reached, or breaks off an idempotent request
 * before it has answered.
 */
export async function startRoundRobin(port: number, targets: readonly number[]): Promise<RoundRobin> {
  let turn = 0
  const front = createServer((incoming, answer) => {
    const body: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => body.push(chunk))
    incoming.on('end', () => {
      turn += 1
      pass(incoming, Buffer.concat(body), answer, { place: turn, tries: targets.length })
    })
  }).listen(port, '127.0.0.1')
  // Only clients close idle connections: a client that sends while this server closes one would get ECONNRESET.
  front.keepAliveTimeout = 0

  function pass(
    incoming: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
    { place, tries }: { place: number; tries: number },
  ): void {
    const { method = 'GET', url: path, headers, socket } = incoming
    const onward = request(
      {
        host: '127.0.0.1',
        port: targets[place % targets.length],
        method,
        path,
        headers: { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '', 'x-forwarded-proto': 'http' },
      },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, passedOn(reply.headers))
        answer.flushHeaders()
        reply.pipe(answer)
        reply.on('error', () => answer.destroy())
      },
    )
    onward.on('error', ({ code }: NodeJS.ErrnoException) => {
      const wasSent = code !== 'ECONNREFUSED'
      const mayRetry = !wasSent || IDEMPOTENT.has(method)
      if (answer.headersSent || answer.destroyed) answer.destroy()
      else if (mayRetry && tries > 1) {
        if (wasSent) answer.setHeader(SENT_BEFORE, '1')
        // The next one, whatever other requests do meanwhile.
        pass(incoming, body, answer, { place: place + 1, tries: tries - 1 })
      } else answer.writeHead(502, { 'content-type': 'application/json' }).end('{}')
    })
    answer.once('close', () => onward.destroy())
    onward.end(body)
  }

  await once(front, 'listening')
  return {
    port,
    stop: async () => {
      const closed = once(front, 'close')
      front.close()
      front.closeAllConnections()
      await closed
    },
  }
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_TO_CONNECTION.has(name)))
}
