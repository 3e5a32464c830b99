import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'

type Followed = { readonly method: string; readonly url: string; readonly headers: Readonly<Record<string, string>> }

/** What the types of Node do not show: the connection of the operating system, which counts its bytes. */
type Holder = { _handle: { readonly bytesWritten: number } | null }

export type Streams = {
  /** Resolves when the reply has begun. */
  readonly follow: (asked: Followed, tell: (message: string) => void) => Promise<void>
  /** How many have sent something that has not arrived. */
  readonly underWay: () => number
  readonly leave: () => void
  readonly stop: () => void
}

/**
 * Event streams over real connections. The server takes the connection from a request that becomes a stream, and ends the reply
 * to one without.
 */
export async function openStreams(app: FastifyInstance): Promise<Streams> {
  const connections = new Map<number | undefined, Holder['_handle']>()
  const clients = new Set<Socket>()
  const door = createServer((request, response) => {
    app.routing(request, response)
  })
  door.on('connection', (socket: Socket) => {
    connections.set(socket.remotePort, (socket as unknown as Holder)._handle)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo

  const leave = (): void => {
    for (const client of clients) client.destroy()
    clients.clear()
    connections.clear()
  }
  return {
    leave,
    follow: async ({ method, url, headers }, tell) => {
      const client = connect(port, '127.0.0.1').setEncoding('utf8')
      await once(client, 'connect')
      clients.add(client)
      const begun = once(client, 'data')
      let text = ''
      client.on('data', (piece: string) => {
        text += piece
        const messages = text.split('\n\n')
        text = messages.pop() ?? ''
        for (const message of messages) if (/^(?:HTTP|data)/u.test(message)) tell(message.split('\r\n')[0] ?? '')
      })
      client.on('end', () => {
        tell('end')
      })
      // A reply of HTTP/1.0 has no chunks.
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      client.write(`${method} ${url} HTTP/1.0\r\n${lines.join('')}\r\n`)
      await begun
    },
    underWay: () =>
      [...clients].filter(
        (client) => !client.destroyed && client.bytesRead !== connections.get(client.localPort)?.bytesWritten,
      ).length,
    stop: () => {
      leave()
      door.close()
    },
  }
}
