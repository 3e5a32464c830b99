import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net'

import { onTestFinished } from 'vitest'

export type TestServer = {
  port: number
  /** How many connections have come in so far. */
  connections: () => number
  /** Resolves when every connection so far is closed. */
  allClosed: () => Promise<void>
}

/** A web server on 127.0.0.1 for one test. */
export async function aWebServer(answer: RequestListener): Promise<TestServer> {
  return await listening(createServer(answer))
}

/** A TCP server on 127.0.0.1 for one test, to send invalid HTTP. */
export async function aRawServer(answer: (socket: Socket) => void): Promise<TestServer> {
  return await listening(createTcpServer(answer))
}

/** Starts any server on a free port of 127.0.0.1, and ends it and its connections with the test. */
export async function listening(server: Server | TcpServer): Promise<TestServer> {
  const closed: Promise<void>[] = []
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    const { promise, resolve } = Promise.withResolvers<void>()
    closed.push(promise)
    socket.on('error', () => undefined) // the guard hangs up on purpose
    socket.on('close', () => {
      open.delete(socket)
      resolve()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => {
      server.close(resolve)
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => closed.length,
    allClosed: async () => {
      await Promise.all(closed)
    },
  }
}
