import { once } from 'node:events'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import type { Reply, Send, Sent } from './parts.ts'

/** The server may close the connection on a longer request before it has read it. */
const LONGEST_URL = 8_000
const ANSWERED_WITHIN_MS = 60_000
const UNFINISHED_MS = 500

/** The server may have closed an idle connection at this moment, or refused a body before it was sent. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}

/** Sends requests to a real server; some stay unfinished and are cut off halfway. */
export function overHttp(base: string, connections: number): { send: Send; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(base)

  async function attempt({ method, url, headers, payload, isCut, isStream }: Sent): Promise<Reply | undefined> {
    const length = Buffer.byteLength(payload ?? '')
    const request = httpRequest({
      agent,
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, ...(payload !== undefined && { 'content-length': String(length) }) },
      timeout: ANSWERED_WITHIN_MS,
    })
    request.once('timeout', () => request.destroy(new Error('There is no answer')))
    // Ignores errors after the reply, such as the body of a HEAD reply that is too long to be read.
    request.on('error', () => undefined)
    if (isCut) {
      request.flushHeaders()
      request.write(payload?.slice(0, payload.length / 2) ?? '')
      const [socket] = (await once(request, 'socket')) as [NodeJS.Socket & { destroy: () => void }]
      // Unfinished bodies pile up on the server meanwhile.
      setTimeout(() => {
        socket.destroy()
      }, UNFINISHED_MS).unref()
      return undefined
    }
    request.end(payload)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) {
      chunks.push(chunk as Buffer)
      if (isStream && response.statusCode === 200) break
    }
    const answered = Object.entries(response.headers).map(([name, value]) => [name, [value].flat()[0]])
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(answered) as Record<string, string>,
      body: Buffer.concat(chunks).toString(),
    }
  }

  return {
    send: async (sent) => {
      try {
        return await attempt(sent)
      } catch (error) {
        if (sent.url.length > LONGEST_URL) return undefined
        if (isClosed(error)) return await attempt(sent)
        throw error
      }
    },
    close: () => {
      agent.destroy()
    },
  }
}
