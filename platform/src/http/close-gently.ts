import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server, type Socket } from 'node:net'
import { setImmediate as poll, setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

import { stopAccepting } from './stop-accepting.ts'

const ROUND_MS = 50

/**
 * Closes the server without interrupting a request. Connections that the operating system has accepted are served, later
 * ones are refused. For `graceMs`, open connections may still send requests, because a connection that looks idle may have
 * one on its way. Each reply closes its connection. After that, connections are closed as soon as they are idle.
 *
 * Once `leaving` is aborted, some time before the close, each reply closes its connection already. So no client has one
 * left on which it could send a request while the server closes it.
 */
export function closeGently(app: FastifyInstance, graceMs: number, leaving?: AbortSignal): void {
  // Not as a hook of Fastify, which routes of plug-ins registered before would not have.
  app.server.prependListener('request', (_request: IncomingMessage, reply: ServerResponse) => {
    if (leaving?.aborted === true) reply.setHeader('connection', 'close')
  })
  const silent = silentConnections(app.server)
  let closed: Promise<unknown> | undefined
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    const closing: Promise<unknown>[] = []
    await stopAccepting(app.server, (socket: Socket) => {
      closing.push(new Promise((resolve) => socket.once('close', resolve)))
      app.server.emit('connection', socket)
    })
    closing.push(once(app.server, 'close'))
    closed = Promise.all(closing)
    // The close of node:http would also end all connections that look idle.
    Server.prototype.close.call(app.server)
    await Promise.race([closed, pause(graceMs, undefined, { ref: false })])
    // Requests that came while the process was busy are read first: their connections look idle.
    await poll()
    const closeIdle = (): void => {
      app.server.closeIdleConnections()
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
    }
    closeIdle()
    const timer = setInterval(() => setImmediate(closeIdle), ROUND_MS)
    void closed.then(() => {
      clearInterval(timer)
    })
  })
  // node:http waits only for the connections that it accepted itself.
  app.addHook('onClose', async () => await closed)
}

/** The connections that have sent no request yet, as browsers open them in advance. For node:http they are not idle. */
function silentConnections(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>()
  function forget(this: Socket): void {
    silent.delete(this)
  }
  server.prependListener('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', forget)
  })
  server.prependListener('request', ({ socket }: IncomingMessage) => {
    silent.delete(socket)
  })
  return silent
}
