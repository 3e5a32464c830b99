import type { Socket } from 'node:net'

/** What can go wrong before there is a request, by the code that Node gives it. */
const FAULTS: Readonly<Record<string, { status: string; message: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', message: 'The request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'The headers are too large' },
}
const NO_REQUEST = { status: '400 Bad Request', message: 'This is not an HTTP request' }

/** Answers on the bare connection what cannot be read as a request at all, in the form of every other refusal. */
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
