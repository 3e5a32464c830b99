import type { Socket } from 'node:net'

import type { FastifyInstance, FastifyRequest } from 'fastify'

import { InvalidRequest } from './problem.ts'

/** Errors that Node reports before there is a request, by error code. */
const FAULTS: Readonly<Record<string, { status: string; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'The headers are too large' },
}
const NO_REQUEST = { status: '400 Bad Request', message: 'This is not an HTTP request' }

/** Answers bytes that are not an HTTP request, in the format of every other error. */
export function answerUnreadable(type: string): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const { status, message } = FAULTS[error.code ?? ''] ?? NO_REQUEST
    const body = JSON.stringify({ type, message })
    const headers = [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'Connection: close',
    ]
    socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  }
}

/** Rejects a second Host header (RFC 9112, 3.2), because a proxy in front may have routed by the other one. */
export function refuseSecondHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
    if (hosts.length > 1) throw new InvalidRequest('Host', 'must not be sent twice')
  })
}

/** Whether a request failed because the client closed the connection while it sent the body. */
export function isClientAbort({ raw }: FastifyRequest, error: unknown): boolean {
  return raw.errored !== null && raw.errored === error
}
