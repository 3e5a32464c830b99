import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, Server, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'

import type { FastifyInstance } from 'fastify'

const ROUND_MS = 50
/** The smallest backlog that Node accepts. */
const BACKLOG = 1
/** A client that keeps connecting must not keep the server open. */
const LONGEST_DRAIN_MS = 1_000

/**
 * Closes the server without interrupting a request. Connections in the backlog are accepted, later ones are not. For
 * `graceMs`, open connections may still send requests, because a connection that looks idle may have one on its way. Each
 * reply closes its connection. After that, connections are closed as soon as they are idle.
 *
 * Once `leaving` is aborted, some time before the close, each reply closes its connection already. So no client has one
 * left on which it could send a request while the server closes it.
 */
export function closeGently(app: FastifyInstance, graceMs: number, leaving?: AbortSignal): void {
  // Not as a hook of Fastify, which routes of plug-ins registered before would not have.
  app.server.prependListener('request', (_request: IncomingMessage, reply: ServerResponse) => {
    if (leaving?.aborted === true) reply.setHeader('connection', 'close')
  })
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    await acceptWaiting(app.server)
    // The close of node:http would also end all connections that look idle.
    const closed = once(app.server, 'close')
    Server.prototype.close.call(app.server)
    await Promise.race([closed, pause(graceMs, undefined, { ref: false })])
    const timer = setInterval(() => {
      app.server.closeIdleConnections()
    }, ROUND_MS)
    app.server.once('close', () => {
      clearInterval(timer)
    })
  })
}

/**
 * Accepts the connections in the backlog, which the operating system would reset when the server closes. A new, tiny
 * backlog keeps further clients out: they retry a second later and find the server closed. Node accepts one connection
 * per turn of the event loop, so the backlog is empty after a turn without one.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0
  const pass = (socket: Socket): void => {
    accepted += 1
    server.emit('connection', socket)
  }
  createServer({ allowHalfOpen: true, noDelay: true }, pass).listen(server, BACKLOG)
  const giveUpAt = performance.now() + LONGEST_DRAIN_MS
  for (let seen = -1; seen !== accepted && performance.now() < giveUpAt;) {
    seen = accepted
    await turn()
    await turn()
  }
}
